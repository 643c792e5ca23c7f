import { and, count, desc, eq, gt, gte, isNotNull, lt, min, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { runAlone } from '../../evaluate/postgres/jobs.ts';
import { createLanes } from '../../evaluate/postgres/lanes.ts';
import { hasDecided } from '../../evaluate/postgres/policy-sets.ts';
import { recordingJob } from '../../evaluate/postgres/record.ts';
import { createSightings, ensureSalt } from '../../evaluate/postgres/sightings.ts';
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
import {
  createEntityFigures,
  createViolationStore,
  type ViolationDatabase,
} from '../../features/violations/store.ts';
import { asPostgres, asSqlite, createPostgresSql } from '../../sql/postgres/sql.ts';
import { call } from '../../sql/steps.ts';
import type { CommitObserver, Store, StoreFigures } from '../store.ts';
import { createAudit } from './audit.ts';
import { type Address, assertTimed } from './client.ts';
import { createClockStore, openServerClock } from './clock.ts';
import { forgetOldMarks } from './commit-marks.ts';
import { createCounterHistory, createEndedCounters } from './counters.ts';
import { openPostgres, type Postgres } from './database.ts';
import { createContentRetention, createForgetResponses } from './evaluations/content-retention.ts';
import { createEvaluationReads, createEvaluationTerms } from './evaluations/evaluation-reads.ts';
import { createEvaluationSearch } from './evaluations/evaluation-search.ts';
import { createStats } from './evaluations/stats.ts';
import { createEventLog } from './events.ts';
import { createFinalPosition } from './final-position.ts';
import { assertNotHalfMoved, migrateDatabase } from './migrate.ts';
import { createFindUncovered, createRecordReads } from './record/record-reads.ts';
import { createReviewDatabase } from './review-database.ts';
import { createRevisions } from './revisions.ts';
import { createIdleSessions, creatingJob, endingJob } from './sessions/session-jobs.ts';
import { createSessionLabels, createSessionReads } from './sessions/session-reads.ts';
import { callbacks, evaluations, reviewContents, reviews, violations, webhookDeliveries } from './tables.ts';
import { createWebhooks } from './webhooks.ts';

const { createdAt, evaluationId, place } = violations;

const violationDatabase: ViolationDatabase = {
  // The json type keeps a text as it is.
  violation: sql`(${evaluations.violations}::json -> ${place})::text`,
  during: (from, to) =>
    call(() =>
      and(
        from === undefined ? undefined : gte(createdAt, from),
        to === undefined ? undefined : lt(createdAt, to),
      ),
    ),
  newestFirst: () => [desc(createdAt), desc(evaluationId), desc(place)],
};

export interface PostgresOptions {
  address: Address;
  /** The folder of the migrations. */
  migrations: string;
  /** Refuses a database that no version has migrated yet. */
  mustExist?: boolean;
  /** Gets the size and the time of each commit. */
  commits?: CommitObserver;
}

export type PostgresStore = Store & { changeCount(): number };

/** Brings the database to this version's schema, and returns the store on it. */
export async function openPostgresStore({
  address,
  migrations,
  mustExist = false,
  commits,
}: PostgresOptions): Promise<PostgresStore> {
  await migrateDatabase(address.direct, migrations, mustExist);
  await assertNotHalfMoved(address.direct);
  await assertTimed(address);
  const opened = openPostgres(address, commits);
  const postgres: Postgres = { ...opened, salt: await ensureSalt(opened) };
  await forgetOldMarks(postgres.pool);
  const serverClock = await openServerClock(postgres.pool);
  const eventLog = createEventLog(postgres);
  const revisions = createRevisions(postgres);
  const { audit, managed, audited, isDuringCall } = createAudit(postgres, eventLog, revisions);
  const sql = createPostgresSql(audited, revisions);
  const ordinarySql = createPostgresSql(postgres, revisions);
  const reviewDatabase = createReviewDatabase(postgres, audited, eventLog);
  const finalPosition = createFinalPosition(postgres);
  const lanes = createLanes(address, postgres, eventLog, commits);
  let closing: Promise<void> | null = null;

  return {
    audit,
    operators: createOperatorStore(sql),
    operatorKeys: createOperatorKeyStore(sql, ordinarySql, (keyHash) =>
      postgres.read(async (db) => (await operatorByKeyHash(asSqlite(db), sql.tables, keyHash))[0] ?? null),
    ),
    signIns: createSignInStore(sql),
    integrations: createIntegrationStore(sql),
    toolCatalogues: createToolCatalogueStore(sql),
    integrationKeys: createIntegrationKeyStore(sql, ordinarySql, (keyHash) =>
      postgres.read(async (db) => (await keyByHash(asSqlite(db), sql.tables, keyHash))[0] ?? null),
    ),
    policies: createPolicyStore(sql, {
      unaudited: createPostgresSql(managed, revisions),
      hasDecided: (db, id) => call(() => hasDecided(asPostgres(db), id)),
      appendEvents: (db, events) => call(() => eventLog.append(asPostgres(db), events)),
    }),
    lists: createListStore(sql, createListReaders(sql)),
    mcpServers: createMcpServerStore(sql),
    proposals: createProposalStore(sql),
    events: { ...createEventStore(ordinarySql, eventLog.database), onAppended: eventLog.onAppended },
    violations: createViolationStore(sql, violationDatabase),
    entities: createEntityStore(sql, { figuresOf: createEntityFigures(sql) }),
    webhooks: createWebhooks(sql, ordinarySql, postgres),
    ...createReviewStores({ sql, background: ordinarySql, ordinary: ordinarySql }, reviewDatabase),
    callbacks: createCallbackStore(ordinarySql, reviewDatabase),
    counters: {
      ...createCounterReads(sql),
      ...createEndedCounters(postgres),
      ...createCounterHistory(postgres, finalPosition, lanes),
    },
    record: {
      findUncovered: createFindUncovered(postgres, finalPosition),
      ...createRecordRootStore(ordinarySql, {
        append: (db, event) => call(() => eventLog.append(asPostgres(db), [event])),
      }),
      ...createRecordReads(postgres),
    },
    sightings: createSightings(postgres),
    salt: postgres.salt,
    stats: createStatsStore(sql, createStats(postgres, finalPosition)),
    figures: createFigures(postgres),
    // Files of the server are its administrator's.
    overwriteDeleted: async () => undefined,
    ping: createPing(postgres),
    clock: createClockStore(postgres, serverClock.now),
    sessions: {
      ...createSessionReads(postgres),
      ...createSessionLabels(audited),
      ...createIdleSessions(postgres, lanes),
      create: (...session) => lanes.run(creatingJob(...session)),
      end(integrationId, id, ending) {
        const job = endingJob(integrationId, id.toLowerCase(), ending);
        return isDuringCall() ? runAlone(audited, eventLog, job) : lanes.run(job);
      },
    },
    evaluations: {
      ...createEvaluationReads(postgres, finalPosition),
      ...createEvaluationTerms(postgres),
      ...createEvaluationSearch(postgres),
      forgetContent: createContentRetention(postgres, finalPosition),
      forgetResponses: createForgetResponses(postgres),
      async record(evaluation, decide) {
        const result = await lanes.run(recordingJob(evaluation, decide));
        // The deciding resources that are kept in memory are out of date.
        if (result.kind === 'stale') postgres.touch();
        return result;
      },
    },
    changeCount: postgres.changeCount,
    close() {
      serverClock.close();
      closing ??= lanes.close().then(() => postgres.close());
      return closing;
    },
  };
}

const createFigures =
  ({ read }: Pick<Postgres, 'read'>): ((now: number) => Promise<StoreFigures>) =>
  (now) =>
    read(async (db) => {
      // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
      const [pending] = await db
        .select({ count: count(), oldestAt: min(reviews.createdAt) })
        .from(reviewContents)
        .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
        .where(and(gt(reviewContents.forgetAt, now), eq(reviews.status, 'PENDING')));
      const [waiting] = await db
        .select({ count: count() })
        .from(callbacks)
        .where(isNotNull(callbacks.nextAttemptAt));
      const [deliveries] = await db
        .select({ count: count() })
        .from(webhookDeliveries)
        .where(isNotNull(webhookDeliveries.nextAttemptAt));
      return {
        pendingReviews: pending?.count ?? 0,
        oldestPendingAt: pending?.oldestAt ?? null,
        callbacksWaiting: waiting?.count ?? 0,
        deliveriesWaiting: deliveries?.count ?? 0,
        // PostgreSQL keeps its log itself, for all of its databases.
        walBytes: 0,
      };
    });

/**
 * Rejects when the database cannot be written to: it is gone, a standby, or read-only. Those who ask meanwhile share one look: anyone
 * may ask.
 */
function createPing({ change }: Pick<Postgres, 'change'>): () => Promise<void> {
  const look = (): Promise<void> =>
    change(async (tx) => {
      const { rows } = await tx.execute<{ readOnly: string }>(
        sql`SELECT current_setting('transaction_read_only') AS "readOnly"`,
      );
      if (rows[0]?.readOnly !== 'off')
        throw new AppError('unavailable', 'the database is read-only', { retryAfterSeconds: 1 });
    });
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
