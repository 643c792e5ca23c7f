ALTER TABLE "list_changes" ALTER COLUMN "author" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "policy_versions" ALTER COLUMN "author" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "violations" ALTER COLUMN "triaged_by" SET DATA TYPE text;