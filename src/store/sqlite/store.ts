import type { CommitObserver, Store } from '../store.ts';
import { createActionResults } from './action-results.ts';
import { createAudit } from './audit.ts';
import { createBindings } from './bindings.ts';
import { createCallbacks } from './callbacks.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openClient } from './client.ts';
import { createClockStore } from './clock.ts';
import { createCounterHistory } from './counter-history.ts';
import { createCounterRecords } from './counter-records.ts';
import { createCounterScopes } from './counter-scopes.ts';
import { asUrgent, createSqlite } from './database.ts';
import { createDiskReserve, urgency } from './disk-reserve.ts';
import { createEndedCounters } from './ended-counters.ts';
import { createEnforcement } from './enforcement.ts';
import { createEntities } from './entities.ts';
import { createEntityCounters } from './entity-counters.ts';
import { createEvaluationBlocks } from './evaluation-blocks.ts';
import { createEvaluationChain } from './evaluation-chain.ts';
import { createSessions } from './evaluation-sessions.ts';
import { createEvaluations } from './evaluations.ts';
import { createEventLog } from './events.ts';
import { createFigures } from './figures.ts';
import { createFileGuard, type FileGuard } from './file-guard.ts';
import { createGrantRows } from './grants.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { createIdleSessions } from './idle-sessions.ts';
import { createIntegrationKeys } from './integration-keys.ts';
import { createIntegrationRows } from './integration-rows.ts';
import { createIntegrationUsage } from './integration-usage.ts';
import { createIntegrations } from './integrations.ts';
import type { KeptLimits } from './kept-states.ts';
import { createLists } from './lists.ts';
import { migrateDatabase } from './migrate.ts';
import { assertNotMoved } from './moved.ts';
import { createNamedSessionRows } from './named-sessions.ts';
import { createOperatorKeys } from './operator-keys.ts';
import { createOperators } from './operators.ts';
import { createPing } from './ping.ts';
import { createPolicies } from './policies.ts';
import { createPoliciesInForce } from './policies-in-force.ts';
import { createPolicyActivation } from './policy-activation.ts';
import { createPolicyLists } from './policy-lists.ts';
import { createPolicyRows } from './policy-rows.ts';
import { createPolicySetRows } from './policy-sets.ts';
import { createProposals } from './proposals.ts';
import { createRecordChains } from './record-chains.ts';
import { createRecordEntries } from './record-entries.ts';
import { createRecordReads } from './record-reads.ts';
import { createRecordRoots } from './record-roots.ts';
import { createFindUncovered } from './record-uncovered.ts';
import { createRecording } from './recording.ts';
import { createReviewContents } from './review-contents.ts';
import { createReviewQueue } from './review-queue.ts';
import { createReviewRows } from './review-rows.ts';
import { createReviews } from './reviews.ts';
import { createRevisions } from './revisions.ts';
import { createSessionChanges } from './session-changes.ts';
import { createSessionLabels } from './session-labels.ts';
import { createSessionStates } from './session-states.ts';
import { createSessionTrees } from './session-trees.ts';
import { createSightings } from './sightings.ts';
import { createSignIns } from './sign-ins.ts';
import { createStats } from './stats.ts';
import { createViolations } from './violations.ts';
import { openWalSync, type Sync, type WalSync } from './wal-sync.ts';
import { createWebhooks } from './webhooks.ts';

export interface SqliteOptions {
  file: string;
  /** The folder of the migrations. */
  migrations: string;
  /** The disk could not be synced: what was not acknowledged yet may be lost, and the process must stop. */
  onSyncFailure: (error: Error) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
  /** The files were moved, replaced or deleted while in use: nothing more is written or acknowledged until a restart. */
  onFilesLost?: (error: Error) => void;
  /** Keeps space on the disk for revocations, ends of sessions and what operators do; without it only uses what is there. */
  keepsReserve?: boolean;
  /** The disk is full, and only what the reserve is for is recorded; or it has space again. */
  onDiskFull?: (isFull: boolean) => void;
  /** Gets the size and the time of each commit. */
  commits?: CommitObserver;
  /** Replaces the system call. */
  sync?: Sync;
  /** How much of the sessions is kept in memory. */
  kept?: KeptLimits;
}

export interface SqliteStore extends Store {
  /** Differs from its last value when a key, or what decides, may have changed: by another process, in the next turn of the event loop. */
  changeCount(): number;
}

