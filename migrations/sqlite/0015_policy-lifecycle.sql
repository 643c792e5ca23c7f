CREATE TABLE `list_changes` (
	`list_uid` text NOT NULL,
	`version` integer NOT NULL,
	`author` text,
	`note` text,
	`added` text NOT NULL,
	`removed` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`list_uid`, `version`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `lists` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`description` text,
	`version` integer NOT NULL,
	`entries` text NOT NULL,
	`entry_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `lists_uid_unique` ON `lists` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `lists_name_unique` ON `lists` (`name`);--> statement-breakpoint
CREATE TABLE `house_policies` (
	`policy_id` integer PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`params` text DEFAULT '{}' NOT NULL,
	`mode` text,
	`updated_at` integer,
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `policy_version_lists` (
	`policy_id` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`policy_id`, `version`, `name`),
	FOREIGN KEY (`policy_id`) REFERENCES `policies`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `policy_version_lists_by_name` ON `policy_version_lists` (`name`);--> statement-breakpoint
ALTER TABLE `bindings` ADD `params` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `bindings` ADD `mode` text;--> statement-breakpoint
ALTER TABLE `bindings` ADD `updated_at` integer;--> statement-breakpoint
ALTER TABLE `policies` ADD `previous_version` integer;--> statement-breakpoint
ALTER TABLE `policies` ADD `scheduled_version` integer;--> statement-breakpoint
ALTER TABLE `policies` ADD `scheduled_at` integer;--> statement-breakpoint
ALTER TABLE `policies` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `policy_versions` ADD `note` text;