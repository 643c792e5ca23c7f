CREATE TABLE `session_stopped_tools` (
	`session_id` integer NOT NULL,
	`tool` text NOT NULL,
	`call_count` integer NOT NULL,
	`first_seq` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `session_states` ADD `stopped_counts` text DEFAULT '[]' NOT NULL;