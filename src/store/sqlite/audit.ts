import { AsyncLocalStorage } from 'node:async_hooks';
import { and, asc, count, desc, eq, getTableColumns, gt, gte, lt, type SQL } from 'drizzle-orm';
import type { AuditedCall, AuditFilter, AuditStore, StoredAuditEntry } from '../audit.ts';
import { createAuditedResources } from './audited-resources.ts';
import type { Sqlite } from './database.ts';
import { namesIn, narrow, tooWide } from './listed-columns.ts';
import { offsetOf } from './pages.ts';
import { auditEntries } from './tables.ts';

interface Ongoing {
  call: AuditedCall;
  newId: () => string;
  statusCode: number;
  recorded: () => void;
}

const { id: row, uid, ...plain } = getTableColumns(auditEntries);
const columns = { id: uid, ...plain };

/** `audited` is the same database, where every change that is made during a call records the call with it. */
export function createAudit(sqlite: Sqlite): { audit: AuditStore; audited: Sqlite } {
  const { client, db, writer, read } = sqlite;
  const calls = new AsyncLocalStorage<Ongoing>();
  const show = createAuditedResources(sqlite);
  const totalChanges = client.prepare('SELECT total_changes()').pluck();
  const insert = ({ id, ...entry }: StoredAuditEntry) =>
    db
      .insert(auditEntries)
      .values({ ...entry, uid: id })
      .run();

  /** Rows that change tell a change, whatever the store method answers. */
  function withEntry<T>(
    { call, newId, statusCode }: Ongoing,
    change: () => T,
  ): { result: T; changed: boolean } {
    const rows = totalChanges.get();
    const before = show(call.resource, call.resourceId);
    const result = change();
    if (totalChanges.get() === rows) return { result, changed: false };
    const resourceId = call.resourceId ?? idOf(result);
    const after = show(call.resource, resourceId);
    insert({
      ...call,
      id: newId(),
      resourceId,
      outcome: 'SUCCEEDED',
      statusCode,
      message: null,
      before,
      after,
    });
    return { result, changed: true };
  }

  const run: Sqlite['writer']['run'] = async (change, needed) => {
    const ongoing = calls.getStore();
    if (!ongoing) return writer.run(change, needed);
    const { result, changed } = await writer.run(() => withEntry(ongoing, change), needed);
    if (changed) ongoing.recorded();
    return result;
  };

  const rowOf = (id: string): number =>
    db.select({ row }).from(auditEntries).where(eq(uid, id.toLowerCase())).get()?.row ?? 0;

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
      before === undefined ? undefined : lt(row, rowOf(before)),
    );
  }

  /** Rows are never deleted, so without a filter the last one's number is how many there are. */
  function countOf(filter: AuditFilter, where: SQL | undefined): number {
    if (Object.values(filter).some((value) => value !== undefined)) {
      return db.select({ total: count() }).from(auditEntries).where(where).get()?.total ?? 0;
    }
    return db.select({ row }).from(auditEntries).orderBy(desc(row)).limit(1).get()?.row ?? 0;
  }

  const audit: AuditStore = {
    during: (call, entry, work) => calls.run({ call, ...entry }, work),

    record: (entry) => writer.run(() => void insert({ ...entry, before: null, after: null })),

    find: (id) =>
      read(() => db.select(columns).from(auditEntries).where(eq(uid, id.toLowerCase())).get() ?? null),

    list: (filter, page, most) =>
      read(() => {
        const where = matching(filter);
        const listed = {
          ...columns,
          before: narrow<string>(plain.before, most),
          after: narrow<string>(plain.after, most),
          omitted: tooWide({ before: plain.before, after: plain.after }, most),
        };
        return {
          items: db
            .select(listed)
            .from(auditEntries)
            .where(where)
            .orderBy(desc(row))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map((entry) => ({ ...entry, omitted: namesIn(entry.omitted) })),
          total: countOf(filter, where),
        };
      }),

    listAfter: (filter, after, size) =>
      read(() =>
        db
          .select(columns)
          .from(auditEntries)
          .where(and(matching(filter), after === null ? undefined : gt(row, rowOf(after))))
          .orderBy(asc(row))
          .limit(size)
          .all(),
      ),
  };
  return { audit, audited: { ...sqlite, writer: { ...writer, run } } };
}

/** Of what a change made: stores answer it by its id. */
function idOf(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}
