ALTER TABLE `evaluations` ADD `trace_id` text;--> statement-breakpoint
CREATE INDEX `evaluations_by_trace` ON `evaluations` (`trace_id`) WHERE "evaluations"."trace_id" IS NOT NULL;