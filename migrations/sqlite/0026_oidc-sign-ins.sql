CREATE TABLE `__new_sign_ins` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`operator_key_hash` text,
	`operator_id` text,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	CONSTRAINT "sign_ins_identity" CHECK(("operator_key_hash" IS NULL) <> ("operator_id" IS NULL))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_sign_ins`(`id`, `token_hash`, `operator_key_hash`, `created_at`, `used_at`, `confirmed_at`) SELECT `id`, `token_hash`, `operator_key_hash`, `created_at`, `used_at`, `confirmed_at` FROM `sign_ins`;--> statement-breakpoint
DROP TABLE `sign_ins`;--> statement-breakpoint
ALTER TABLE `__new_sign_ins` RENAME TO `sign_ins`;--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ins_tokenHash_unique` ON `sign_ins` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sign_ins_by_key` ON `sign_ins` (`operator_key_hash`);--> statement-breakpoint
CREATE INDEX `sign_ins_by_operator` ON `sign_ins` (`operator_id`);
