CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`integration_id` text,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`total_bytes` integer NOT NULL
) STRICT;
