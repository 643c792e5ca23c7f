DROP INDEX "audit_entries_by_actor";--> statement-breakpoint
DROP INDEX "audit_entries_by_action";--> statement-breakpoint
DROP INDEX "audit_entries_by_outcome";--> statement-breakpoint
CREATE INDEX "audit_entries_by_kind" ON "audit_entries" USING btree ("resource","chain_seq","at");--> statement-breakpoint
CREATE INDEX "entities_by_kind" ON "entities" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "entities_by_owner" ON "entities" USING btree ("owner","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "audit_entries" USING btree ("actor_id","chain_seq","at");--> statement-breakpoint
CREATE INDEX "audit_entries_by_action" ON "audit_entries" USING btree ("action","chain_seq","at");--> statement-breakpoint
CREATE INDEX "audit_entries_by_outcome" ON "audit_entries" USING btree ("outcome","chain_seq","at");