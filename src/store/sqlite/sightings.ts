import { and, eq, exists, gt, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { parseSightings, type SightingStore, sightingsText } from '../../evaluate/sightings.ts';
import { mostIdentifiers, type Sighting } from '../../schemas/sightings.ts';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import type { SessionState } from './session-state.ts';
import { evaluationSessions, installationSalts, sessionStates, sightings } from './tables.ts';

/**
 * The first three are synchronous: they run inside a change. What sessions keep is in memory, too, as counters are: what changed is
 * written at the end of the transaction, and all is dropped when it is rolled back or another connection wrote.
 */
export interface SightingsOfStore extends SightingStore {
  find(session: SessionState, digest: string): readonly Sighting[];
  write(session: SessionState, digest: string, sightings: readonly Sighting[]): void;
  all(session: SessionState): readonly { digest: string; sightings: readonly Sighting[] }[];
  /** That one session may keep. */
  readonly most: number;
}

/** What is in memory of one session. */
interface Kept {
  /** Empty for a digest of which there is no row. */
  readonly seen: Map<string, readonly Sighting[]>;
  /** Digests that have a row, or will: when all of the session's are here, no other has one. */
  rowCount: number;
  readonly changed: Set<string>;
}

/** A step deletes so many rows: a few milliseconds. */
const mostDeleted = 1_000;
/** Digests in memory, over all sessions: some 100 bytes each as a rule, at most some 600. */
const mostKept = 100_000;
const none: readonly Sighting[] = [];

export function createSightings({
  client,
  db,
  writer,
}: Pick<Sqlite, 'client' | 'db' | 'writer'>): SightingsOfStore {
  const { placeholder } = sql;
  const fields = { data: sightings.data };
  const select = prepareHotRead<{ data: string }, [number, string]>(
    client,
    fields,
    db
      .select(fields)
      .from(sightings)
      .where(
        and(eq(sightings.sessionId, placeholder('sessionRow')), eq(sightings.digest, placeholder('digest'))),
      ),
    ['sessionRow', 'digest'],
  );
  const upsert = prepareHot<[number, string, string]>(
    client,
    db
      .insert(sightings)
      .values({
        sessionId: placeholder('sessionRow'),
        digest: placeholder('digest'),
        data: placeholder('data'),
      })
      .onConflictDoUpdate({
        target: [sightings.sessionId, sightings.digest],
        set: { data: sql`excluded.data` },
      }),
    ['sessionRow', 'digest', 'data'],
  );
  const kept = new Map<number, Kept>();
  const changed = new Map<number, Kept>();
  let keptCount = 0;
  function forget(): void {
    kept.clear();
    keptCount = 0;
  }
  writer.onForeignCommit(forget);
  function flush(): void {
    let last = none;
    let text = '';
    for (const [sessionRow, { seen, changed: digests }] of changed) {
      for (const digest of digests) {
        const sightings = seen.get(digest) ?? none;
        // Those that one content brought share them.
        if (sightings !== last) text = sightingsText(sightings);
        last = sightings;
        upsert.run(sessionRow, digest, text);
      }
      digests.clear();
    }
    changed.clear();
  }
  writer.onEnd(() => {
    flush();
    for (const [sessionRow, { seen }] of kept) {
      if (keptCount <= mostKept) break;
      kept.delete(sessionRow);
      keptCount -= seen.size;
    }
  });
  writer.onRollback(() => {
    changed.clear();
    forget();
  });

  function keptOf({ row: { id: sessionRow } }: SessionState): Kept {
    let one = kept.get(sessionRow);
    if (!one) {
      one = { seen: new Map(), rowCount: 0, changed: new Set() };
      kept.set(sessionRow, one);
    }
    return one;
  }

  function find(session: SessionState, digest: string): readonly Sighting[] {
    if (session.sightingCount === 0) return none;
    const one = keptOf(session);
    const known = one.seen.get(digest);
    if (known !== undefined) return known;
    if (one.rowCount === session.sightingCount) return none;
    const row = select.get(session.row.id, digest);
    const found = row ? parseSightings(row.data) : none;
    if (row) one.rowCount++;
    one.seen.set(digest, found);
    keptCount++;
    return found;
  }

  const roots = alias(evaluationSessions, 'roots');
  const isRootOver = (before: number) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(roots)
        .where(
          and(
            eq(roots.uid, sql`${evaluationSessions.place} ->> '$.rootId'`),
            or(ne(roots.status, 'ACTIVE'), lte(roots.expiresAt, before)),
          ),
        ),
    );

  /** One session whose sightings nobody reads any more. */
  const nextEnded = (before: number) =>
    db
      .select({ id: sessionStates.sessionId })
      .from(sessionStates)
      .innerJoin(evaluationSessions, eq(evaluationSessions.id, sessionStates.sessionId))
      .where(
        and(
          gt(sessionStates.sightingCount, 0),
          // Its ancestors may not know them yet.
          or(isNull(evaluationSessions.parentUid), eq(evaluationSessions.gathered, 1), isRootOver(before)),
          or(ne(evaluationSessions.status, 'ACTIVE'), lte(evaluationSessions.expiresAt, before)),
        ),
      )
      .limit(1)
      .get();

  return {
    find,

    write(session, digest, sightings) {
      const one = keptOf(session);
      if (find(session, digest).length === 0) {
        session.sightingCount++;
        one.rowCount++;
      }
      if (!one.seen.has(digest)) keptCount++;
      one.seen.set(digest, sightings);
      one.changed.add(digest);
      changed.set(session.row.id, one);
    },

    most: mostIdentifiers,

    all(session) {
      if (session.sightingCount === 0) return [];
      flush();
      return db
        .select({ digest: sightings.digest, data: sightings.data })
        .from(sightings)
        .where(eq(sightings.sessionId, session.row.id))
        .all()
        .map(({ digest, data }) => ({ digest, sightings: parseSightings(data) }));
    },

    forgetEnded: (before) =>
      writer.run(() => {
        const ended = nextEnded(before);
        if (!ended) return false;
        const some = db
          .select({ digest: sightings.digest })
          .from(sightings)
          .where(eq(sightings.sessionId, ended.id))
          .limit(mostDeleted);
        const { changes } = db
          .delete(sightings)
          .where(and(eq(sightings.sessionId, ended.id), sql`${sightings.digest} IN (${some})`))
          .run();
        if (changes < mostDeleted)
          db.update(sessionStates)
            .set({ sightingCount: 0 })
            .where(eq(sessionStates.sessionId, ended.id))
            .run();
        forget();
        return true;
      }),
  };
}

/** See `Store.salt`: the first migration makes it. */
export function findSalt({ db }: Pick<Sqlite, 'db'>): string {
  const found = db.select().from(installationSalts).get();
  if (!found) throw new Error('the database has no salt');
  return found.salt;
}
