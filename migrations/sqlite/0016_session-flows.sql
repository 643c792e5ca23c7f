CREATE TABLE `review_approvals` (
	`review_id` integer NOT NULL,
	`operator_id` text NOT NULL,
	`groups` text NOT NULL,
	`findings` text NOT NULL,
	`comment` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`review_id`, `operator_id`),
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `session_trees` (
	`root_uid` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `provenance_salts` (
	`id` integer PRIMARY KEY NOT NULL,
	`salt` text NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `provenance_salts` VALUES (1, lower(hex(randomblob(16))));
--> statement-breakpoint
CREATE TABLE `sightings` (
	`session_id` integer NOT NULL,
	`digest` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`session_id`, `digest`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `evaluation_sessions` ADD `parent_uid` text;--> statement-breakpoint
ALTER TABLE `evaluation_sessions` ADD `place` text;--> statement-breakpoint
ALTER TABLE `evaluation_sessions` ADD `has_children` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `evaluation_sessions` ADD `gathered` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_parent` ON `evaluation_sessions` (`parent_uid`) WHERE "evaluation_sessions"."parent_uid" IS NOT NULL AND "evaluation_sessions"."gathered" = 0;--> statement-breakpoint
ALTER TABLE `session_states` ADD `labels` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `session_states` ADD `monitored_labels` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `session_states` ADD `sighting_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `session_states` ADD `sightings_full` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `session_states_with_sightings` ON `session_states` (`session_id`) WHERE "session_states"."sighting_count" > 0;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `labels` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `repeats` integer;--> statement-breakpoint
ALTER TABLE `reviews` ADD `terms` text;