CREATE TABLE `session_blocks` (
	`integration_id` integer NOT NULL,
	`block` integer NOT NULL,
	`open_count` integer NOT NULL,
	`completed_count` integer NOT NULL,
	`terminated_count` integer NOT NULL,
	`soonest_expiry` integer NOT NULL,
	`latest_expiry` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `block`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `session_marks` (
	`session_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`evaluation_id` integer NOT NULL,
	PRIMARY KEY(`session_id`, `seq`),
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `evaluation_sessions_by_status` ON `evaluation_sessions` (`integration_id`,`status`,`id`,`expires_at`);--> statement-breakpoint
INSERT INTO `session_blocks`
SELECT `integration_id`, `id` / 4096, sum(`status` = 'ACTIVE'), sum(`status` = 'COMPLETED'), sum(`status` = 'TERMINATED'), min(`expires_at`), max(`expires_at`)
FROM `evaluation_sessions` GROUP BY 1, 2;
--> statement-breakpoint
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
INSERT INTO `session_marks`
WITH RECURSIVE `marks` (`session_id`, `seq`, `evaluation_id`) AS (
	SELECT `session_id`, `action_count` / 100 * 100, `last_mark_id` FROM `session_states` WHERE `last_mark_id` IS NOT NULL
	UNION ALL
	SELECT `marks`.`session_id`, `marks`.`seq` - 100, `evaluations`.`mark_id`
	FROM `marks` JOIN `evaluations` ON `evaluations`.`id` = `marks`.`evaluation_id` WHERE `evaluations`.`mark_id` IS NOT NULL
)
SELECT * FROM `marks`;
--> statement-breakpoint
ALTER TABLE `session_states` DROP COLUMN `last_mark_id`;