/** Opens the file, brings it to this version's schema, and returns the store on it. */
export function openSqliteStore(options: SqliteOptions): SqliteStore {
  const reserve = createDiskReserve(options.file, {
    keeps: options.keepsReserve ?? false,
    onFull: (isFull) => {
      // A copy into the database would take the space that was released.
      if (isFull) checkpoints.pause();
      else checkpoints.resume();
      options.onDiskFull?.(isFull);
    },
  });
  const client = openClient(options.file);
  let guard: FileGuard | undefined;
  let wal: WalSync;
  try {
    migrateDatabase(client, options.migrations);
    assertNotMoved(client);
    // The first read in WAL mode makes the log.
    client.prepare('SELECT 1 FROM sqlite_master').get();
    guard = createFileGuard(client, (loss) => {
      sqlite.writer.stop(loss);
      options.onFilesLost?.(loss.cause as Error);
    });
    wal = openWalSync(client, guard, options.onSyncFailure, options.sync);
  } catch (error) {
    guard?.close();
    client.close();
    throw error;
  }
  const sqlite = createSqlite(client, wal, reserve, options.commits);
  const checkpoints = createCheckpoints(client, sqlite.writer, guard, options.onTrouble ?? (() => undefined));
  const eventLog = createEventLog(sqlite);
  const chains = createRecordChains(sqlite);
  const { audit, audited } = createAudit(sqlite, eventLog, chains);
  const forOperators = asUrgent(audited, urgency.operator);
  // Released to open the database on a full disk.
  if (reserve.refusal(urgency.ordinary)) checkpoints.pause();
  const integrationRows = createIntegrationRows(sqlite);
  const chain = createEvaluationChain(sqlite);
  const sessionChanges = createSessionChanges(sqlite);
  const sessions = createSessionStates(sqlite, chain, sessionChanges, options.kept);
  const namedSessions = createNamedSessionRows(sqlite);
  const policySets = createPolicySetRows(sqlite);
  const reviewContents = createReviewContents(sqlite);
  const reviewRows = createReviewRows(sqlite, reviewContents);
  const grants = createGrantRows(sqlite);
  const revisions = createRevisions(sqlite);
  const policyLists = createPolicyLists(sqlite);
  const policyRows = createPolicyRows(sqlite, policyLists);
  const enforcement = createEnforcement(sqlite, eventLog);
  const actionResults = createActionResults(sqlite);
  const counterScopes = createCounterScopes(sqlite);
  const sightings = createSightings(sqlite);
  const trees = createSessionTrees(sqlite, sessions, sightings);
  const idempotencyKeys = createIdempotencyKeys(sqlite);
  const evaluationBlocks = createEvaluationBlocks(sqlite);
  const violations = createViolations(sqlite, forOperators);
  const usage = createIntegrationUsage(sqlite);
  const recording = createRecording(
    sqlite,
    integrationRows,
    sessions,
    namedSessions,
    policySets,
    actionResults,
    reviewRows,
    idempotencyKeys,
    revisions,
    evaluationBlocks,
    violations,
    counterScopes,
    eventLog,
    chains,
    sightings,
    trees,
    grants,
    usage,
  );
  const recordEntries = createRecordEntries(sqlite, integrationRows, sessions, chains);
  const { reviews, findStored } = createReviews(
    forOperators,
    reviewContents,
    grants,
    eventLog,
    recordEntries,
  );
  let closed = false;

  return {
    audit,
    operators: createOperators(forOperators),
    operatorKeys: createOperatorKeys(forOperators, sqlite),
    integrations: createIntegrations(forOperators, revisions),
    integrationKeys: createIntegrationKeys(forOperators, sqlite, revisions),
    policies: {
      ...createPolicies(forOperators, policyRows, policyLists, revisions, enforcement),
      ...createPolicyActivation(forOperators, sqlite, policyRows, revisions, enforcement, eventLog),
      ...createBindings(forOperators, policyRows, revisions, enforcement),
      ...createPoliciesInForce(sqlite),
      watchEnforcement: enforcement.watch,
    },
    lists: createLists(forOperators, policyLists, revisions),
    proposals: createProposals(forOperators),
    signIns: createSignIns(forOperators),
    sessions: {
      ...createSessions(
        audited,
        sessions,
        namedSessions,
        integrationRows,
        idempotencyKeys,
        counterScopes,
        eventLog,
        trees,
        grants,
        usage,
      ),
      ...createSessionLabels(forOperators, sessions, grants, sessionChanges),
      ...createIdleSessions(sqlite, sessions, integrationRows, counterScopes, eventLog),
    },
    evaluations: createEvaluations(
      sqlite,
      integrationRows,
      sessions,
      chain,
      policySets,
      actionResults,
      recording,
      evaluationBlocks,
      grants,
    ),
    reviews,
    reviewQueue: createReviewQueue(forOperators, sqlite, eventLog, findStored),
    events: eventLog.store,
    violations,
    entities: createEntities(forOperators),
    callbacks: createCallbacks(sqlite, reviewContents),
    webhooks: createWebhooks(forOperators, sqlite),
    counters: {
      ...createEntityCounters(sqlite),
      ...createEndedCounters(sqlite, counterScopes),
      ...createCounterHistory(
        sqlite,
        integrationRows,
        sessions,
        revisions,
        counterScopes,
        trees,
        createCounterRecords(sqlite, integrationRows),
      ),
    },
    stats: createStats(sqlite),
    record: {
      findUncovered: createFindUncovered(sqlite),
      ...createRecordRoots(sqlite, eventLog),
      ...createRecordReads(sqlite, sessions, chain, policySets),
    },
    sightings,
    clock: createClockStore(sqlite),
    figures: createFigures(sqlite),
    changeCount: sqlite.changeCount,
    ping: createPing(sqlite, guard, reserve),
    async close() {
      if (closed) return;
      closed = true;
      // What cannot be kept was refused to those who asked for it; closing has nobody left to tell.
      const synced = await sqlite.writer.drain().then(
        () => true,
        () => false,
      );
      const lost = guard.check() !== null;
      guard.close();
      await reserve.close();
      await checkpoints.close();
      wal.close();
      // The last connection copies the log into the database when it closes, and deletes what has the name of a log. One
      // that could not be synced may have holes: it stays as it is, and the next start takes from it what is whole. And
      // files that took the place of the open ones are not ours.
      if (synced && !lost) client.close();
    },
  };
}
