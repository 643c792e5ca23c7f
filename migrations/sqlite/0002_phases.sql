CREATE TABLE `action_results` (
	`action_id` integer PRIMARY KEY NOT NULL,
	`result_id` integer NOT NULL,
	FOREIGN KEY (`action_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`result_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `session_states` ADD `other_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `session_states` ADD `last_action_id` integer;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `phase` text DEFAULT 'ACTION' NOT NULL;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `result_of` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `result_status` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `previous_action_id` integer;