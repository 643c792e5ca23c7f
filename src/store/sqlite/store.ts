import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { and, count, eq, gt, isNotNull, min, placeholder } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { createCounterScopes } from '../../evaluate/sqlite/counter-scopes.ts';
import { createEvaluationBlocks } from '../../evaluate/sqlite/evaluation-blocks.ts';
import { createEvaluationChain } from '../../evaluate/sqlite/evaluation-chain.ts';
import { createGrantRows } from '../../evaluate/sqlite/grants.ts';
import { createIdempotencyKeys } from '../../evaluate/sqlite/idempotency.ts';
import { createIntegrationRows, createIntegrationUsage } from '../../evaluate/sqlite/integration-rows.ts';
import { createNamedSessionRows } from '../../evaluate/sqlite/named-sessions.ts';
import { createPolicySetRows } from '../../evaluate/sqlite/policy-sets.ts';
import { createActionResults, createRecord, type RecordedRows } from '../../evaluate/sqlite/record.ts';
import { createRecordChains } from '../../evaluate/sqlite/record-chains.ts';
import { createReviewContents, createReviewRows } from '../../evaluate/sqlite/review-rows.ts';
import { createSessionChanges, createSessionStates } from '../../evaluate/sqlite/session-states.ts';
import { createSessionTrees } from '../../evaluate/sqlite/session-trees.ts';
import { createSightings, findSalt } from '../../evaluate/sqlite/sightings.ts';
import { createEntityStore } from '../../features/entities/store.ts';
import { createEventStore } from '../../features/events/store.ts';
import {
  createIntegrationKeyStore,
  createIntegrationStore,
  keyByHash,
} from '../../features/integrations/store.ts';
import { createListStore } from '../../features/lists/store.ts';
import { createMcpServerStore } from '../../features/mcp-servers/store.ts';
import {
  createOperatorKeyStore,
  createOperatorStore,
  operatorByKeyHash,
} from '../../features/operators/store.ts';
import { createListReaders, createPolicyStore } from '../../features/policies/store.ts';
import { createProposalStore } from '../../features/proposals/store.ts';
import { createRecordRootStore } from '../../features/record/store.ts';
import { createReviewStores } from '../../features/reviews/store.ts';
import { createCallbackStore } from '../../features/reviews/store-callbacks.ts';
import { createCounterReads } from '../../features/sessions/store.ts';
import { createSignInStore } from '../../features/sign-in/store.ts';
import { createStatsStore } from '../../features/stats/store.ts';
import { createToolCatalogueStore } from '../../features/tools/store.ts';
import { createEntityFigures, createViolationStore } from '../../features/violations/store.ts';
import { createSqliteSql } from '../../sql/sqlite/sql.ts';
import { call } from '../../sql/steps.ts';
import type { Store, StoreFigures } from '../store.ts';
import { createAudit } from './audit.ts';
import { createClockStore } from './clock.ts';
import { createCounterHistory, createCounterRecords, createEndedCounters } from './counters.ts';
import { asUrgent, type Sqlite } from './database.ts';
import { createRecordedEvaluations } from './evaluations/evaluations.ts';
import { createStats } from './evaluations/stats.ts';
import { createViolationDatabase, createViolationRows } from './evaluations/violations.ts';
import { createEventLog } from './events.ts';
import { openDatabaseFile, type SqliteOptions } from './file/database-file.ts';
import { type DiskReserve, leastFreeBytes, urgency } from './file/disk-reserve.ts';
import type { FileGuard } from './file/file-guard.ts';
import { createFindUncovered, createRecordReads } from './record/record-reads.ts';
import {
  createCountRejected,
  createRecordEntries,
  createReviewCancellations,
  createReviewDatabase,
} from './review-database.ts';
import { createRevisions } from './revisions.ts';
import { createIdleSessions, createSessionLabels, createSessions } from './sessions/evaluation-sessions.ts';
import { callbacks, reviewContents, reviews, webhookDeliveries } from './tables.ts';
import { createWebhooks } from './webhooks.ts';

export interface SqliteStore extends Store {
  /** Differs from its last value when a key, or what decides, may have changed: by another process, in the next turn of the event loop. */
  changeCount(): number;
}

