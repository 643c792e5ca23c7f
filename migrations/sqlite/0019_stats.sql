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
	PRIMARY KEY(`dimension`, `unit`, `slot`, `integration_id`, `name`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `stats_by_integration` ON `stats` (`dimension`,`unit`,`integration_id`,`slot`);--> statement-breakpoint
CREATE TABLE `stats_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluation_id` integer NOT NULL
) STRICT;
