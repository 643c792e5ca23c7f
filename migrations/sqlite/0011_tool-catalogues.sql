CREATE TABLE `tool_catalogues` (
	`integration_id` integer PRIMARY KEY NOT NULL,
	`tools` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
