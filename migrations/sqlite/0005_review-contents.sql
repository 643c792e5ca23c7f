CREATE TABLE `review_contents` (
	`review_id` integer PRIMARY KEY NOT NULL,
	`input` text,
	`target_key` text,
	`target_metadata` text,
	`callback_url` text,
	`forget_at` integer,
	FOREIGN KEY (`review_id`) REFERENCES `reviews`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_contents_by_expiry` ON `review_contents` (`forget_at`);--> statement-breakpoint
CREATE INDEX `reviews_by_action` ON `reviews` (`input_hash`,`id`);
--> statement-breakpoint
INSERT INTO `review_contents` (`review_id`, `callback_url`, `forget_at`)
SELECT `id`, `callback_url`, `expires_at` FROM `reviews` WHERE `status` = 'PENDING';
--> statement-breakpoint
INSERT INTO `review_contents` (`review_id`, `callback_url`)
SELECT `reviews`.`id`, `reviews`.`callback_url`
FROM `reviews` JOIN `callbacks` ON `callbacks`.`review_id` = `reviews`.`id` WHERE `callbacks`.`next_attempt_at` IS NOT NULL;
--> statement-breakpoint
-- What reads show of an old callback: where it went. Its path may hold content that was never scanned.
UPDATE `reviews` SET `callback_url` = substr(
	`callback_url`, 1, 7 + instr(replace(replace(substr(`callback_url`, 9), '?', '/'), '#', '/') || '/', '/')
) WHERE `callback_url` IS NOT NULL;
