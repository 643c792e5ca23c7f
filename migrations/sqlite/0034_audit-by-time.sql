DROP INDEX `audit_entries_by_actor`;--> statement-breakpoint
DROP INDEX `audit_entries_by_action`;--> statement-breakpoint
DROP INDEX `audit_entries_by_kind`;--> statement-breakpoint
DROP INDEX `audit_entries_by_resource`;--> statement-breakpoint
DROP INDEX `audit_entries_by_outcome`;--> statement-breakpoint
CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`actor_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_kind` ON `audit_entries` (`resource`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_resource` ON `audit_entries` (`resource`,`resource_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_outcome` ON `audit_entries` (`outcome`,`at`);