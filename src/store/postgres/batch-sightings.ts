import { parseSightings, sightingsText } from '../../evaluate/sightings.ts';
import { mostIdentifiers, type Sighting } from '../../schemas/sightings.ts';
import { Rows } from './rows.ts';
import type { SessionState } from './session-state.ts';
import { inserting, WrittenRows } from './written-rows.ts';

const none: readonly Sighting[] = [];

/** What the sessions of a batch keep of the identifiers they have seen. */
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
