import { eq, sql } from 'drizzle-orm';
import { type AuditStore, createAuditStore, type StoredAuditEntry } from '../../features/audit/store.ts';
import { entryHash, hashOfOrigin, managementChain } from '../../record/entries.ts';

import { managementEntry } from '../../record/management-entry.ts';
import {
  asPostgres,
  asSqlite,
  createPostgresSql,
  postgresDialect,
  runSteps,
} from '../../sql/postgres/sql.ts';
import { createShowResource } from '../../sql/snapshots.ts';
import { call } from '../../sql/steps.ts';
import { AuditedCalls, idOfChanged, type OngoingCall } from '../audited-calls.ts';
import { afterCommit, type Db, type Postgres, writtenRows } from './database.ts';
import type { EventLog } from './events.ts';
import type { Revisions } from './revisions.ts';
import { auditEntries, recordHeads } from './tables.ts';

const showing = createShowResource(postgresDialect);
const showResource = (db: Db, resource: string | null, id: string | null) =>
  runSteps(showing(asSqlite(db), resource, id));

/**
 * `managed` is the same database for what operators manage: its changes come one after another over all processes, so that
 * none needs locks of its own, and evaluations never wait for them. `audited` also records the call that a change is made
 * during; `isDuringCall` says whether there is one.
 */
export function createAudit(
  postgres: Postgres,
  eventLog: Pick<EventLog, 'append'>,
  revisions: Revisions,
): { audit: AuditStore; managed: Postgres; audited: Postgres; isDuringCall: () => boolean } {
  const { change } = postgres;
  const calls = new AuditedCalls();

  const managed: Postgres = {
    ...postgres,
    change: (work) =>
      change(async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${managementChain}, 0))`);
        return work(tx);
      }),
  };

  /** Rows that are written tell a change, whatever the store method returns. */
  async function withEntry<T>(tx: Db, by: OngoingCall, work: (tx: Db) => Promise<T>): Promise<T> {
    const { call: made, newId, statusCode } = by;
    const before = await showResource(tx, made.resource, made.resourceId);
    const result = await work(tx);
    if (writtenRows(tx) === 0) return result;
    const resourceId = made.resourceId ?? idOfChanged(result);
    const after = await showResource(tx, made.resource, resourceId);
    const id = newId();
    const outcome = 'SUCCEEDED' as const;
    const { told, ...entry } = made;
    const message = told?.message ?? null;
    await insert(tx, { ...entry, id, resourceId, outcome, statusCode, message, before, after });
    const event = by.event({ call: made, auditId: id, resourceId, before, after });
    if (event) await eventLog.append(tx, [event]);
    afterCommit(tx, by.recorded);
    return result;
  }

  const { during, within, telling } = calls;
  const entries = createAuditStore(createPostgresSql(managed, revisions), {
    insert: (db, entry) => call(() => insert(asPostgres(db), entry)),
  });
  const audit: AuditStore = { during, within, telling, ...entries };

  const audited: Postgres = {
    ...managed,
    change: (work) => {
      const ongoing = calls.current();
      return managed.change((tx) => (ongoing ? withEntry(tx, ongoing, work) : work(tx)));
    },
  };
  return { audit, managed, audited, isDuringCall: () => calls.current() !== undefined };
}

/** Every entry is one of the chain, so the last one's place is how many there are. */
async function headOf(db: Db): Promise<{ seq: number; hash: string }> {
  const { chain, seq, hash } = recordHeads;
  const [head] = await db.select({ seq, hash }).from(recordHeads).where(eq(chain, managementChain));
  return head ?? { seq: 0, hash: hashOfOrigin({ chain: managementChain }) };
}

async function insert(tx: Db, { id, ...call }: StoredAuditEntry): Promise<void> {
  const head = await headOf(tx);
  const link = { chain: managementChain, seq: head.seq + 1, previous: head.hash };
  const hash = entryHash(managementEntry(link, { id, ...call }));
  await tx.insert(auditEntries).values({ ...call, id, chainSeq: link.seq, entryHash: hash });
  await tx
    .insert(recordHeads)
    .values({ chain: link.chain, seq: link.seq, hash })
    .onConflictDoUpdate({ target: recordHeads.chain, set: { seq: link.seq, hash } });
}
