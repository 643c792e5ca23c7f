ALTER TABLE "evaluations" ADD COLUMN "took_us" bigint;--> statement-breakpoint
ALTER TABLE "stats" ADD COLUMN "timed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stats" ADD COLUMN "took_us" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stats" ADD COLUMN "slowest_us" bigint DEFAULT 0 NOT NULL;