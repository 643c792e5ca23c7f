CREATE SEQUENCE "public"."record_positions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "counter_cells" (
	"integration_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"data" "bytea" NOT NULL,
	"ends_at" bigint,
	CONSTRAINT "counter_cells_integration_id_scope_key_pk" PRIMARY KEY("integration_id","scope","key")
);
--> statement-breakpoint
CREATE TABLE "counter_scopes" (
	"integration_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"data" "bytea" NOT NULL,
	"ends_at" bigint,
	CONSTRAINT "counter_scopes_integration_id_scope_pk" PRIMARY KEY("integration_id","scope")
);
--> statement-breakpoint
CREATE TABLE "counter_sets" (
	"integration_id" uuid PRIMARY KEY NOT NULL,
	"data" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counting_sessions" (
	"ends_at" bigint NOT NULL,
	"session_id" uuid NOT NULL,
	CONSTRAINT "counting_sessions_ends_at_session_id_pk" PRIMARY KEY("ends_at","session_id")
);
--> statement-breakpoint
CREATE TABLE "evaluation_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integration_id" uuid NOT NULL,
	"status" text NOT NULL,
	"entity_id" text,
	"external_session_id" text NOT NULL,
	"metadata" text NOT NULL,
	"started_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"parent_uid" uuid,
	"root_uid" uuid,
	"place" text,
	"has_children" boolean DEFAULT false NOT NULL,
	"gathered" boolean DEFAULT false NOT NULL,
	"ends_when_idle" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation_salts" (
	"id" integer PRIMARY KEY NOT NULL,
	"salt" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "named_sessions" (
	"integration_id" uuid NOT NULL,
	"name" text NOT NULL,
	"session_id" uuid NOT NULL,
	"used_at" bigint NOT NULL,
	CONSTRAINT "named_sessions_integration_id_name_pk" PRIMARY KEY("integration_id","name")
);
--> statement-breakpoint
CREATE TABLE "session_changes" (
	"position" bigint PRIMARY KEY DEFAULT nextval('record_positions') NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"label" text,
	"review_id" uuid
);
--> statement-breakpoint
CREATE TABLE "session_states" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"action_count" integer DEFAULT 0 NOT NULL,
	"warning_count" integer DEFAULT 0 NOT NULL,
	"block_count" integer DEFAULT 0 NOT NULL,
	"review_count" integer DEFAULT 0 NOT NULL,
	"rejection_count" integer DEFAULT 0 NOT NULL,
	"other_count" integer DEFAULT 0 NOT NULL,
	"data_tags" text DEFAULT '[]' NOT NULL,
	"tool_counts" text DEFAULT '[]' NOT NULL,
	"stopped_counts" text DEFAULT '[]' NOT NULL,
	"counters" "bytea",
	"chain_seq" bigint DEFAULT 0 NOT NULL,
	"chain_hash" text,
	"labels" text DEFAULT '[]' NOT NULL,
	"monitored_labels" text DEFAULT '[]' NOT NULL,
	"sighting_count" integer DEFAULT 0 NOT NULL,
	"sightings_full" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_trees" (
	"root_uid" uuid PRIMARY KEY NOT NULL,
	"counts" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sightings" (
	"session_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "sightings_session_id_digest_pk" PRIMARY KEY("session_id","digest")
);
--> statement-breakpoint
CREATE TABLE "content_retention" (
	"id" integer PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evaluation_blocks" (
	"value" uuid NOT NULL,
	"block" bigint NOT NULL,
	CONSTRAINT "evaluation_blocks_value_block_pk" PRIMARY KEY("value","block")
);
--> statement-breakpoint
CREATE TABLE "evaluations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT nextval('record_positions') NOT NULL,
	"integration_id" uuid NOT NULL,
	"session_id" uuid,
	"seq" integer,
	"transport" text NOT NULL,
	"phase" text NOT NULL,
	"result_of" uuid,
	"result_status" text,
	"tool" text NOT NULL,
	"target_key" text,
	"target_metadata" text,
	"correlation_id" text,
	"outcome" text NOT NULL,
	"enforcement_action" text NOT NULL,
	"severity" text,
	"enforced_severity" text,
	"violations" text,
	"data_tags" text,
	"detections" text,
	"labels" text,
	"repeats" integer,
	"cost" text,
	"identity" text,
	"used_grants" text,
	"policy_set_id" text NOT NULL,
	"input" text,
	"review_uid" uuid,
	"named_review" text,
	"took_us" bigint,
	"trace_id" text,
	"chain_seq" bigint NOT NULL,
	"entry_hash" text NOT NULL,
	"content_salt" text,
	"content_digests" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"integration_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" text NOT NULL,
	"created_at" bigint NOT NULL,
	"session_id" uuid,
	"policy_set_id" text,
	CONSTRAINT "idempotency_keys_integration_id_key_pk" PRIMARY KEY("integration_id","key")
);
--> statement-breakpoint
CREATE TABLE "integration_usage" (
	"integration_id" uuid PRIMARY KEY NOT NULL,
	"day" integer NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "policy_set_members" (
	"policy_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"policy_set_id" text NOT NULL,
	CONSTRAINT "policy_set_members_policy_id_version_policy_set_id_pk" PRIMARY KEY("policy_id","version","policy_set_id")
);
--> statement-breakpoint
CREATE TABLE "policy_sets" (
	"id" text PRIMARY KEY NOT NULL,
	"members" text NOT NULL,
	"terms" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stats" (
	"dimension" text NOT NULL,
	"unit" text NOT NULL,
	"slot" integer NOT NULL,
	"integration_id" uuid NOT NULL,
	"name_hash" text NOT NULL,
	"name" text NOT NULL,
	"allowed" bigint NOT NULL,
	"warned" bigint NOT NULL,
	"held" bigint NOT NULL,
	"blocked" bigint NOT NULL,
	"timed" bigint DEFAULT 0 NOT NULL,
	"took_us" bigint DEFAULT 0 NOT NULL,
	"slowest_us" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "stats_dimension_unit_slot_integration_id_name_hash_pk" PRIMARY KEY("dimension","unit","slot","integration_id","name_hash")
);
--> statement-breakpoint
CREATE TABLE "stats_progress" (
	"id" integer PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"indexed_position" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "violations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"evaluation_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"integration_id" uuid NOT NULL,
	"session_id" uuid,
	"policy_uid" text NOT NULL,
	"rule_id" text NOT NULL,
	"severity" text NOT NULL,
	"status" text DEFAULT 'NEW' NOT NULL,
	"outcome" text,
	"note" text,
	"triaged_by" text,
	"triaged_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_log" (
	"id" integer PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"total_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"place" bigserial PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" bigint NOT NULL,
	"integration_id" uuid,
	"subject" text NOT NULL,
	"data" text NOT NULL,
	"writer" uuid NOT NULL,
	"sequence" bigint,
	"total_bytes" bigint
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" bigint NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"next_attempt_at" bigint,
	"last_attempt_at" bigint,
	"delivered_at" bigint,
	"last_status_code" integer,
	"last_error" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_progress" (
	"id" integer PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT nextval('record_positions') NOT NULL,
	"at" bigint NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"key_id" text,
	"action" text NOT NULL,
	"resource" text,
	"resource_id" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"address" text,
	"request_id" text NOT NULL,
	"outcome" text NOT NULL,
	"status_code" integer NOT NULL,
	"message" text,
	"before" text,
	"after" text,
	"chain_seq" bigint NOT NULL,
	"entry_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"latest_at" bigint NOT NULL,
	"retention_held_at" bigint
);
--> statement-breakpoint
CREATE TABLE "commit_marks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"written_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "record_entries" (
	"position" bigint PRIMARY KEY DEFAULT nextval('record_positions') NOT NULL,
	"integration_id" uuid NOT NULL,
	"session_id" uuid,
	"kind" text NOT NULL,
	"members" text NOT NULL,
	"chain_seq" bigint NOT NULL,
	"entry_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "callbacks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"body" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"next_attempt_at" bigint,
	"delivered_at" bigint,
	"last_error" text,
	CONSTRAINT "callbacks_reviewId_unique" UNIQUE("review_id")
);
--> statement-breakpoint
CREATE TABLE "grant_uses" (
	"evaluation_id" uuid NOT NULL,
	"grant_id" uuid NOT NULL,
	CONSTRAINT "grant_uses_evaluation_id_grant_id_pk" PRIMARY KEY("evaluation_id","grant_id")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"offer" text NOT NULL,
	"data_tags" text NOT NULL,
	"uses_left" integer,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"closed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "review_approvals" (
	"review_id" uuid NOT NULL,
	"operator_id" text NOT NULL,
	"groups" text NOT NULL,
	"findings" text NOT NULL,
	"comment" text,
	"created_at" bigint NOT NULL,
	"once" boolean DEFAULT false NOT NULL,
	CONSTRAINT "review_approvals_review_id_operator_id_pk" PRIMARY KEY("review_id","operator_id")
);
--> statement-breakpoint
CREATE TABLE "review_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_contents" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"input" text,
	"target_key" text,
	"target_metadata" text,
	"callback_url" text,
	"is_masked" boolean DEFAULT false NOT NULL,
	"rejection_counts" text,
	"forget_at" bigint
);
--> statement-breakpoint
CREATE TABLE "review_handling" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"assignee" text,
	"assigned_at" bigint,
	"seen_at" bigint,
	"extended_at" bigint,
	"reminded_at" bigint,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integration_id" uuid NOT NULL,
	"session_id" uuid,
	"evaluation_id" uuid NOT NULL,
	"tool" text NOT NULL,
	"input_hash" text NOT NULL,
	"rejection_hash" text NOT NULL,
	"shown_tool" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ends_with_session" boolean NOT NULL,
	"expiry_seconds" integer NOT NULL,
	"decided_at" bigint,
	"decided_by" text,
	"comment" text,
	"consumed_at" bigint,
	"callback_url" text,
	"terms" text NOT NULL,
	"grants" text
);
--> statement-breakpoint
CREATE TABLE "bindings" (
	"integration_id" uuid NOT NULL,
	"policy_id" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"params" text DEFAULT '{}' NOT NULL,
	"mode" text,
	"updated_at" bigint,
	CONSTRAINT "bindings_integration_id_policy_id_pk" PRIMARY KEY("integration_id","policy_id")
);
--> statement-breakpoint
CREATE TABLE "entities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"owner" text,
	"metadata" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "house_policies" (
	"policy_id" uuid PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"params" text DEFAULT '{}' NOT NULL,
	"mode" text,
	"updated_at" bigint
);
--> statement-breakpoint
CREATE TABLE "integration_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integration_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"key_prefix" text NOT NULL,
	"last_four" text,
	"scopes" text NOT NULL,
	"last_used_at" bigint,
	"issued_by" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"revoked_at" bigint,
	CONSTRAINT "integration_keys_keyHash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text,
	"settings" text NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"webhook_secret" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "list_changes" (
	"list_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"author" text,
	"note" text,
	"added" text NOT NULL,
	"removed" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "list_changes_list_id_version_pk" PRIMARY KEY("list_id","version")
);
--> statement-breakpoint
CREATE TABLE "lists" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text,
	"version" integer NOT NULL,
	"entries" text NOT NULL,
	"entry_count" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "lists_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "mcp_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"headers" text,
	"integration_ids" text NOT NULL,
	"forwards_authorization" boolean NOT NULL,
	"tool_list" text NOT NULL,
	"hold_seconds" integer NOT NULL,
	"masks" boolean NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "mcp_servers_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "operator_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"name" text NOT NULL,
	"last_four" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"expires_at" bigint,
	"ip_ranges" text NOT NULL,
	"revoked_at" bigint,
	CONSTRAINT "operator_keys_keyHash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"email_key" text,
	"status" text NOT NULL,
	"roles" text NOT NULL,
	"groups" text NOT NULL,
	"entity_id" uuid,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "operators_emailKey_unique" UNIQUE("email_key")
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"current_version" integer NOT NULL,
	"latest_version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"previous_version" integer,
	"scheduled_version" integer,
	"scheduled_at" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "policy_version_lists" (
	"policy_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "policy_version_lists_policy_id_version_name_pk" PRIMARY KEY("policy_id","version","name")
);
--> statement-breakpoint
CREATE TABLE "policy_versions" (
	"policy_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"document" text NOT NULL,
	"author" text,
	"created_at" bigint NOT NULL,
	"note" text,
	CONSTRAINT "policy_versions_policy_id_version_pk" PRIMARY KEY("policy_id","version")
);
--> statement-breakpoint
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
CREATE TABLE "record_heads" (
	"chain" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "record_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"added_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "record_leaves" (
	"id" bigint PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "record_nodes" (
	"level" integer NOT NULL,
	"place" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "record_nodes_level_place_pk" PRIMARY KEY("level","place")
);
--> statement-breakpoint
CREATE TABLE "record_roots" (
	"seq" integer PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"previous" text NOT NULL,
	"tree_size" bigint NOT NULL,
	"root_hash" text NOT NULL,
	"key_id" text NOT NULL,
	"signature" text NOT NULL,
	"frontier" text NOT NULL,
	"evaluation_id" bigint NOT NULL,
	"entry_id" bigint NOT NULL,
	"audit_entry_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"link_hash" text PRIMARY KEY NOT NULL,
	"operator_key_hash" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"place" bigserial PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"operator_key_hash" text,
	"operator_id" uuid,
	"created_at" bigint NOT NULL,
	"used_at" bigint NOT NULL,
	"confirmed_at" bigint NOT NULL,
	CONSTRAINT "sign_ins_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "sign_ins_identity" CHECK (("sign_ins"."operator_key_hash" IS NULL) <> ("sign_ins"."operator_id" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "tool_catalogues" (
	"integration_id" uuid PRIMARY KEY NOT NULL,
	"tools" text NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"format" text NOT NULL,
	"status" text NOT NULL,
	"destination" text NOT NULL,
	"secret" text,
	"previous_secret" text,
	"previous_secret_until" bigint,
	"types" text NOT NULL,
	"integration_ids" text NOT NULL,
	"min_severity" text,
	"after_event" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "integration_usage" ADD CONSTRAINT "integration_usage_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_set_members" ADD CONSTRAINT "policy_set_members_policy_id_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."policies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_set_members" ADD CONSTRAINT "policy_set_members_policy_set_id_policy_sets_id_fk" FOREIGN KEY ("policy_set_id") REFERENCES "public"."policy_sets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stats" ADD CONSTRAINT "stats_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_place_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("place") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grant_uses" ADD CONSTRAINT "grant_uses_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_approvals" ADD CONSTRAINT "review_approvals_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_contents" ADD CONSTRAINT "review_contents_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_handling" ADD CONSTRAINT "review_handling_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bindings" ADD CONSTRAINT "bindings_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bindings" ADD CONSTRAINT "bindings_policy_id_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."policies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "house_policies" ADD CONSTRAINT "house_policies_policy_id_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."policies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_keys" ADD CONSTRAINT "integration_keys_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_keys" ADD CONSTRAINT "operator_keys_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_version_lists" ADD CONSTRAINT "policy_version_lists_policy_id_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."policies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_policy_id_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."policies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_catalogues" ADD CONSTRAINT "tool_catalogues_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "counter_cells_by_end" ON "counter_cells" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "counter_scopes_by_end" ON "counter_scopes" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_time" ON "evaluation_sessions" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_integration" ON "evaluation_sessions" USING btree ("integration_id","started_at","id");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_status" ON "evaluation_sessions" USING btree ("integration_id","status","started_at","id");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_expiry" ON "evaluation_sessions" USING btree ("status","expires_at");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_name" ON "evaluation_sessions" USING btree (md5("external_session_id"),"integration_id");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_parent" ON "evaluation_sessions" USING btree ("parent_uid") WHERE "evaluation_sessions"."parent_uid" IS NOT NULL AND NOT "evaluation_sessions"."gathered";--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_root" ON "evaluation_sessions" USING btree ("root_uid") WHERE "evaluation_sessions"."root_uid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluation_sessions_by_entity" ON "evaluation_sessions" USING btree ("integration_id","entity_id");--> statement-breakpoint
CREATE INDEX "evaluation_sessions_idle" ON "evaluation_sessions" USING btree ("started_at","id") WHERE "evaluation_sessions"."ends_when_idle" AND "evaluation_sessions"."status" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "named_sessions_by_use" ON "named_sessions" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "session_changes_by_session" ON "session_changes" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "session_states_with_sightings" ON "session_states" USING btree ("session_id") WHERE "session_states"."sighting_count" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "evaluations_by_position" ON "evaluations" USING btree ("position");--> statement-breakpoint
CREATE INDEX "evaluations_by_session" ON "evaluations" USING btree ("session_id","position") WHERE "evaluations"."session_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluations_by_correlation" ON "evaluations" USING btree ("correlation_id") WHERE "evaluations"."correlation_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluations_by_trace" ON "evaluations" USING btree ("trace_id") WHERE "evaluations"."trace_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "evaluations_by_result_of" ON "evaluations" USING btree ("result_of") WHERE "evaluations"."result_of" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "policy_set_members_by_set" ON "policy_set_members" USING btree ("policy_set_id");--> statement-breakpoint
CREATE INDEX "stats_by_integration" ON "stats" USING btree ("dimension","unit","integration_id","slot");--> statement-breakpoint
CREATE INDEX "violations_by_time" ON "violations" USING btree ("created_at","evaluation_id","place");--> statement-breakpoint
CREATE INDEX "violations_by_status" ON "violations" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "violations_by_rule" ON "violations" USING btree ("rule_id","created_at");--> statement-breakpoint
CREATE INDEX "violations_by_session" ON "violations" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "events_by_sequence" ON "events" USING btree ("sequence");--> statement-breakpoint
CREATE INDEX "events_unnumbered" ON "events" USING btree ("place") WHERE sequence IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id","webhook_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("event_id") WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_webhook" ON "webhook_deliveries" USING btree ("webhook_id","status","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_status" ON "webhook_deliveries" USING btree ("status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_by_place" ON "audit_entries" USING btree ("chain_seq");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_by_position" ON "audit_entries" USING btree ("position");--> statement-breakpoint
CREATE INDEX "audit_entries_by_time" ON "audit_entries" USING btree ("at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "audit_entries" USING btree ("actor_id","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_action" ON "audit_entries" USING btree ("action","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_kind" ON "audit_entries" USING btree ("resource","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_resource" ON "audit_entries" USING btree ("resource","resource_id","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_outcome" ON "audit_entries" USING btree ("outcome","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_changes_by_time" ON "audit_entries" USING btree ("at","chain_seq") WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX "audit_changes_by_actor" ON "audit_entries" USING btree ("actor_id","at","chain_seq") WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX "audit_changes_by_action" ON "audit_entries" USING btree ("action","at","chain_seq") WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX "audit_changes_by_kind" ON "audit_entries" USING btree ("resource","at","chain_seq") WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX "audit_changes_by_outcome" ON "audit_entries" USING btree ("outcome","at","chain_seq") WHERE NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')));--> statement-breakpoint
CREATE INDEX "record_entries_by_session" ON "record_entries" USING btree ("session_id","chain_seq");--> statement-breakpoint
CREATE INDEX "callbacks_due" ON "callbacks" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "grant_uses_by_grant" ON "grant_uses" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "grants_by_session" ON "grants" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "grants_by_review" ON "grants" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "review_comments_by_review" ON "review_comments" USING btree ("review_id","created_at","id");--> statement-breakpoint
CREATE INDEX "review_contents_by_expiry" ON "review_contents" USING btree ("forget_at");--> statement-breakpoint
CREATE INDEX "review_handling_by_assignee" ON "review_handling" USING btree ("assignee");--> statement-breakpoint
CREATE INDEX "reviews_by_time" ON "reviews" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_integration" ON "reviews" USING btree ("integration_id","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_status" ON "reviews" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_by_session" ON "reviews" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "reviews_by_action" ON "reviews" USING btree ("input_hash");--> statement-breakpoint
CREATE INDEX "reviews_pending" ON "reviews" USING btree ("integration_id","expires_at") WHERE "reviews"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "reviews_rejected" ON "reviews" USING btree ("rejection_hash") WHERE "reviews"."status" = 'REJECTED';--> statement-breakpoint
CREATE INDEX "bindings_by_policy" ON "bindings" USING btree ("policy_id");--> statement-breakpoint
CREATE INDEX "entities_by_time" ON "entities" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "entities_by_kind" ON "entities" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "entities_by_owner" ON "entities" USING btree ("owner","created_at","id");--> statement-breakpoint
CREATE INDEX "integration_keys_by_integration" ON "integration_keys" USING btree ("integration_id");--> statement-breakpoint
CREATE INDEX "operator_keys_by_operator" ON "operator_keys" USING btree ("operator_id","created_at");--> statement-breakpoint
CREATE INDEX "policy_version_lists_by_name" ON "policy_version_lists" USING btree ("name");--> statement-breakpoint
CREATE INDEX "proposals_by_status" ON "proposals" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_by_time" ON "proposals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "record_leaves_by_chain" ON "record_leaves" USING btree ("chain","id");--> statement-breakpoint
CREATE INDEX "sign_ins_by_key" ON "sign_ins" USING btree ("operator_key_hash","place");--> statement-breakpoint
CREATE INDEX "sign_ins_by_operator" ON "sign_ins" USING btree ("operator_id","place");
--> statement-breakpoint
-- Authors and reviewers are texts: without it, each name in a list is looked for among all operators.
CREATE INDEX operators_by_text ON operators ((id::text));
--> statement-breakpoint
-- Rows that change with every evaluation find space on their own page, and no index has to follow them.
ALTER TABLE session_states SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE counter_scopes SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE record_heads SET (fillfactor = 60);
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are permanent', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER record_entries_permanent BEFORE UPDATE OR DELETE ON record_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER record_roots_permanent BEFORE UPDATE OR DELETE ON record_roots FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER record_leaves_permanent BEFORE UPDATE OR DELETE ON record_leaves FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER record_keys_permanent BEFORE UPDATE OR DELETE ON record_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_permanent BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
INSERT INTO event_log (id, sequence, total_bytes) VALUES (1, 0, 0);
--> statement-breakpoint
INSERT INTO stats_progress (id, position) VALUES (1, 0);
--> statement-breakpoint
INSERT INTO webhook_progress (id, sequence) VALUES (1, 0);
