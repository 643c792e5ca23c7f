ALTER TABLE "evaluations" ADD COLUMN "trace_id" text;--> statement-breakpoint
CREATE INDEX "evaluations_by_trace" ON "evaluations" USING btree ("trace_id") WHERE "evaluations"."trace_id" IS NOT NULL;