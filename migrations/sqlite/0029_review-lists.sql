ALTER TABLE `reviews` ADD `shown_tool` text;--> statement-breakpoint
CREATE INDEX `reviews_by_tool` ON `reviews` (`tool`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_time` ON `reviews` (`created_at`);--> statement-breakpoint
CREATE INDEX `violations_by_integration` ON `violations` (`integration_id`,`evaluation_id`);