CREATE TABLE "evaluation_blocks" (
	"value" uuid NOT NULL,
	"block" bigint NOT NULL,
	CONSTRAINT "evaluation_blocks_value_block_pk" PRIMARY KEY("value","block")
);
--> statement-breakpoint
DROP INDEX "evaluation_sessions_by_external_id";--> statement-breakpoint
ALTER TABLE "stats_progress" ADD COLUMN "indexed_position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_name" ON "evaluation_sessions" USING btree (md5("external_session_id"),"integration_id");