DROP INDEX "audit_entries_by_time";--> statement-breakpoint
DROP INDEX "audit_entries_by_actor";--> statement-breakpoint
DROP INDEX "audit_entries_by_action";--> statement-breakpoint
DROP INDEX "audit_entries_by_kind";--> statement-breakpoint
DROP INDEX "audit_entries_by_resource";--> statement-breakpoint
DROP INDEX "audit_entries_by_outcome";--> statement-breakpoint
CREATE INDEX "audit_entries_by_time" ON "audit_entries" USING btree ("at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "audit_entries" USING btree ("actor_id","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_action" ON "audit_entries" USING btree ("action","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_kind" ON "audit_entries" USING btree ("resource","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_resource" ON "audit_entries" USING btree ("resource","resource_id","at","chain_seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_outcome" ON "audit_entries" USING btree ("outcome","at","chain_seq");