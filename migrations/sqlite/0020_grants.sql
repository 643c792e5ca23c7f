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
ALTER TABLE `review_approvals` ADD `once` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `reviews` ADD `grants` text;