ALTER TABLE `evaluations` ADD `took_us` integer;--> statement-breakpoint
ALTER TABLE `stats` ADD `timed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stats` ADD `took_us` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stats` ADD `slowest_us` integer DEFAULT 0 NOT NULL;