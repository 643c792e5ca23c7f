import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditFilter, AuditStore, StoredAuditEntry } from '../../features/audit/store.ts';
import { hashOfOrigin, managementChain } from '../../record/chains.ts';
import { entryHash } from '../../record/entries.ts';
import { managementEntry } from '../../record/management-entry.ts';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import { AuditedCalls, idOfChanged, type OngoingCall } from '../audited-calls.ts';
import { offsetOf } from '../pages.ts';
import { showResource } from './audited-resources.ts';
import { afterCommit, type Db, type Postgres, writtenRows } from './database.ts';
import type { EventLog } from './events.ts';
import { boundedTotalOf, onlyCounted } from './pages.ts';
import { listInForce } from './record-deciding.ts';
import { auditEntries, recordHeads } from './tables.ts';

const { position: _, chainSeq, entryHash: __, ...columns } = getTableColumns(auditEntries);

/** Where an entry stands in lists: in the order of time, and of those of one moment in the order in which they were recorded. */
const place = { at: columns.at, seq: chainSeq };
type Place = Record<keyof typeof place, number>;
const isBefore = (other: Place): SQL => sql`(${columns.at}, ${chainSeq}) < (${other.at}, ${other.seq})`;
const isAfter = (other: Place): SQL => sql`(${columns.at}, ${chainSeq}) > (${other.at}, ${other.seq})`;

/**
 * `managed` is the same database for what operators manage: its changes come one after another over all processes, so that
 * none needs locks of its own, and evaluations never wait for them. `audited` also records the call that a change is made
 * during; `isDuringCall` says whether there is one.
 */
export function createAudit(
  postgres: Postgres,
  eventLog: Pick<EventLog, 'append'>,
): { audit: AuditStore; managed: Postgres; audited: Postgres; isDuringCall: () => boolean } {
  const { read, change } = postgres;
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
    const { call, newId, statusCode } = by;
    const before = await showResource(tx, call.resource, call.resourceId);
    const result = await work(tx);
    if (writtenRows(tx) === 0) return result;
    const resourceId = call.resourceId ?? idOfChanged(result);
    const after = await showResource(tx, call.resource, resourceId);
    const id = newId();
    const outcome = 'SUCCEEDED' as const;
    const { told, ...entry } = call;
    const message = told?.message ?? null;
    await insert(tx, { ...entry, id, resourceId, outcome, statusCode, message, before, after });
    const event = by.event({ call, auditId: id, resourceId, before, after });
    if (event) await eventLog.append(tx, [event]);
    afterCommit(tx, by.recorded);
    return result;
  }

  const audit: AuditStore = {
    during: calls.during,
    within: calls.within,
    telling: calls.telling,

    recordInForce: (entry, newId) =>
      managed.change(async (tx) => {
        const named = sql`${columns.after} LIKE '%Sha256":%'`;
        const [found] = await tx.select({ chainSeq }).from(auditEntries).where(named).limit(1);
        if (found) return;
        for await (const one of listInForce(tx))
          await insert(tx, { ...entry, ...one, id: newId(), before: null });
      }),

    record: (entry) => managed.change((tx) => insert(tx, { ...entry, before: null, after: null })),

    find: (id) =>
      read(async (db) => {
        const [found] = await db.select(columns).from(auditEntries).where(eq(columns.id, id));
        return found ?? null;
      }),

    list: (filter, page, most) =>
      read(async (db) => {
        const where = await matching(db, filter);
        const listed = {
          ...columns,
          before: narrow<string>(columns.before, most),
          after: narrow<string>(columns.after, most),
          omitted: tooWide({ before: columns.before, after: columns.after }, most),
        };
        // Found by the index alone, so that entries of earlier pages are not read.
        const found = db
          .select({ seq: chainSeq })
          .from(auditEntries)
          .where(where)
          .orderBy(desc(columns.at), desc(chainSeq))
          .limit(page.size)
          .offset(offsetOf(page));
        const rows = await db
          .select(listed)
          .from(auditEntries)
          .where(inArray(chainSeq, found))
          .orderBy(desc(columns.at), desc(chainSeq));
        return {
          items: rows.map((entry) => ({ ...entry, omitted: namesIn(entry.omitted) })),
          total: where ? await totalOf(db, where) : (await headOf(db)).seq,
        };
      }),

    listAfter: (filter, after, size) =>
      read(async (db) => {
        const next = after === null ? undefined : isAfter(await placeOf(db, after));
        return db
          .select(columns)
          .from(auditEntries)
          .where(and(await matching(db, filter), next))
          .orderBy(asc(columns.at), asc(chainSeq))
          .limit(size);
      }),
  };

  const audited: Postgres = {
    ...managed,
    change: (work) => {
      const ongoing = calls.current();
      return managed.change((tx) => (ongoing ? withEntry(tx, ongoing, work) : work(tx)));
    },
  };
  return { audit, managed, audited, isDuringCall: () => calls.current() !== undefined };
}

const totalOf = (db: Db, where: SQL): Promise<number> =>
  boundedTotalOf(db, db.select(onlyCounted).from(auditEntries).where(where).$dynamic());

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

/** Before every other one for an entry that is not there. */
async function placeOf(db: Db, id: string): Promise<Place> {
  const [found] = await db.select(place).from(auditEntries).where(eq(columns.id, id));
  return found ?? { at: 0, seq: 0 };
}

async function matching(db: Db, filter: AuditFilter): Promise<SQL | undefined> {
  const { actorId, action, resource, resourceId, outcome, from, to, before } = filter;
  return and(
    actorId === undefined ? undefined : eq(columns.actorId, actorId),
    action === undefined ? undefined : eq(columns.action, action),
    resource === undefined ? undefined : eq(columns.resource, resource),
    resourceId === undefined ? undefined : eq(columns.resourceId, resourceId.toLowerCase()),
    outcome === undefined ? undefined : eq(columns.outcome, outcome),
    from === undefined ? undefined : gte(columns.at, from),
    to === undefined ? undefined : lt(columns.at, to),
    before === undefined ? undefined : isBefore(await placeOf(db, before)),
  );
}
