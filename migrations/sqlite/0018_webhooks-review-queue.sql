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
CREATE INDEX `review_comments_by_review` ON `review_comments` (`review_id`,`id`);--> statement-breakpoint
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
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_uid_unique` ON `webhook_deliveries` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_by_event` ON `webhook_deliveries` (`event_id`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`event_id`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_status` ON `webhook_deliveries` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
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
CREATE UNIQUE INDEX `webhooks_uid_unique` ON `webhooks` (`uid`);