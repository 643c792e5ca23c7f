DROP INDEX `audit_entries_by_actor`;--> statement-breakpoint
DROP INDEX `audit_entries_by_action`;--> statement-breakpoint
DROP INDEX `audit_entries_by_outcome`;--> statement-breakpoint
CREATE INDEX `audit_entries_by_kind` ON `audit_entries` (`resource`,`id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`actor_id`,`id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_outcome` ON `audit_entries` (`outcome`,`id`,`at`);--> statement-breakpoint
CREATE INDEX `entities_by_kind` ON `entities` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `entities_by_owner` ON `entities` (`owner`,`id`);