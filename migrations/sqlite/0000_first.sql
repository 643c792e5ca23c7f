CREATE TABLE `evaluation_sessions` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`status` text NOT NULL,
	`entity_id` text,
	`external_session_id` text NOT NULL,
	`metadata` text NOT NULL,
	`started_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `evaluation_sessions_uid_unique` ON `evaluation_sessions` (`uid`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_integration` ON `evaluation_sessions` (`integration_id`,`id`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_external_id` ON `evaluation_sessions` (`integration_id`,`external_session_id`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_entity` ON `evaluation_sessions` (`integration_id`,`entity_id`);--> statement-breakpoint
CREATE TABLE `named_sessions` (
	`integration_id` integer NOT NULL,
	`name` text NOT NULL,
	`session_id` integer NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `name`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `named_sessions_by_use` ON `named_sessions` (`used_at`);--> statement-breakpoint
CREATE TABLE `session_states` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`action_count` integer NOT NULL,
	`warning_count` integer NOT NULL,
	`block_count` integer NOT NULL,
	`review_count` integer NOT NULL,
	`data_tags` text NOT NULL,
	`tool_counts` text NOT NULL,
	`last_evaluation_id` integer,
	`last_mark_id` integer,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `session_tools` (
	`session_id` integer NOT NULL,
	`tool` text NOT NULL,
	`call_count` integer NOT NULL,
	`first_seq` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `content_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluation_id` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `evaluations` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`seq` integer,
	`previous_id` integer,
	`mark_id` integer,
	`transport` text NOT NULL,
	`tool` text NOT NULL,
	`target_key` text,
	`target_metadata` text,
	`correlation_id` text,
	`outcome` text NOT NULL,
	`enforcement_action` text NOT NULL,
	`severity` text,
	`enforced_severity` text,
	`violations` text,
	`data_tags` text,
	`detections` text,
	`policy_set_id` integer NOT NULL,
	`input` text,
	`review_uid` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `evaluations_by_uid` ON `evaluations` (`uid`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`integration_id` integer NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `key`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `integration_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`integration_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `integration_keys_keyHash_unique` ON `integration_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `integration_keys_by_integration` ON `integration_keys` (`integration_id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`description` text,
	`settings` text NOT NULL,
	`webhook_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_uid_unique` ON `integrations` (`uid`);--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_uid_unique` ON `operator_keys` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_keyHash_unique` ON `operator_keys` (`key_hash`);--> statement-breakpoint
CREATE TABLE `bindings` (
	`integration_id` integer NOT NULL,
	`policy_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `policy_id`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `bindings_by_policy` ON `bindings` (`policy_id`);--> statement-breakpoint
CREATE TABLE `policies` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`current_version` integer NOT NULL,
	`latest_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `policies_uid_unique` ON `policies` (`uid`);--> statement-breakpoint
CREATE TABLE `policy_set_members` (
	`policy_id` integer NOT NULL,
	`version` integer NOT NULL,
	`policy_set_id` integer NOT NULL,
	PRIMARY KEY(`policy_id`, `version`, `policy_set_id`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `policy_sets` (
	`id` integer PRIMARY KEY NOT NULL,
	`members` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `policy_sets_members_unique` ON `policy_sets` (`members`);--> statement-breakpoint
CREATE TABLE `policy_versions` (
	`policy_id` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`document` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`policy_id`, `version`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `callbacks` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`review_id` integer NOT NULL,
	`body` text NOT NULL,
	`attempt_count` integer NOT NULL,
	`next_attempt_at` integer,
	`delivered_at` integer,
	`last_error` text,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `callbacks_uid_unique` ON `callbacks` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `callbacks_reviewId_unique` ON `callbacks` (`review_id`);--> statement-breakpoint
CREATE INDEX `callbacks_due` ON `callbacks` (`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`evaluation_id` integer NOT NULL,
	`tool` text NOT NULL,
	`input_hash` text NOT NULL,
	`policy_set_id` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`expiry_seconds` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`comment` text,
	`consumed_at` integer,
	`callback_url` text,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_uid_unique` ON `reviews` (`uid`);--> statement-breakpoint
CREATE INDEX `reviews_by_integration` ON `reviews` (`integration_id`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_status` ON `reviews` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_session` ON `reviews` (`session_id`);