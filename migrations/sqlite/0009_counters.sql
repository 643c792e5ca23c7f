CREATE TABLE `counter_rows` (
	`integration_id` integer NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`data` text NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`integration_id`, `scope`, `key`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `counter_rows_by_end` ON `counter_rows` (`ends_at`);