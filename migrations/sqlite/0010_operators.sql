CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`key_id` text,
	`action` text NOT NULL,
	`resource` text,
	`resource_id` text,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`address` text,
	`request_id` text NOT NULL,
	`outcome` text NOT NULL,
	`status_code` integer NOT NULL,
	`message` text,
	`before` text,
	`after` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_uid_unique` ON `audit_entries` (`uid`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_resource` ON `audit_entries` (`resource`,`resource_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_outcome` ON `audit_entries` (`outcome`,`id`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`email_key` text,
	`status` text NOT NULL,
	`roles` text NOT NULL,
	`groups` text NOT NULL,
	`entity_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_uid_unique` ON `operators` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_emailKey_unique` ON `operators` (`email_key`);--> statement-breakpoint
ALTER TABLE `integration_keys` ADD `issued_by` text;--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `operator_id` integer REFERENCES operators(id);--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `name` text DEFAULT 'key' NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `last_four` text;--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `operator_keys` ADD `ip_ranges` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `operator_keys_by_operator` ON `operator_keys` (`operator_id`,`id`);--> statement-breakpoint
ALTER TABLE `policy_versions` ADD `author` text;
--> statement-breakpoint
-- Until now keys had no owners: those that exist become keys of one.
INSERT INTO `operators` (`uid`, `name`, `status`, `roles`, `groups`, `created_at`, `updated_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
  'owner', 'ACTIVE', '["OWNER"]', '[]', min(`created_at`), min(`created_at`)
FROM `operator_keys` HAVING count(*) > 0;
--> statement-breakpoint
UPDATE `operator_keys` SET `operator_id` = (SELECT `id` FROM `operators`);
--> statement-breakpoint
UPDATE `reviews` SET `decided_by` = (SELECT `uid` FROM `operators`)
WHERE `decided_by` IN (SELECT `uid` FROM `operator_keys`);
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_change` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_go` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
