CREATE TABLE `bindings` (
	`integration_id` text NOT NULL,
	`policy_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`params` text DEFAULT '{}' NOT NULL,
	`mode` text,
	`updated_at` integer,
	PRIMARY KEY(`integration_id`, `policy_id`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `bindings_by_policy` ON `bindings` (`policy_id`);--> statement-breakpoint
CREATE TABLE `house_policies` (
	`policy_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`params` text DEFAULT '{}' NOT NULL,
	`mode` text,
	`updated_at` integer,
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `integration_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`integration_id` text NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`last_four` text,
	`scopes` text NOT NULL,
	`last_used_at` integer,
	`issued_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `integration_keys_keyHash_unique` ON `integration_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `integration_keys_by_integration` ON `integration_keys` (`integration_id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`description` text,
	`settings` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`webhook_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_id_unique` ON `integrations` (`id`);--> statement-breakpoint
CREATE TABLE `policies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`current_version` integer NOT NULL,
	`latest_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`previous_version` integer,
	`scheduled_version` integer,
	`scheduled_at` integer,
	`revision` integer DEFAULT 1 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `policy_version_lists` (
	`policy_id` text NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`policy_id`, `version`, `name`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `policy_version_lists_by_name` ON `policy_version_lists` (`name`);--> statement-breakpoint
CREATE TABLE `policy_versions` (
	`policy_id` text NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`document` text NOT NULL,
	`author` text,
	`created_at` integer NOT NULL,
	`note` text,
	PRIMARY KEY(`policy_id`, `version`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `counter_cells` (
	`integration_id` integer NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`data` blob NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`integration_id`, `scope`, `key`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counter_cells_by_end` ON `counter_cells` (`ends_at`);--> statement-breakpoint
CREATE TABLE `counter_scopes` (
	`integration_id` integer NOT NULL,
	`scope` text NOT NULL,
	`data` blob NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`integration_id`, `scope`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counter_scopes_by_end` ON `counter_scopes` (`ends_at`);--> statement-breakpoint
CREATE TABLE `counter_sets` (
	`integration_id` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `counting_sessions` (
	`ends_at` integer NOT NULL,
	`session_id` integer NOT NULL,
	PRIMARY KEY(`ends_at`, `session_id`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session_cells` (
	`session_id` integer NOT NULL,
	`key` blob NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`session_id`, `key`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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
	`parent_uid` text,
	`place` text,
	`has_children` integer DEFAULT 0 NOT NULL,
	`gathered` integer DEFAULT 0 NOT NULL,
	`ends_when_idle` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `evaluation_sessions_uid_unique` ON `evaluation_sessions` (`uid`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_integration` ON `evaluation_sessions` (`integration_id`,`id`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_status` ON `evaluation_sessions` (`integration_id`,`status`,`id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_external_id` ON `evaluation_sessions` (`integration_id`,`external_session_id`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_parent` ON `evaluation_sessions` (`parent_uid`) WHERE "evaluation_sessions"."parent_uid" IS NOT NULL AND "evaluation_sessions"."gathered" = 0;--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_root` ON `evaluation_sessions` (json_extract("place", '$.rootId')) WHERE "evaluation_sessions"."place" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_entity` ON `evaluation_sessions` (`integration_id`,`entity_id`);--> statement-breakpoint
CREATE INDEX `evaluation_sessions_idle` ON `evaluation_sessions` (`started_at`) WHERE "evaluation_sessions"."ends_when_idle" = 1 AND "evaluation_sessions"."status" = 'ACTIVE';--> statement-breakpoint
CREATE TABLE `installation_salts` (
	`id` integer PRIMARY KEY NOT NULL,
	`salt` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `named_sessions` (
	`integration_id` integer NOT NULL,
	`name` text NOT NULL,
	`session_id` integer NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `name`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `named_sessions_by_use` ON `named_sessions` (`used_at`);--> statement-breakpoint
CREATE TABLE `session_blocks` (
	`integration_id` integer NOT NULL,
	`block` integer NOT NULL,
	`open_count` integer NOT NULL,
	`completed_count` integer NOT NULL,
	`terminated_count` integer NOT NULL,
	`soonest_expiry` integer NOT NULL,
	`latest_expiry` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `block`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `session_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`session_id` integer NOT NULL,
	`kind` text NOT NULL,
	`label` text,
	`review_uid` text,
	`after_evaluation_id` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `session_changes_by_place` ON `session_changes` (`after_evaluation_id`,`id`);--> statement-breakpoint
CREATE INDEX `removed_labels_by_session` ON `session_changes` (`session_id`) WHERE "session_changes"."kind" = 'LABEL_REMOVED';--> statement-breakpoint
CREATE INDEX `rejections_by_session` ON `session_changes` (`session_id`) WHERE "session_changes"."kind" = 'REJECTED';--> statement-breakpoint
CREATE TABLE `session_marks` (
	`session_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`evaluation_id` integer NOT NULL,
	PRIMARY KEY(`session_id`, `seq`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session_states` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`action_count` integer NOT NULL,
	`warning_count` integer NOT NULL,
	`block_count` integer NOT NULL,
	`review_count` integer NOT NULL,
	`rejection_count` integer DEFAULT 0 NOT NULL,
	`data_tags` text NOT NULL,
	`tool_counts` text NOT NULL,
	`last_evaluation_id` integer,
	`other_count` integer DEFAULT 0 NOT NULL,
	`last_action_id` integer,
	`stopped_counts` text DEFAULT '[]' NOT NULL,
	`counters` blob,
	`chain_seq` integer DEFAULT 0 NOT NULL,
	`chain_hash` text,
	`labels` text DEFAULT '[]' NOT NULL,
	`monitored_labels` text DEFAULT '[]' NOT NULL,
	`sighting_count` integer DEFAULT 0 NOT NULL,
	`sightings_full` integer DEFAULT 0 NOT NULL,
	`sightings` blob,
	`sighting_blocks` integer DEFAULT 0 NOT NULL,
	`has_sightings` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `session_states_with_sightings` ON `session_states` (`session_id`) WHERE "session_states"."has_sightings" = 1;--> statement-breakpoint
CREATE TABLE `session_stopped_tools` (
	`session_id` integer NOT NULL,
	`tool` text NOT NULL,
	`call_count` integer NOT NULL,
	`first_seq` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session_tools` (
	`session_id` integer NOT NULL,
	`tool` text NOT NULL,
	`call_count` integer NOT NULL,
	`first_seq` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session_trees` (
	`root_uid` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sightings` (
	`session_id` integer NOT NULL,
	`block` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`session_id`, `block`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `action_results` (
	`action_id` integer PRIMARY KEY NOT NULL,
	`result_id` integer NOT NULL,
	FOREIGN KEY (`action_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`result_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `content_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluation_id` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `evaluation_blocks` (
	`facet` integer NOT NULL,
	`value` text NOT NULL,
	`block` integer NOT NULL,
	PRIMARY KEY(`facet`, `value`, `block`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `evaluations` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`seq` integer,
	`previous_id` integer,
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
	`phase` text DEFAULT 'ACTION' NOT NULL,
	`result_of` text,
	`result_status` text,
	`previous_action_id` integer,
	`chain_seq` integer NOT NULL,
	`entry_hash` text NOT NULL,
	`content_salt` text,
	`content_digests` text,
	`labels` text,
	`repeats` integer,
	`cost` text,
	`identity` text,
	`used_grants` text,
	`named_review` text,
	`took_us` integer,
	`trace_id` text,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `evaluations_by_uid` ON `evaluations` (`uid`);--> statement-breakpoint
CREATE INDEX `evaluations_by_correlation` ON `evaluations` (`correlation_id`) WHERE "evaluations"."correlation_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `evaluations_by_trace` ON `evaluations` (`trace_id`) WHERE "evaluations"."trace_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`integration_id` integer NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	`session_id` integer,
	`policy_set_id` integer,
	PRIMARY KEY(`integration_id`, `key`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `integration_usage` (
	`integration_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `policy_set_members` (
	`policy_id` text NOT NULL,
	`version` integer NOT NULL,
	`policy_set_id` integer NOT NULL,
	PRIMARY KEY(`policy_id`, `version`, `policy_set_id`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `policy_sets` (
	`id` integer PRIMARY KEY NOT NULL,
	`members` text NOT NULL,
	`terms` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `policy_sets_members_unique` ON `policy_sets` (`members`);--> statement-breakpoint
CREATE TABLE `stats` (
	`dimension` text NOT NULL,
	`unit` text NOT NULL,
	`slot` integer NOT NULL,
	`integration_id` integer NOT NULL,
	`name` text NOT NULL,
	`allowed` integer NOT NULL,
	`warned` integer NOT NULL,
	`held` integer NOT NULL,
	`blocked` integer NOT NULL,
	`timed` integer DEFAULT 0 NOT NULL,
	`took_us` integer DEFAULT 0 NOT NULL,
	`slowest_us` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`dimension`, `unit`, `slot`, `integration_id`, `name`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `stats_by_integration` ON `stats` (`dimension`,`unit`,`integration_id`,`slot`);--> statement-breakpoint
CREATE TABLE `stats_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluation_id` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `violations` (
	`evaluation_id` integer NOT NULL,
	`place` integer NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`policy_uid` text NOT NULL,
	`rule_id` text NOT NULL,
	`severity` text NOT NULL,
	`status` text DEFAULT 'NEW' NOT NULL,
	`outcome` text,
	`note` text,
	`triaged_by` text,
	`triaged_at` integer,
	PRIMARY KEY(`evaluation_id`, `place`),
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `violations_by_uid` ON `violations` (`uid`);--> statement-breakpoint
CREATE INDEX `violations_by_status` ON `violations` (`status`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `violations_by_rule` ON `violations` (`rule_id`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `violations_by_integration` ON `violations` (`integration_id`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `violations_by_session` ON `violations` (`session_id`,`evaluation_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`integration_id` text,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`total_bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`webhook_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`status` text NOT NULL,
	`attempt_count` integer NOT NULL,
	`next_attempt_at` integer,
	`last_attempt_at` integer,
	`delivered_at` integer,
	`last_status_code` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`row`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_uid_unique` ON `webhook_deliveries` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_by_event` ON `webhook_deliveries` (`event_id`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`event_id`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_status` ON `webhook_deliveries` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`key_id` text,
	`action` text NOT NULL,
	`resource` text,
	`resource_id` text,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`address` text,
	`request_id` text NOT NULL,
	`outcome` text NOT NULL,
	`status_code` integer NOT NULL,
	`message` text,
	`before` text,
	`after` text,
	`chain_seq` integer NOT NULL,
	`entry_hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_uid_unique` ON `audit_entries` (`uid`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`actor_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_kind` ON `audit_entries` (`resource`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_resource` ON `audit_entries` (`resource`,`resource_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_outcome` ON `audit_entries` (`outcome`,`at`);--> statement-breakpoint
CREATE INDEX `audit_changes_by_time` ON `audit_entries` (`at`) WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX `audit_changes_by_actor` ON `audit_entries` (`actor_id`,`at`) WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX `audit_changes_by_action` ON `audit_entries` (`action`,`at`) WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX `audit_changes_by_kind` ON `audit_entries` (`resource`,`at`) WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX `audit_changes_by_outcome` ON `audit_entries` (`outcome`,`at`) WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE TABLE `clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`latest_at` integer NOT NULL,
	`retention_held_at` integer,
	`corrected_at` integer,
	`corrected_evaluation_id` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`kind` text NOT NULL,
	`members` text NOT NULL,
	`after_evaluation_id` integer NOT NULL,
	`chain_seq` integer NOT NULL,
	`entry_hash` text NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `record_entries_by_session` ON `record_entries` (`session_id`,`chain_seq`);--> statement-breakpoint
CREATE INDEX `record_entries_by_place` ON `record_entries` (`after_evaluation_id`,`id`);--> statement-breakpoint
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
CREATE TABLE `grant_uses` (
	`evaluation_id` integer NOT NULL,
	`grant_id` integer NOT NULL,
	PRIMARY KEY(`evaluation_id`, `grant_id`),
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `grant_uses_by_grant` ON `grant_uses` (`grant_id`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`review_id` integer NOT NULL,
	`session_id` integer NOT NULL,
	`offer` text NOT NULL,
	`data_tags` text NOT NULL,
	`uses_left` integer,
	`expires_at` integer,
	`closed_at` integer,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_uid_unique` ON `grants` (`uid`);--> statement-breakpoint
CREATE INDEX `grants_by_session` ON `grants` (`session_id`);--> statement-breakpoint
CREATE INDEX `grants_by_review` ON `grants` (`review_id`);--> statement-breakpoint
CREATE TABLE `review_approvals` (
	`review_id` integer NOT NULL,
	`operator_id` text NOT NULL,
	`groups` text NOT NULL,
	`findings` text NOT NULL,
	`comment` text,
	`created_at` integer NOT NULL,
	`once` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`review_id`, `operator_id`),
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `review_comments` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`review_id` integer NOT NULL,
	`author` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `review_comments_uid_unique` ON `review_comments` (`uid`);--> statement-breakpoint
CREATE INDEX `review_comments_by_review` ON `review_comments` (`review_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `review_contents` (
	`review_id` integer PRIMARY KEY NOT NULL,
	`input` text,
	`target_key` text,
	`target_metadata` text,
	`callback_url` text,
	`is_masked` integer DEFAULT 0 NOT NULL,
	`rejection_counts` text,
	`forget_at` integer,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_contents_by_expiry` ON `review_contents` (`forget_at`);--> statement-breakpoint
CREATE TABLE `review_handling` (
	`review_id` integer PRIMARY KEY NOT NULL,
	`assignee` text,
	`assigned_at` integer,
	`seen_at` integer,
	`extended_at` integer,
	`reminded_at` integer,
	`reason` text,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_handling_by_assignee` ON `review_handling` (`assignee`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`evaluation_id` integer NOT NULL,
	`tool` text NOT NULL,
	`input_hash` text NOT NULL,
	`rejection_hash` text NOT NULL,
	`policy_set_id` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_with_session` integer NOT NULL,
	`expiry_seconds` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`comment` text,
	`consumed_at` integer,
	`callback_url` text,
	`terms` text NOT NULL,
	`grants` text,
	`shown_tool` text NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_set_id`) REFERENCES `policy_sets`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_uid_unique` ON `reviews` (`uid`);--> statement-breakpoint
CREATE INDEX `reviews_by_integration` ON `reviews` (`integration_id`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_status` ON `reviews` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_session` ON `reviews` (`session_id`);--> statement-breakpoint
CREATE INDEX `reviews_by_tool` ON `reviews` (`tool`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_time` ON `reviews` (`created_at`);--> statement-breakpoint
CREATE INDEX `reviews_by_action` ON `reviews` (`input_hash`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_pending` ON `reviews` (`integration_id`,`expires_at`) WHERE "reviews"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX `reviews_rejected` ON `reviews` (`rejection_hash`) WHERE "reviews"."status" = 'REJECTED';--> statement-breakpoint
CREATE TABLE `entities` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`owner` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `entities_by_time` ON `entities` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `entities_by_kind` ON `entities` (`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `entities_by_owner` ON `entities` (`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `list_changes` (
	`list_id` text NOT NULL,
	`version` integer NOT NULL,
	`author` text,
	`note` text,
	`added` text NOT NULL,
	`removed` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`list_id`, `version`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `lists` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`description` text,
	`version` integer NOT NULL,
	`entries` text NOT NULL,
	`entry_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `lists_name_unique` ON `lists` (`name`);--> statement-breakpoint
CREATE TABLE `mcp_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`headers` text,
	`integration_ids` text NOT NULL,
	`forwards_authorization` integer NOT NULL,
	`tool_list` text NOT NULL,
	`hold_seconds` integer NOT NULL,
	`masks` integer NOT NULL,
	`timeout_seconds` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `mcp_servers_name_unique` ON `mcp_servers` (`name`);--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`name` text NOT NULL,
	`last_four` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`ip_ranges` text NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_keyHash_unique` ON `operator_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `operator_keys_by_operator` ON `operator_keys` (`operator_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`email_key` text,
	`status` text NOT NULL,
	`roles` text NOT NULL,
	`groups` text NOT NULL,
	`entity_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_emailKey_unique` ON `operators` (`email_key`);--> statement-breakpoint
CREATE TABLE `proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`operation` text NOT NULL,
	`change` text NOT NULL,
	`before` text,
	`note` text,
	`status` text NOT NULL,
	`author` text NOT NULL,
	`decided_by` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `proposals_by_status` ON `proposals` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_by_time` ON `proposals` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `record_heads` (
	`chain` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`added_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_leaves` (
	`id` integer PRIMARY KEY NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `record_leaves_by_chain` ON `record_leaves` (`chain`,`id`);--> statement-breakpoint
CREATE TABLE `record_nodes` (
	`level` integer NOT NULL,
	`place` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`level`, `place`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_roots` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`previous` text NOT NULL,
	`tree_size` integer NOT NULL,
	`root_hash` text NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL,
	`frontier` text NOT NULL,
	`evaluation_id` integer NOT NULL,
	`entry_id` integer NOT NULL,
	`audit_entry_id` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`link_hash` text PRIMARY KEY NOT NULL,
	`operator_key_hash` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`place` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`operator_key_hash` text,
	`operator_id` text,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	CONSTRAINT "sign_ins_identity" CHECK(("sign_ins"."operator_key_hash" IS NULL) <> ("sign_ins"."operator_id" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ins_tokenHash_unique` ON `sign_ins` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sign_ins_by_key` ON `sign_ins` (`operator_key_hash`,`place`);--> statement-breakpoint
CREATE INDEX `sign_ins_by_operator` ON `sign_ins` (`operator_id`,`place`);--> statement-breakpoint
CREATE TABLE `tool_catalogues` (
	`integration_id` text PRIMARY KEY NOT NULL,
	`tools` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`status` text NOT NULL,
	`destination` text NOT NULL,
	`secret` text,
	`previous_secret` text,
	`previous_secret_until` integer,
	`types` text NOT NULL,
	`integration_ids` text NOT NULL,
	`min_severity` text,
	`after_event` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_id_unique` ON `webhooks` (`id`);
--> statement-breakpoint
CREATE TRIGGER `session_blocks_of_new` AFTER INSERT ON `evaluation_sessions` BEGIN
	INSERT INTO `session_blocks`
	VALUES (NEW.`integration_id`, NEW.`id` / 4096, NEW.`status` = 'ACTIVE', NEW.`status` = 'COMPLETED', NEW.`status` = 'TERMINATED', NEW.`expires_at`, NEW.`expires_at`)
	ON CONFLICT (`integration_id`, `block`) DO UPDATE SET
		`open_count` = `open_count` + excluded.`open_count`,
		`completed_count` = `completed_count` + excluded.`completed_count`,
		`terminated_count` = `terminated_count` + excluded.`terminated_count`,
		`soonest_expiry` = min(`soonest_expiry`, excluded.`soonest_expiry`),
		`latest_expiry` = max(`latest_expiry`, excluded.`latest_expiry`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_blocks_of_changed` AFTER UPDATE OF `status` ON `evaluation_sessions` BEGIN
	UPDATE `session_blocks` SET
		`open_count` = `open_count` - (OLD.`status` = 'ACTIVE') + (NEW.`status` = 'ACTIVE'),
		`completed_count` = `completed_count` - (OLD.`status` = 'COMPLETED') + (NEW.`status` = 'COMPLETED'),
		`terminated_count` = `terminated_count` - (OLD.`status` = 'TERMINATED') + (NEW.`status` = 'TERMINATED')
	WHERE `integration_id` = NEW.`integration_id` AND `block` = NEW.`id` / 4096;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_change` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_go` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_entries_never_change` BEFORE UPDATE ON `record_entries` BEGIN SELECT RAISE(ABORT, 'entries of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_entries_never_go` BEFORE DELETE ON `record_entries` BEGIN SELECT RAISE(ABORT, 'entries of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_roots_never_change` BEFORE UPDATE ON `record_roots` BEGIN SELECT RAISE(ABORT, 'signed roots are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_roots_never_go` BEFORE DELETE ON `record_roots` BEGIN SELECT RAISE(ABORT, 'signed roots are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_leaves_never_change` BEFORE UPDATE ON `record_leaves` BEGIN SELECT RAISE(ABORT, 'leaves of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_leaves_never_go` BEFORE DELETE ON `record_leaves` BEGIN SELECT RAISE(ABORT, 'leaves of the record are permanent'); END;
--> statement-breakpoint
INSERT INTO `installation_salts` VALUES (1, lower(hex(randomblob(16))));
