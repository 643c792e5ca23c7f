CREATE TABLE `sign_in_links` (
	`id` integer PRIMARY KEY NOT NULL,
	`link_hash` text NOT NULL,
	`operator_key_hash` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_links_linkHash_unique` ON `sign_in_links` (`link_hash`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`operator_key_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ins_tokenHash_unique` ON `sign_ins` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sign_ins_by_key` ON `sign_ins` (`operator_key_hash`);