import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { mostIdentifiers, type Sighting } from '../../schemas/session-context.ts';
import type { Postgres } from '../../store/postgres/database.ts';
import { lockSessions } from '../../store/postgres/locks.ts';
import { installationSalts } from '../../store/postgres/tables.ts';
import { continuableMs, parseSightings, type SightingStore, sightingsText } from '../sightings.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';

const none: readonly Sighting[] = [];

/** The sightings of the sessions of a batch. */
export class BatchSightings {
  readonly rows = new Rows<{ data: string }>({
    name: 'sightings',
    parts: 2,
    text: `SELECT session_id::text AS k0, digest AS k1, data
      FROM unnest($1::uuid[], $2::text[]) AS k(session_id, digest) JOIN sightings USING (session_id, digest)`,
  });
  readonly ofSession = new Rows<{ digest: string; data: string }>({
    name: 'sightings of sessions',
    parts: 1,
    text: `SELECT session_id::text AS k0, digest, data FROM sightings WHERE session_id = ANY($1::uuid[])`,
  });
  /** That one session may keep. */
  readonly most = mostIdentifiers;
  readonly #written = new Map<SessionState, Map<string, readonly Sighting[]>>();

  /** Throws `NotLoaded`. */
  find(session: SessionState, digest: string): readonly Sighting[] {
    if (session.sightingCount === 0) return none;
    const written = this.#written.get(session)?.get(digest);
    if (written || session.row.sightingCount === 0) return written ?? none;
    const row = this.rows.one(session.id, digest);
    return row ? parseSightings(row.data) : none;
  }

  write(session: SessionState, digest: string, sightings: readonly Sighting[]): void {
    if (this.find(session, digest).length === 0) session.sightingCount++;
    let ofSession = this.#written.get(session);
    if (!ofSession) {
      ofSession = new Map();
      this.#written.set(session, ofSession);
    }
    ofSession.set(digest, sightings);
  }

  all(session: SessionState): { digest: string; sightings: readonly Sighting[] }[] {
    const rows = session.row.sightingCount === 0 ? [] : this.ofSession.of(session.id);
    const all = new Map(
      rows.map(({ digest, data }) => [digest, parseSightings(data) as readonly Sighting[]]),
    );
    for (const [digest, sightings] of this.#written.get(session) ?? []) all.set(digest, sightings);
    return [...all].map(([digest, sightings]) => ({ digest, sightings }));
  }

  get statement() {
    const rows = new WrittenRows(
      'write sightings',
      { session_id: 'uuid', digest: 'text', data: 'text' },
      inserting('sightings', 'ON CONFLICT (session_id, digest) DO UPDATE SET data = excluded.data'),
    );
    for (const [session, written] of this.#written)
      for (const [digest, sightings] of written)
        rows.add({ session_id: session.id, digest, data: sightingsText(sightings) });
    return rows.statement;
  }
}

/** A step deletes so many rows: a few milliseconds. */
const mostDeleted = 1_000;

export const createSightings = ({ read, change }: Pick<Postgres, 'read' | 'change'>): SightingStore => ({
  async forgetEnded(before) {
    const restsSince = before - continuableMs;
    // One session that is over and whose parent knows what it has seen, or whose tree is over: nobody reads its sightings.
    const { rows } = await read((db) =>
      db.execute<{ id: string }>(sql`SELECT t.session_id::text AS id FROM session_states t
        JOIN evaluation_sessions s ON s.id = t.session_id
        JOIN evaluation_sessions r ON r.id = coalesce(s.root_uid, s.id)
        WHERE t.sighting_count > 0 AND (s.status <> 'ACTIVE' OR s.expires_at <= ${before})
          AND (s.gathered OR r.status = 'TERMINATED' OR NOT EXISTS (SELECT 1 FROM evaluation_sessions m
            WHERE (m.id = r.id OR m.root_uid = r.id)
              AND (m.status = 'ACTIVE' AND m.expires_at > ${restsSince} OR m.ended_at > ${restsSince})))
        LIMIT 1`),
    );
    const [ended] = rows;
    if (!ended) return false;
    return change(async (tx) => {
      await lockSessions(tx, [ended.id]);
      const { rowCount } = await tx.execute(sql`DELETE FROM sightings WHERE session_id = ${ended.id}
        AND digest IN (SELECT digest FROM sightings WHERE session_id = ${ended.id} LIMIT ${mostDeleted})`);
      if ((rowCount ?? 0) < mostDeleted)
        await tx.execute(sql`UPDATE session_states t SET sighting_count = 0, sightings_full = t.sightings_full OR s.parent_uid IS NULL
          FROM evaluation_sessions s WHERE s.id = t.session_id AND t.session_id = ${ended.id}`);
      return true;
    });
  },
});

const saltBytes = 16;

/** See `Store.salt`. Not made by a migration: a move brings that of the database it comes from. */
export async function ensureSalt({ read, change }: Pick<Postgres, 'read' | 'change'>): Promise<string> {
  const find = async () => (await read((db) => db.select().from(installationSalts)))[0]?.salt;
  const found = await find();
  if (found !== undefined) return found;
  // One of the replicas that start at once makes it.
  const salt = randomBytes(saltBytes).toString('hex');
  await change((tx) => tx.insert(installationSalts).values({ id: 1, salt }).onConflictDoNothing());
  return (await find()) ?? salt;
}
