import type { CommitObserver, Store } from '../store.ts';
import { createActionResults } from './action-results.ts';
import { createAudit } from './audit.ts';
import { createCallbacks } from './callbacks.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openClient } from './client.ts';
import { createClockStore } from './clock.ts';
import { createCounterRows } from './counter-rows.ts';
import { asUrgent, createSqlite } from './database.ts';
import { createDiskReserve, urgency } from './disk-reserve.ts';
import { createEvaluationChain } from './evaluation-chain.ts';
import { createSessions } from './evaluation-sessions.ts';
import { createEvaluations } from './evaluations.ts';
import { createFigures } from './figures.ts';
import { createFileGuard, type FileGuard } from './file-guard.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { createIntegrationRows } from './integration-rows.ts';
import { createIntegrations } from './integrations.ts';
import type { KeptLimits } from './kept-states.ts';
import { migrateDatabase } from './migrate.ts';
import { createNamedSessionRows } from './named-sessions.ts';
import { createOperatorKeys } from './operator-keys.ts';
import { createOperators } from './operators.ts';
import { createPing } from './ping.ts';
import { createPolicies } from './policies.ts';
import { createPoliciesInForce } from './policies-in-force.ts';
import { createPolicySetRows } from './policy-sets.ts';
import { createRecording } from './recording.ts';
import { createReviewContents } from './review-contents.ts';
import { createReviewRows } from './review-rows.ts';
import { createReviews } from './reviews.ts';
import { createRevisions } from './revisions.ts';
import { createSessionStates } from './session-states.ts';
import { createSignIns } from './sign-ins.ts';
import { openWalSync, type Sync, type WalSync } from './wal-sync.ts';

export interface SqliteOptions {
  file: string;
  /** The folder of the migrations. */
  migrations: string;
  /** The disk could not be synced: what was not answered yet may be lost, and the process must stop. */
  onSyncFailure: (error: Error) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
  /** The files were moved, replaced or deleted while in use: nothing more is written or answered until a restart. */
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

/** Opens the file, brings it to this version's schema, and answers the store on it. */
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
  const { audit, audited } = createAudit(sqlite);
  const forOperators = asUrgent(audited, urgency.operator);
  // Released to open the database on a full disk.
  if (reserve.refusal(urgency.ordinary)) checkpoints.pause();
  const integrationRows = createIntegrationRows(sqlite);
  const chain = createEvaluationChain(sqlite);
  const sessions = createSessionStates(sqlite, chain, options.kept);
  const namedSessions = createNamedSessionRows(sqlite);
  const policySets = createPolicySetRows(sqlite);
  const reviewContents = createReviewContents(sqlite);
  const reviewRows = createReviewRows(sqlite, reviewContents);
  const revisions = createRevisions(sqlite);
  const actionResults = createActionResults(sqlite);
  const counterRows = createCounterRows(sqlite);
  const idempotencyKeys = createIdempotencyKeys(sqlite);
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
    counterRows,
  );
  let closed = false;

  return {
    audit,
    operators: createOperators(forOperators),
    operatorKeys: createOperatorKeys(forOperators, sqlite),
    integrations: createIntegrations(forOperators, revisions),
    policies: { ...createPolicies(forOperators, revisions), ...createPoliciesInForce(sqlite) },
    signIns: createSignIns(forOperators),
    sessions: createSessions(sqlite, sessions, namedSessions, integrationRows, idempotencyKeys, counterRows),
    evaluations: createEvaluations(
      sqlite,
      integrationRows,
      sessions,
      chain,
      policySets,
      actionResults,
      recording,
    ),
    reviews: createReviews(forOperators, reviewContents),
    callbacks: createCallbacks(sqlite, reviewContents),
    counters: counterRows,
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
