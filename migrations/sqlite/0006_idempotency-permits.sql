ALTER TABLE `idempotency_keys` ADD `session_id` integer REFERENCES evaluation_sessions(id);--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `policy_set_id` integer REFERENCES policy_sets(id);
--> statement-breakpoint
-- What earlier keys let through is not known: none of them is answered again.
DELETE FROM `idempotency_keys`;
