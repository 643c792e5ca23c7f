import { asc, eq, sql } from 'drizzle-orm';
import { mostIdentifiers, type Sighting } from '../../schemas/session-context.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import { installationSalts, sightings } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { continuableMs, type OwnAdds, type SightingStore, type SightingWrites } from '../sightings.ts';
import { SeenIdentifiers } from './seen-identifiers.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';

/** The first three are synchronous: they run inside a change. What a session has seen is in memory with its state, and written with it. */
export interface SightingsOfStore extends SightingStore {
  find(session: SessionState, digest: string): readonly Sighting[];
  /** See `SightingRows.ownAdds`. */
  ownAdds(session: SessionState, digest: string): OwnAdds;
  write(session: SessionState, writes: SightingWrites['writes']): void;
  all(session: SessionState): Iterable<{ digest: string; sightings: readonly Sighting[] }>;
  /** That one session may keep. */
  readonly most: number;
}

/** A step looks at so many sessions: about a millisecond. */
const mostLookedAt = 200;
const none: readonly Sighting[] = [];

export function createSightings(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  sessions: Pick<SessionStates, 'findAny' | 'touch' | 'grew'>,
): SightingsOfStore {
  const fields = { data: sightings.data };
  const blocksOf = prepareHotRead<{ data: Buffer }, [number]>(
    client,
    fields,
    db
      .select(fields)
      .from(sightings)
      .where(eq(sightings.sessionId, sql.placeholder('sessionRow')))
      .orderBy(asc(sightings.block)),
    ['sessionRow'],
  );

  function seenBy(session: SessionState): SeenIdentifiers {
    if (session.seen === null) {
      const blocks = session.sightingBlocks === 0 ? [] : blocksOf.all(session.row.id).map(({ data }) => data);
      session.seen = new SeenIdentifiers(blocks, session.openSightings);
      sessions.grew(session);
    }
    return session.seen;
  }

  const find = (session: SessionState, digest: string): readonly Sighting[] =>
    session.sightingCount === 0 ? none : (seenBy(session).find(digest) ?? none);

  // Most sessions with sightings are still needed, so each step looks at a few of them.
  const candidates = client.prepare<[number], number>(
    `SELECT session_id FROM session_states WHERE has_sightings = 1 AND session_id > ?
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
     WHERE t.has_sightings = 1 AND t.session_id BETWEEN @from AND @to
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

    ownAdds: (session, digest) =>
      session.sightingCount === 0 ? 'the first' : seenBy(session).ownAdds(digest),

    write(session, writes) {
      if (writes.length === 0) return;
      const seen = seenBy(session);
      session.sightingCount += seen.add(writes);
      sessions.touch(session);
    },

    most: mostIdentifiers,

    all: (session) => (session.sightingCount === 0 ? [] : seenBy(session).all()),

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
        db.delete(sightings).where(eq(sightings.sessionId, ended.row.id)).run();
        ended.seen = new SeenIdentifiers([], null);
        ended.sightingCount = 0;
        if (!ended.place) ended.sightingsFull = true;
        sessions.touch(ended);
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
