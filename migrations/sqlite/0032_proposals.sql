CREATE TABLE `proposals` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
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
CREATE UNIQUE INDEX `proposals_uid_unique` ON `proposals` (`uid`);--> statement-breakpoint
CREATE INDEX `proposals_by_status` ON `proposals` (`status`);