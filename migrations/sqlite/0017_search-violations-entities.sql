CREATE TABLE `entities` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`owner` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `entities_uid_unique` ON `entities` (`uid`);--> statement-breakpoint
CREATE TABLE `evaluation_blocks` (
	`facet` integer NOT NULL,
	`value` text NOT NULL,
	`block` integer NOT NULL,
	PRIMARY KEY(`facet`, `value`, `block`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `violations` (
	`evaluation_id` integer NOT NULL,
	`place` integer NOT NULL,
	`uid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`policy_uid` text NOT NULL,
	`rule_id` text NOT NULL,
	`severity` text NOT NULL,
	`status` text DEFAULT 'NEW' NOT NULL,
	`outcome` text,
	`note` text,
	`triaged_by` text,
	`triaged_at` integer,
	PRIMARY KEY(`evaluation_id`, `place`),
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `violations_by_uid` ON `violations` (`uid`);--> statement-breakpoint
CREATE INDEX `violations_by_status` ON `violations` (`status`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `violations_by_rule` ON `violations` (`rule_id`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `violations_by_session` ON `violations` (`session_id`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `evaluations_by_correlation` ON `evaluations` (`correlation_id`) WHERE correlation_id IS NOT NULL;--> statement-breakpoint
INSERT INTO evaluation_blocks (facet, value, block) SELECT DISTINCT 0, CAST(integration_id AS text), id / 128 FROM evaluations;--> statement-breakpoint
INSERT INTO evaluation_blocks (facet, value, block) SELECT DISTINCT 1, tool, id / 128 FROM evaluations;--> statement-breakpoint
INSERT INTO evaluation_blocks (facet, value, block) SELECT DISTINCT 2, enforcement_action, id / 128 FROM evaluations;--> statement-breakpoint
INSERT INTO evaluation_blocks (facet, value, block)
SELECT DISTINCT 3, tags.value, evaluations.id / 128 FROM evaluations, json_each(evaluations.data_tags) AS tags WHERE data_tags IS NOT NULL;--> statement-breakpoint
INSERT INTO violations (evaluation_id, place, uid, integration_id, session_id, policy_uid, rule_id, severity)
SELECT evaluations.id, found.key, found.value ->> 'id', integration_id, session_id, found.value ->> 'policyId', found.value ->> 'ruleId', found.value ->> 'severity'
FROM evaluations, json_each(evaluations.violations) AS found WHERE violations IS NOT NULL;--> statement-breakpoint
INSERT INTO evaluation_blocks (facet, value, block) SELECT DISTINCT 4, rule_id, evaluation_id / 128 FROM violations;
