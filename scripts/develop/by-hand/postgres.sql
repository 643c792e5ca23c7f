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
