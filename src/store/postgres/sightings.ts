import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { continuableMs, type SightingStore } from '../../evaluate/sightings.ts';
import type { Postgres } from './database.ts';
import { lockSessions } from './locks.ts';
import { installationSalts } from './tables.ts';

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
  // Of replicas that start at once, one makes it.
  const salt = randomBytes(saltBytes).toString('hex');
  await change((tx) => tx.insert(installationSalts).values({ id: 1, salt }).onConflictDoNothing());
  return (await find()) ?? salt;
}
