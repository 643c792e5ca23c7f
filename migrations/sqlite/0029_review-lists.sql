ALTER TABLE `reviews` ADD `shown_tool` text;--> statement-breakpoint
CREATE INDEX `reviews_by_tool` ON `reviews` (`tool`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_time` ON `reviews` (`created_at`);--> statement-breakpoint
CREATE INDEX `violations_by_integration` ON `violations` (`integration_id`,`evaluation_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);