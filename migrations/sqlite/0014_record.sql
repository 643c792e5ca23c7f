CREATE TABLE `record_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`integration_id` integer NOT NULL,
	`session_id` integer,
	`kind` text NOT NULL,
	`members` text NOT NULL,
	`after_evaluation_id` integer NOT NULL,
	`chain_seq` integer NOT NULL,
	`entry_hash` text NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `evaluation_sessions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `record_entries_by_session` ON `record_entries` (`session_id`,`chain_seq`);--> statement-breakpoint
CREATE INDEX `record_entries_by_place` ON `record_entries` (`after_evaluation_id`,`id`);--> statement-breakpoint
CREATE TABLE `record_heads` (
	`chain` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`added_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_leaves` (
	`id` integer PRIMARY KEY NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `record_leaves_by_chain` ON `record_leaves` (`chain`,`id`);--> statement-breakpoint
CREATE TABLE `record_nodes` (
	`level` integer NOT NULL,
	`place` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`level`, `place`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `record_roots` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`previous` text NOT NULL,
	`tree_size` integer NOT NULL,
	`root_hash` text NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL,
	`frontier` text NOT NULL,
	`evaluation_id` integer NOT NULL,
	`entry_id` integer NOT NULL,
	`audit_entry_id` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `chain_seq` integer;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `entry_hash` text;--> statement-breakpoint
ALTER TABLE `session_states` ADD `chain_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `session_states` ADD `chain_hash` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `chain_seq` integer;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `entry_hash` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `content_salt` text;--> statement-breakpoint
ALTER TABLE `evaluations` ADD `content_digests` text;
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
