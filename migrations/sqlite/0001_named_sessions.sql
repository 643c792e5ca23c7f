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
CREATE INDEX `named_sessions_by_use` ON `named_sessions` (`used_at`);