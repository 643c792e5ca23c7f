import { and, asc, count, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { RecordChains } from '../../evaluate/sqlite/record-chains.ts';
import type { AuditFilter, AuditStore, StoredAuditEntry } from '../../features/audit/store.ts';
import { entryHash } from '../../record/entries.ts';
import { managementEntry } from '../../record/management-entry.ts';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import { AuditedCalls, idOfChanged, type OngoingCall } from '../audited-calls.ts';
import { mostCounted, offsetOf, type PageRequest } from '../pages.ts';
import { createAuditedResources } from './audited-resources.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { DecidingRows } from './record-deciding.ts';
import { auditEntries } from './tables.ts';

const { id: row, uid, chainSeq: _, entryHash: __, ...plain } = getTableColumns(auditEntries);
const columns = { id: uid, ...plain };

/** Where an entry stands in lists: in the order of time, and of those of one moment in the order in which they were recorded. */
const place = { at: plain.at, row };
type Place = Record<keyof typeof place, number>;
const isBefore = (other: Place): SQL => sql`(${plain.at}, ${row}) < (${other.at}, ${other.row})`;
const isAfter = (other: Place): SQL => sql`(${plain.at}, ${row}) > (${other.at}, ${other.row})`;

/** `audited` is the same database, where every change that is made during a call records the call with it. */
export function createAudit(
  sqlite: Sqlite,
  eventLog: Pick<EventLog, 'append'>,
  chains: Pick<RecordChains, 'nextOfManagement' | 'add'>,
  deciding: Pick<DecidingRows, 'inForce'>,
): { audit: AuditStore; audited: Sqlite } {
  const { client, db, writer, read } = sqlite;
  const calls = new AuditedCalls();
  const show = createAuditedResources(sqlite);
  const totalChanges = client.prepare('SELECT total_changes()').pluck();
  function insert({ id, ...call }: StoredAuditEntry): void {
    const link = chains.nextOfManagement();
    const hash = entryHash(managementEntry(link, { id, ...call }));
    db.insert(auditEntries)
      .values({ ...call, uid: id, chainSeq: link.seq, entryHash: hash })
      .run();
    chains.add(link, hash, null);
  }

  /** Rows that change tell a change, whatever the store method returns. */
  function withEntry<T>(
    { call, newId, statusCode, event: eventOf }: OngoingCall,
    change: () => T,
  ): { result: T; changed: boolean } {
    const rows = totalChanges.get();
    const before = show(call.resource, call.resourceId);
    const result = change();
    if (totalChanges.get() === rows) return { result, changed: false };
    const resourceId = call.resourceId ?? idOfChanged(result);
    const after = show(call.resource, resourceId);
    const auditId = newId();
    const { told: _, ...entry } = call;
    insert({
      ...entry,
      id: auditId,
      resourceId,
      outcome: 'SUCCEEDED',
      statusCode,
      message: call.told?.message ?? null,
      before,
      after,
    });
    const event = eventOf({ call, auditId, resourceId, before, after });
    if (event) eventLog.append(event);
    return { result, changed: true };
  }

  const run: Sqlite['writer']['run'] = async (change, needed) => {
    const ongoing = calls.current();
    if (!ongoing) return writer.run(change, needed);
    const { result, changed } = await writer.run(() => withEntry(ongoing, change), needed);
    if (changed) ongoing.recorded();
    return result;
  };

  /** Before every other one for an entry that is not there. */
  const placeOf = (id: string): Place =>
    db.select(place).from(auditEntries).where(eq(uid, id.toLowerCase())).get() ?? { at: 0, row: 0 };

  function matching(filter: AuditFilter): SQL | undefined {
    const { actorId, action, resource, resourceId, outcome, from, to, before } = filter;
    return and(
      actorId === undefined ? undefined : eq(plain.actorId, actorId),
      action === undefined ? undefined : eq(plain.action, action),
      resource === undefined ? undefined : eq(plain.resource, resource),
      resourceId === undefined ? undefined : eq(plain.resourceId, resourceId.toLowerCase()),
      outcome === undefined ? undefined : eq(plain.outcome, outcome),
      from === undefined ? undefined : gte(plain.at, from),
      to === undefined ? undefined : lt(plain.at, to),
      before === undefined ? undefined : isBefore(placeOf(before)),
    );
  }

  /** Rows are never deleted, so without a filter the last one's number is how many there are. */
  function totalOf(filter: AuditFilter, page: PageRequest, found: readonly Place[]): number {
    if (Object.values(filter).every((value) => value === undefined))
      return db.select({ row }).from(auditEntries).orderBy(desc(row)).limit(1).get()?.row ?? 0;
    const last = found.at(-1);
    if (last === undefined) return page.page === 1 ? 0 : countOf(matching(filter), mostCounted + 1);
    // What is before the end of the page was looked through already.
    const upTo = offsetOf(page) + found.length;
    const more = found.length < page.size ? 0 : Math.max(0, mostCounted + 1 - upTo);
    return Math.min(mostCounted + 1, upTo + countOf(and(matching(filter), isBefore(last)), more));
  }

  function countOf(where: SQL | undefined, most: number): number {
    const counted = db.select({ one: sql`1` }).from(auditEntries).where(where).limit(most).as('counted');
    return db.select({ total: count() }).from(counted).get()?.total ?? 0;
  }

  const audit: AuditStore = {
    during: calls.during,
    within: calls.within,
    telling: calls.telling,

    recordInForce: (entry, newId) =>
      writer.run(() => {
        const named = sql`${plain.after} LIKE '%Sha256":%'`;
        if (db.select({ row }).from(auditEntries).where(named).limit(1).get()) return;
        for (const found of deciding.inForce()) insert({ ...entry, ...found, id: newId(), before: null });
      }),

    record: (entry) => writer.run(() => insert({ ...entry, before: null, after: null })),

    find: (id) =>
      read(() => db.select(columns).from(auditEntries).where(eq(uid, id.toLowerCase())).get() ?? null),

    list: (filter, page, most) =>
      read(() => {
        const listed = {
          row,
          ...columns,
          before: narrow<string>(plain.before, most),
          after: narrow<string>(plain.after, most),
          omitted: tooWide({ before: plain.before, after: plain.after }, most),
        };
        const found = db
          .select(listed)
          .from(auditEntries)
          .where(matching(filter))
          .orderBy(desc(place.at), desc(row))
          .limit(page.size)
          .offset(offsetOf(page))
          .all();
        return {
          items: found.map(({ row: _, ...entry }) => ({ ...entry, omitted: namesIn(entry.omitted) })),
          total: totalOf(filter, page, found),
        };
      }),

    listAfter: (filter, after, size) =>
      read(() =>
        db
          .select(columns)
          .from(auditEntries)
          .where(and(matching(filter), after === null ? undefined : isAfter(placeOf(after))))
          .orderBy(asc(place.at), asc(row))
          .limit(size)
          .all(),
      ),
  };
  return { audit, audited: { ...sqlite, writer: { ...writer, run } } };
}
