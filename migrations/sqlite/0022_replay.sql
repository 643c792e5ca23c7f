CREATE TABLE `session_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`session_id` integer NOT NULL,
	`kind` text NOT NULL,
	`label` text,
	`after_evaluation_id` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `session_changes_by_place` ON `session_changes` (`after_evaluation_id`,`id`);--> statement-breakpoint
ALTER TABLE `evaluations` ADD `named_review` text;--> statement-breakpoint
ALTER TABLE `policy_sets` ADD `terms` text;