ALTER TABLE `integration_keys` ADD `uid` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `integration_keys` ADD `name` text DEFAULT 'key' NOT NULL;--> statement-breakpoint
ALTER TABLE `integration_keys` ADD `last_four` text;--> statement-breakpoint
ALTER TABLE `integration_keys` ADD `scopes` text DEFAULT '["evaluate","sessions:open","sessions:end","read"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `integration_keys` ADD `last_used_at` integer;--> statement-breakpoint
UPDATE `integration_keys` SET `uid` = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));--> statement-breakpoint
CREATE UNIQUE INDEX `integration_keys_uid` ON `integration_keys` (`uid`);