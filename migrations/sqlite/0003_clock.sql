CREATE TABLE `clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`latest_at` integer NOT NULL,
	`retention_held_at` integer,
	`corrected_at` integer,
	`corrected_evaluation_id` integer
) STRICT;

--> statement-breakpoint
INSERT INTO `clock` (`id`, `latest_at`)
SELECT 1, max(`at`) FROM (
	SELECT max(`created_at`) AS `at` FROM `operator_keys`
	UNION ALL SELECT (SELECT `created_at` FROM `evaluations` ORDER BY `id` DESC LIMIT 1)
	UNION ALL SELECT (SELECT `started_at` FROM `evaluation_sessions` ORDER BY `id` DESC LIMIT 1)
) HAVING max(`at`) IS NOT NULL;
