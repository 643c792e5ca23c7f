import type { Store } from '../store.ts';
import { createCallbacks } from './callbacks.ts';
import { openClient } from './client.ts';
import { createSqlite } from './database.ts';
import { createSessionRows, createSessions } from './evaluation-sessions.ts';
import { createEvaluations } from './evaluations.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { createIntegrationRows } from './integration-rows.ts';
import { createIntegrations } from './integrations.ts';
import { migrateDatabase } from './migrate.ts';
import { createNamedSessionRows } from './named-sessions.ts';
import { createOperatorKeys } from './operator-keys.ts';
import { createPolicies } from './policies.ts';
import { createPolicySetRows } from './policy-sets.ts';
import { createReviewRows } from './review-rows.ts';
import { createReviews } from './reviews.ts';

/** Opens the file, brings it to this version's schema, and answers the store on it. `migrations` is a folder. */
export function openSqliteStore(options: { file: string; migrations: string }): Store {
  const client = openClient(options.file);
  try {
    migrateDatabase(client, options.migrations);
  } catch (error) {
    client.close();
    throw error;
  }
  const sqlite = createSqlite(client);
  const integrationRows = createIntegrationRows(sqlite);
  const sessionRows = createSessionRows(sqlite);
  const namedSessions = createNamedSessionRows(sqlite);
  const policySets = createPolicySetRows(sqlite);
  const reviewRows = createReviewRows(sqlite, policySets);
  const idempotencyKeys = createIdempotencyKeys(sqlite);
  let closed = false;

  return {
    operatorKeys: createOperatorKeys(sqlite),
    integrations: createIntegrations(sqlite),
    policies: createPolicies(sqlite),
    sessions: createSessions(sqlite, sessionRows, namedSessions, integrationRows, idempotencyKeys),
    evaluations: createEvaluations(
      sqlite,
      integrationRows,
      sessionRows,
      namedSessions,
      policySets,
      reviewRows,
      idempotencyKeys,
    ),
    reviews: createReviews(sqlite),
    callbacks: createCallbacks(sqlite),
    revision: sqlite.revision,
    // An empty change takes the write lock and gives it back.
    ping: () => sqlite.writer.run(() => undefined),
    async close() {
      if (closed) return;
      closed = true;
      sqlite.writer.flush();
      client.close();
    },
  };
}
