CREATE TABLE "proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operation" text NOT NULL,
	"change" text NOT NULL,
	"before" text,
	"note" text,
	"status" text NOT NULL,
	"author" text NOT NULL,
	"decided_by" text,
	"created_at" bigint NOT NULL,
	"decided_at" bigint
);
--> statement-breakpoint
CREATE INDEX "proposals_by_status" ON "proposals" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_by_time" ON "proposals" USING btree ("created_at","id");