import { and, asc, eq, isNull } from 'drizzle-orm';
import { type CounterStore, scopeName } from '../../evaluate/counters/counters.ts';
import { scopeReadings } from '../../evaluate/counters/scope.ts';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, type Db, first, type Sql, type Step } from '../../sql/steps.ts';

/** The counters as operators see them, for both databases. Evaluations read theirs in their own transaction. */
export function createCounterReads(sql: Sql): Pick<CounterStore, 'ofEntity' | 'ofSession'> {
  const { integrations } = sql.tables;
  const { counterScopes, counterSets, evaluationSessions, sessionStates } = sql.hot;

  /** The cells that the integration of a session keeps in one of its scopes. Null when that has no counters. */
  const ofScope = (db: Db, sessionId: string, scope: string) =>
    first(
      db
        .select({ set: counterSets.data, cells: counterScopes.data })
        .from(evaluationSessions)
        .innerJoin(counterSets, eq(counterSets.integrationId, evaluationSessions.integrationId))
        .leftJoin(
          counterScopes,
          and(
            eq(counterScopes.integrationId, evaluationSessions.integrationId),
            eq(counterScopes.scope, scope),
          ),
        )
        .where(eq(uidOf(evaluationSessions), sessionId)),
    );
  const ofSessionItself = (db: Db, sessionId: string) =>
    first(
      db
        .select({ set: counterSets.data, cells: sessionStates.counters })
        .from(evaluationSessions)
        .innerJoin(counterSets, eq(counterSets.integrationId, evaluationSessions.integrationId))
        .leftJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
        .where(eq(uidOf(evaluationSessions), sessionId)),
    );

  return {
    ofEntity: (id) =>
      sql.read(function* (db) {
        const rows = yield* all(
          db
            .select({ integrationId: integrations.id, set: counterSets.data, cells: counterScopes.data })
            .from(integrations)
            .innerJoin(counterSets, eq(counterSets.integrationId, keyOf(integrations)))
            // Its key begins with the integration.
            .crossJoin(counterScopes)
            .where(
              and(
                eq(counterScopes.integrationId, keyOf(integrations)),
                eq(counterScopes.scope, scopeName('entity', { entityId: id.toLowerCase(), rootId: '' })),
                isNull(integrations.deletedAt),
              ),
            )
            .orderBy(asc(integrations.createdAt), asc(integrations.id)),
        );
        return rows.map((row) => ({ integrationId: row.integrationId, ...scopeReadings(row) }));
      }),

    ofSession: (session) =>
      sql.read(function* (db) {
        const { id, rootId } = session;
        const shown = function* (
          row: ReturnType<typeof ofScope>,
        ): Step<ReturnType<typeof scopeReadings> | null> {
          const found = yield* row;
          return found && scopeReadings(found);
        };
        return {
          session: yield* shown(ofSessionItself(db, id)),
          tree: yield* shown(ofScope(db, rootId, scopeName('tree', session))),
          entity: yield* shown(ofScope(db, id, scopeName('entity', session))),
          integration: yield* shown(ofScope(db, id, scopeName('integration', session))),
        };
      }),
  };
}
