import { and, asc, desc, eq, gte, inArray, lt, max, type SQL, sql } from 'drizzle-orm';
import type { RecordedCall } from '../../record/management-entry.ts';
import { createDecidingReads } from '../../sql/deciding.ts';
import { uidOf } from '../../sql/hot-tables.ts';
import { all, boundedTotalOf, type Db, first, type Sql, type Step } from '../../sql/steps.ts';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import { mostCounted, offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import type { NewEvent } from '../events/store.ts';
import { type AuditActorKind, type AuditOutcome, changedOrRefused } from './words.ts';

/** A management call, as far as it is known before anything is done. */
export interface AuditedCall
  extends Omit<RecordedCall, 'id' | 'actorKind' | 'outcome' | 'statusCode' | 'message' | 'before' | 'after'> {
  actorKind: AuditActorKind;
  /** Details that the change itself adds: a text for its entry, and fields for its event. */
  told?: ToldChange;
}

export interface ToldChange {
  message: string | null;
  data: object;
}

export interface NewAuditEntry extends AuditedCall {
  id: string;
  outcome: AuditOutcome;
  statusCode: number;
  message: string | null;
}

export interface StoredAuditEntry extends NewAuditEntry {
  /** JSON texts of the resource, without secrets, before and after the change; null where it did not exist, or nothing changed. */
  before: string | null;
  after: string | null;
}

/** In a list, wide texts are left out. */
export interface ListedAuditEntry extends StoredAuditEntry {
  /** Names of the fields that were left out. */
  omitted: string[];
}

export interface AuditFilter {
  actorId?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  outcome?: AuditOutcome;
  /** False leaves out calls that only read, and succeeded. */
  reads?: boolean;
  /** From this time on. */
  from?: number;
  /** Before this time. */
  to?: number;
  /** Entries that a list shows after the entry with this id. */
  before?: string;
}

/** A change that a call made, as its entry records it. */
export interface AuditedChange {
  call: AuditedCall;
  auditId: string;
  resourceId: string | null;
  before: string | null;
  after: string | null;
}

/** Needed to record a call, besides the call. */
export interface AuditedBy {
  newId: () => string;
  statusCode: number;
  /** Called once an entry is durable. */
  recorded: () => void;
  /** Makes the event that is written with a change; null writes none. Must be pure. */
  event: (change: AuditedChange) => NewEvent | null;
}

/** Entries are never changed and never deleted. List order: by time, then by order of recording. */
export interface AuditStore {
  /**
   * Runs `work`, and records in the transaction of each change that it and what it starts makes to what operators manage: the
   * call, and the resource before and after. A change, its entry and its event are kept together or not at all.
   */
  during<T>(call: AuditedCall, by: AuditedBy, work: () => T): T;
  /** Inside of `during`: runs `work`, whose changes are recorded under this name and resource instead of those of the call. */
  within<T>(named: Pick<AuditedCall, 'action' | 'resource' | 'resourceId'>, work: () => T): T;
  /** Inside of `during`: runs `work`, and adds `told` to its entries and events. */
  telling<T>(told: ToldChange, work: () => T): T;
  /**
   * Records each policy, list, integration and house policy as it is, unless an entry names one already: once in a database, at its
   * first start.
   */
  recordInForce(
    entry: Omit<NewAuditEntry, 'id' | 'resource' | 'resourceId'>,
    newId: () => string,
  ): Promise<void>;
  /** For a call that changed nothing. */
  record(entry: NewAuditEntry): Promise<void>;
  find(id: string): Promise<StoredAuditEntry | null>;
  /** Newest first. Wider texts are left out without being read. With a filter, `total` is counted up to `mostCounted`. */
  list(filter: AuditFilter, page: PageRequest, mostBytes: number): Promise<Page<ListedAuditEntry>>;
  /** Oldest first, after the entry with this id; from the first entry on for null. */
  listAfter(filter: AuditFilter, after: string | null, size: number): Promise<StoredAuditEntry[]>;
}

/** `managed` makes one change after another. `insert` adds an entry to the chain of management. */
export function createAuditStore(
  managed: Sql,
  { insert }: { insert(db: Db, entry: StoredAuditEntry): Step<void> },
): Omit<AuditStore, 'during' | 'within' | 'telling'> {
  const { auditEntries } = managed.hot;
  const deciding = createDecidingReads(managed);
  const uid = uidOf(auditEntries);
  const { actorKind, actorId, actorName, keyId, action, resource, resourceId } = auditEntries;
  const { at, method, path, address, requestId, outcome, statusCode, message, before, after } = auditEntries;
  const columns = {
    id: uid,
    ...{ at, actorKind, actorId, actorName, keyId, action, resource, resourceId },
    ...{ method, path, address, requestId, outcome, statusCode, message, before, after },
  };
  /** Entries are numbered as they are recorded: by their rows on SQLite, whose indexes end with these. */
  const number = managed.keysAreInOrder ? auditEntries.id : auditEntries.chainSeq;
  const newestFirst = [desc(at), desc(number)];

  /** Where an entry stands in lists. Before every other one for an entry that is not there. */
  function* placeOf(db: Db, id: string): Step<SQL> {
    const place = db.select({ at, number }).from(auditEntries).where(eq(uid, id.toLowerCase()));
    const found = yield* first(place);
    return sql`(${found?.at ?? 0}, ${found?.number ?? 0})`;
  }
  const place = sql`(${at}, ${number})`;

  function* matching(db: Db, filter: AuditFilter): Step<SQL | undefined> {
    return and(
      filter.actorId === undefined ? undefined : eq(actorId, filter.actorId),
      filter.action === undefined ? undefined : eq(action, filter.action),
      filter.resource === undefined ? undefined : eq(resource, filter.resource),
      filter.resourceId === undefined ? undefined : eq(resourceId, filter.resourceId.toLowerCase()),
      filter.outcome === undefined ? undefined : eq(outcome, filter.outcome),
      filter.reads === false ? sql.raw(changedOrRefused) : undefined,
      filter.from === undefined ? undefined : gte(at, filter.from),
      filter.to === undefined ? undefined : lt(at, filter.to),
      filter.before === undefined ? undefined : sql`${place} < ${yield* placeOf(db, filter.before)}`,
    );
  }

  /** Entries are never deleted: without a filter, the number of the last one is how many there are. */
  function* totalOf(db: Db, where: SQL | undefined): Step<number> {
    if (where) return yield* boundedTotalOf(db, auditEntries, where, mostCounted);
    return (yield* first(db.select({ total: max(number) }).from(auditEntries)))?.total ?? 0;
  }

  return {
    recordInForce: (entry, newId) =>
      managed.change(function* (db) {
        const named = sql`${after} LIKE '%Sha256":%'`;
        if (yield* first(db.select({ number }).from(auditEntries).where(named).limit(1))) return;
        for (const found of yield* deciding.inForce(db))
          yield* insert(db, { ...entry, ...found, id: newId(), before: null });
      }),

    record: (entry) => managed.change((db) => insert(db, { ...entry, before: null, after: null })),

    find: (id) =>
      managed.read((db) => first(db.select(columns).from(auditEntries).where(eq(uid, id.toLowerCase())))),

    list: (filter, page, most) =>
      managed.read(function* (db) {
        const where = yield* matching(db, filter);
        const listed = {
          ...columns,
          before: narrow<string>(before, most),
          after: narrow<string>(after, most),
          omitted: tooWide({ before, after }, most),
        };
        // Found by the index alone, so that entries of earlier pages are not read.
        const found = db
          .select({ number })
          .from(auditEntries)
          .where(where)
          .orderBy(...newestFirst)
          .limit(page.size)
          .offset(offsetOf(page));
        const entries = yield* all(
          db
            .select(listed)
            .from(auditEntries)
            .where(inArray(number, found))
            .orderBy(...newestFirst),
        );
        return {
          items: entries.map((entry) => ({ ...entry, omitted: namesIn(entry.omitted) })),
          total: yield* totalOf(db, where),
        };
      }),

    listAfter: (filter, id, size) =>
      managed.read(function* (db) {
        const next = id === null ? undefined : sql`${place} > ${yield* placeOf(db, id)}`;
        return yield* all(
          db
            .select(columns)
            .from(auditEntries)
            .where(and(yield* matching(db, filter), next))
            .orderBy(asc(at), asc(number))
            .limit(size),
        );
      }),
  };
}
