CREATE TRIGGER `session_blocks_of_new` AFTER INSERT ON `evaluation_sessions` BEGIN
	INSERT INTO `session_blocks`
	VALUES (NEW.`integration_id`, NEW.`id` / 4096, NEW.`status` = 'ACTIVE', NEW.`status` = 'COMPLETED', NEW.`status` = 'TERMINATED', NEW.`expires_at`, NEW.`expires_at`)
	ON CONFLICT (`integration_id`, `block`) DO UPDATE SET
		`open_count` = `open_count` + excluded.`open_count`,
		`completed_count` = `completed_count` + excluded.`completed_count`,
		`terminated_count` = `terminated_count` + excluded.`terminated_count`,
		`soonest_expiry` = min(`soonest_expiry`, excluded.`soonest_expiry`),
		`latest_expiry` = max(`latest_expiry`, excluded.`latest_expiry`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_blocks_of_changed` AFTER UPDATE OF `status` ON `evaluation_sessions` BEGIN
	UPDATE `session_blocks` SET
		`open_count` = `open_count` - (OLD.`status` = 'ACTIVE') + (NEW.`status` = 'ACTIVE'),
		`completed_count` = `completed_count` - (OLD.`status` = 'COMPLETED') + (NEW.`status` = 'COMPLETED'),
		`terminated_count` = `terminated_count` - (OLD.`status` = 'TERMINATED') + (NEW.`status` = 'TERMINATED')
	WHERE `integration_id` = NEW.`integration_id` AND `block` = NEW.`id` / 4096;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_change` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_never_go` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit entries are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_entries_never_change` BEFORE UPDATE ON `record_entries` BEGIN SELECT RAISE(ABORT, 'entries of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_entries_never_go` BEFORE DELETE ON `record_entries` BEGIN SELECT RAISE(ABORT, 'entries of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_roots_never_change` BEFORE UPDATE ON `record_roots` BEGIN SELECT RAISE(ABORT, 'signed roots are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_roots_never_go` BEFORE DELETE ON `record_roots` BEGIN SELECT RAISE(ABORT, 'signed roots are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_leaves_never_change` BEFORE UPDATE ON `record_leaves` BEGIN SELECT RAISE(ABORT, 'leaves of the record are permanent'); END;
--> statement-breakpoint
CREATE TRIGGER `record_leaves_never_go` BEFORE DELETE ON `record_leaves` BEGIN SELECT RAISE(ABORT, 'leaves of the record are permanent'); END;
--> statement-breakpoint
INSERT INTO `installation_salts` VALUES (1, lower(hex(randomblob(16))));