/** Opens the file, brings it to this version's schema, and returns the store on it. */
export function openSqliteStore(options: SqliteOptions): SqliteStore {
  const { sqlite, guard, reserve, truncateLog, close } = openDatabaseFile(options);
  const salt = findSalt(sqlite);
  const eventLog = createEventLog(sqlite);
  const chains = createRecordChains(sqlite);
  const revisions = createRevisions(sqlite);
  const { audit, audited } = createAudit(sqlite, eventLog, chains, revisions);
  const forOperators = asUrgent(audited, urgency.operator);
  const chain = createEvaluationChain(sqlite);
  const sessionChanges = createSessionChanges(sqlite);
  const sessions = createSessionStates(sqlite, chain, sessionChanges, options.kept);
  const reviewContents = createReviewContents(sqlite);
  const sql = createSqliteSql(forOperators, revisions);
  const ordinarySql = createSqliteSql(sqlite, revisions);
  const keyRow = keyByHash(sqlite.steady, sql.tables, placeholder('keyHash')).prepare();
  const operatorRow = operatorByKeyHash(sqlite.steady, sql.tables, placeholder('keyHash')).prepare();
  const sightings = createSightings(sqlite, sessions);
  const stats = createStats(sqlite);
  const rows: RecordedRows = {
    integrations: createIntegrationRows(sqlite),
    sessions,
    namedSessions: createNamedSessionRows(sqlite),
    policySets: createPolicySetRows(sqlite),
    actions: createActionResults(sqlite),
    reviews: createReviewRows(sqlite, reviewContents),
    grants: createGrantRows(sqlite),
    idempotencyKeys: createIdempotencyKeys(sqlite),
    revisions,
    blocks: createEvaluationBlocks(sqlite),
    violations: createViolationRows(sqlite),
    counterScopes: createCounterScopes(sqlite, salt),
    eventLog,
    chains,
    sightings,
    trees: createSessionTrees(sqlite, sessions, sightings),
    usage: createIntegrationUsage(sqlite),
    stats,
  };
  const reviewDatabase = createReviewDatabase(sqlite, sql, {
    grants: rows.grants,
    eventLog,
    entries: createRecordEntries(sqlite, rows.integrations, sessions, chains),
    countRejected: createCountRejected(rows, sessionChanges),
  });
  const cancellations = createReviewCancellations(sqlite, sql, reviewDatabase);
  // Content of expired reviews is deleted on a disk that is nearly full, too.
  const background = createSqliteSql(asUrgent(sqlite, urgency.operator), revisions);

  return {
    audit,
    operators: createOperatorStore(sql),
    operatorKeys: createOperatorKeyStore(sql, ordinarySql, async (keyHash) =>
      sqlite.look(() => operatorRow.get({ keyHash }) ?? null),
    ),
    integrations: createIntegrationStore(sql),
    toolCatalogues: createToolCatalogueStore(sql),
    integrationKeys: createIntegrationKeyStore(sql, ordinarySql, async (keyHash) =>
      sqlite.look(() => keyRow.get({ keyHash }) ?? null),
    ),
    policies: createPolicyStore(sql, {
      unaudited: ordinarySql,
      hasDecided: (_, id) => call(() => rows.policySets.hasMember(id)),
      appendEvents: (_, events) => call(() => events.forEach(eventLog.append)),
    }),
    lists: createListStore(sql, createListReaders(sql)),
    mcpServers: createMcpServerStore(sql),
    proposals: createProposalStore(sql),
    signIns: createSignInStore(sql),
    sessions: {
      ...createSessions(audited, { ...rows, cancellations }),
      ...createSessionLabels(forOperators, sessions, rows.grants, sessionChanges),
      ...createIdleSessions(sqlite, rows),
    },
    evaluations: {
      record: createRecord(sqlite, rows),
      ...createRecordedEvaluations(sqlite, { ...rows, chain }),
    },
    ...createReviewStores({ sql, background, ordinary: ordinarySql }, reviewDatabase),
    events: { ...createEventStore(ordinarySql, eventLog.database), onAppended: eventLog.onAppended },
    violations: createViolationStore(sql, createViolationDatabase(sqlite)),
    entities: createEntityStore(sql, { figuresOf: createEntityFigures(sql) }),
    callbacks: createCallbackStore(ordinarySql, reviewDatabase),
    webhooks: createWebhooks(sql, ordinarySql, sqlite),
    counters: {
      ...createCounterReads(sql),
      ...createEndedCounters(sqlite, rows.counterScopes),
      ...createCounterHistory(sqlite, rows, createCounterRecords(sqlite, rows.integrations)),
    },
    stats: createStatsStore(sql, stats),
    record: {
      findUncovered: createFindUncovered(sqlite),
      ...createRecordRootStore(ordinarySql, { append: (_, event) => call(() => eventLog.append(event)) }),
      ...createRecordReads(sqlite, sessions, chain, rows.policySets),
    },
    sightings,
    salt,
    clock: createClockStore(sqlite),
    figures: createFigures(sqlite),
    changeCount: sqlite.changeCount,
    overwriteDeleted: truncateLog,
    ping: createPing(sqlite, guard, reserve),
    close,
  };
}

const createFigures =
  ({ client, db, look }: Pick<Sqlite, 'client' | 'db' | 'look'>): ((now: number) => Promise<StoreFigures>) =>
  (now) =>
    look(() => {
      // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
      const pending = db
        .select({ count: count(), oldestAt: min(reviews.createdAt) })
        .from(reviewContents)
        .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
        .where(and(gt(reviewContents.forgetAt, now), eq(reviews.status, 'PENDING')))
        .get();
      const waiting = db
        .select({ count: count() })
        .from(callbacks)
        .where(isNotNull(callbacks.nextAttemptAt))
        .get();
      const deliveries = db
        .select({ count: count() })
        .from(webhookDeliveries)
        .where(isNotNull(webhookDeliveries.nextAttemptAt))
        .get();
      return {
        pendingReviews: pending?.count ?? 0,
        oldestPendingAt: pending?.oldestAt ?? null,
        callbacksWaiting: waiting?.count ?? 0,
        deliveriesWaiting: deliveries?.count ?? 0,
        walBytes: statSync(`${client.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      };
    });

/** Rejects when the file cannot be written to, or soon will not be. Those who ask meanwhile share one look: anyone may ask. */
function createPing(
  { client, writer }: Pick<Sqlite, 'client' | 'writer'>,
  guard: Pick<FileGuard, 'check'>,
  reserve: Pick<DiskReserve, 'restore'>,
): () => Promise<void> {
  async function look(): Promise<void> {
    const loss = guard.check();
    if (loss) throw loss;
    await reserve.restore();
    // Writes a page that changes nothing: a disk that failed, or became read-only, would take an empty change.
    await writer.run(() => void client.pragma('user_version = 0'));
    const { bavail, bsize } = await statfs(dirname(client.name));
    if (bavail * bsize < leastFreeBytes) {
      throw new AppError('unavailable', 'the disk is almost full', { retryAfterSeconds: 1 });
    }
  }
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
