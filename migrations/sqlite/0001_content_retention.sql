CREATE TABLE `content_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluation_id` integer NOT NULL
) STRICT;
