CREATE TABLE `counter_cells` (
	`integration_id` integer NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`data` blob NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`integration_id`, `scope`, `key`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counter_cells_by_end` ON `counter_cells` (`ends_at`);--> statement-breakpoint
CREATE TABLE `counter_scopes` (
	`integration_id` integer NOT NULL,
	`scope` text NOT NULL,
	`data` blob NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`integration_id`, `scope`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counter_scopes_by_end` ON `counter_scopes` (`ends_at`);--> statement-breakpoint
CREATE TABLE `counter_sets` (
	`integration_id` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `counting_sessions` (
	`ends_at` integer NOT NULL,
	`session_id` integer NOT NULL,
	PRIMARY KEY(`ends_at`, `session_id`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `session_states` ADD `counters` blob;
--> statement-breakpoint
DROP TABLE `counter_rows`;