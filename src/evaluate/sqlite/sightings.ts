import { and, eq, sql } from 'drizzle-orm';
import { mostIdentifiers, type Sighting } from '../../schemas/sightings.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHot, prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import { installationSalts, sightings } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { continuableMs, parseSightings, type SightingStore, sightingsText } from '../sightings.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';

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

/** The sightings of one session in memory. */
interface Kept {
  /** Empty for a digest of which there is no row. */
  readonly seen: Map<string, readonly Sighting[]>;
  /** Digests that have a row, or will: when all of the session's are here, no other has one. */
  rowCount: number;
  readonly changed: Set<string>;
}

/** A step deletes so many rows: a few milliseconds. */
const mostDeleted = 1_000;
/** A step looks at so many sessions: about a millisecond. */
const mostLookedAt = 200;
/** Digests in memory, over all sessions: some 100 bytes each as a rule, at most some 600. */
const mostKept = 100_000;
const none: readonly Sighting[] = [];

export function createSightings(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  sessions: Pick<SessionStates, 'findAny' | 'touch'>,
): SightingsOfStore {
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
        // All identifiers of one content share their list of sightings.
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

  // Most sessions with sightings are still needed, so each step looks at a few of them.
  const candidates = client.prepare<[number], number>(
    `SELECT session_id FROM session_states WHERE sighting_count > 0 AND session_id > ?
     ORDER BY session_id LIMIT ${mostLookedAt}`,
  );
  candidates.pluck();
  /** A session of the tree that is ACTIVE, or ended so lately that it may be continued. */
  const isInUse = (session: string): string =>
    `(${session}.status = 'ACTIVE' AND ${session}.expires_at > @restsSince
      OR coalesce(${session}.ended_at, 0) > @restsSince)`;
  // The plus takes the affinity of the column away, with which SQLite would not search the index of roots.
  const firstEnded = client.prepare<{ from: number; to: number; before: number; restsSince: number }, string>(
    `SELECT s.uid FROM session_states t JOIN evaluation_sessions s ON s.id = t.session_id
       JOIN evaluation_sessions r ON r.uid = coalesce(s.place ->> '$.rootId', s.uid)
     WHERE t.sighting_count > 0 AND t.session_id BETWEEN @from AND @to
       AND (s.status <> 'ACTIVE' OR s.expires_at <= @before)
       AND (s.gathered = 1 OR r.status = 'TERMINATED' OR NOT ${isInUse('r')} AND NOT EXISTS (
         SELECT 1 FROM evaluation_sessions m
         WHERE m.place IS NOT NULL AND json_extract(m.place, '$.rootId') = +r.uid AND ${isInUse('m')}))
     ORDER BY t.session_id LIMIT 1`,
  );
  firstEnded.pluck();
  let lookedUpTo = 0;

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
        const ids = candidates.all(lookedUpTo);
        const [from = 0, to = 0] = [ids[0], ids.at(-1)];
        const uid = firstEnded.get({ from, to, before, restsSince: before - continuableMs });
        const ended = uid === undefined ? null : sessions.findAny(uid);
        if (!ended) {
          lookedUpTo = ids.length < mostLookedAt ? 0 : to;
          return lookedUpTo > 0;
        }
        const some = db
          .select({ digest: sightings.digest })
          .from(sightings)
          .where(eq(sightings.sessionId, ended.row.id))
          .limit(mostDeleted);
        const { changes } = db
          .delete(sightings)
          .where(and(eq(sightings.sessionId, ended.row.id), sql`${sightings.digest} IN (${some})`))
          .run();
        if (changes < mostDeleted) {
          ended.sightingCount = 0;
          if (!ended.place) ended.sightingsFull = true;
          sessions.touch(ended);
        }
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
