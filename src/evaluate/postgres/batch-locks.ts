import type { ClientBase } from 'pg';
import { lockByNumber, sortedNumbers, withAncestors } from '../../store/postgres/locks.ts';
import type { Keyed } from './rows.ts';
import type { SessionRow } from './session-state.ts';

/** A lock is missing that can only be taken together with all others, in their order: the transaction begins again. */
export class NotLocked extends Error {}

/** The locks of a batch. What is asked for once they are taken is added, and taken when the batch begins again. */
export class BatchLocks {
  readonly #names = new Set<string>();
  readonly #sessions = new Set<string>();
  /** The sessions that existed, and the sessions above them. */
  #lockedSessions = new Set<string>();
  #isTaken = false;
  readonly #known: KnownSessions;

  constructor(known: KnownSessions) {
    this.#known = known;
  }

  name(name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    if (this.#isTaken) throw new NotLocked();
  }
  /** Asks for a session, which is read with its lock. */
  wantSession(id: string): void {
    this.#sessions.add(id);
  }
  /** Locks a session that exists. */
  session(id: string): void {
    if (this.#lockedSessions.has(id)) return;
    this.#sessions.add(id);
    throw new NotLocked();
  }

  /** A transaction begins, and has none. */
  begin(): void {
    this.#isTaken = false;
  }

  /** Sent at once, as the first of a transaction. Returns the sessions that it locked. */
  async take(client: ClientBase): Promise<Keyed<SessionRow>[]> {
    this.#isTaken = true;
    this.#lockedSessions = new Set();
    const numbers = sortedNumbers(this.#names);
    const named =
      numbers.length > 0 && client.query({ name: 'lock names', text: lockByNumber, values: [numbers] });
    const sessions = this.#sessions.size > 0 ? this.#takeSessions(client) : [];
    return (await Promise.all([sessions, named]))[0];
  }
  async #takeSessions(client: ClientBase): Promise<Keyed<SessionRow>[]> {
    const ids = new Set([...this.#sessions].flatMap((id) => [...this.#known.upFrom(id)]));
    // PostgreSQL looks up the sessions above the others.
    const areKnown = [...ids].every((id) => this.#known.get(id) !== null);
    const { rows } = await client.query<Keyed<SessionRow>>({
      name: areKnown ? 'lock given sessions' : 'lock sessions',
      text: areKnown ? lockGivenSessions : lockSessionsUp,
      values: [[...ids]],
    });
    for (const { id } of rows) this.#lockedSessions.add(id);
    return rows;
  }
}

/** The fields of a session that never change: enough to say which locks it needs. */
interface SessionFacts {
  integrationId: string;
  entityId: string | null;
  parentId: string | null;
  rootId: string;
}

/** Some 200 bytes each. */
const mostKept = 50_000;

/** Kept in memory: they are the same for ever. */
export class KnownSessions {
  readonly #known = new Map<string, SessionFacts>();
  readonly #guesses = new Map<string, string>();

  get(id: string): SessionFacts | null {
    return this.#known.get(id) ?? null;
  }
  set(id: string, facts: SessionFacts): void {
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(id, facts);
  }

  /** The session that a name stood for when it was last used here. */
  guess(name: string): string | null {
    return this.#guesses.get(name) ?? null;
  }
  setGuess(name: string, id: string): void {
    if (this.#guesses.size >= mostKept) this.#guesses.clear();
    this.#guesses.set(name, id);
  }

  /** Reads those that are not known, with the sessions above them. */
  async learn(client: ClientBase, ids: Iterable<string>): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (unknown.length === 0) return;
    const { rows } = await client.query<SessionFacts & { id: string }>({
      name: 'session facts',
      text: `WITH RECURSIVE up AS (
          SELECT id, integration_id, entity_id, parent_uid, root_uid FROM evaluation_sessions WHERE id = ANY($1::uuid[])
          UNION SELECT s.id, s.integration_id, s.entity_id, s.parent_uid, s.root_uid
            FROM up JOIN evaluation_sessions s ON s.id = up.parent_uid
        ) SELECT id::text, integration_id::text AS "integrationId", entity_id AS "entityId",
            parent_uid::text AS "parentId", coalesce(root_uid, id)::text AS "rootId" FROM up`,
      values: [unknown],
    });
    for (const { id, ...facts } of rows) this.set(id, facts);
  }

  /** The session, and those above it; nothing of what is not known. */
  *upFrom(id: string): Generator<string> {
    for (let next: string | null = id; next !== null; next = this.#known.get(next)?.parentId ?? null)
      yield next;
  }
}

const columns = `s.id::text, s.integration_id::text AS "integrationId", s.status,
    s.entity_id AS "entityId", s.external_session_id AS "externalSessionId", s.metadata, s.started_at AS "startedAt",
    s.expires_at AS "expiresAt", s.ended_at AS "endedAt", s.parent_uid::text AS "parentUid", s.place,
    s.has_children AS "hasChildren", t.action_count AS "actionCount", t.other_count AS "otherCount",
    t.warning_count AS "warningCount", t.block_count AS "blockCount", t.review_count AS "reviewCount",
    t.rejection_count AS "rejectionCount",
    t.data_tags AS "dataTags", t.labels, t.monitored_labels AS "monitoredLabels", t.tool_counts AS "toolCounts",
    t.stopped_counts AS "stoppedCounts", t.counters, t.chain_seq AS "chainSeq", t.chain_hash AS "chainHash",
    t.sighting_count AS "sightingCount", t.sightings_full AS "sightingsFull"
  FROM session_states t JOIN evaluation_sessions s ON s.id = t.session_id`;

/** As they are when it runs: for those whose lock is held, or covered by that of one above them. */
export const readSessions = `SELECT ${columns} WHERE t.session_id = ANY($1::uuid[])`;

// Whoever waits for a lock gets the newest version of the rows that are locked, and of no others: from a table that is only joined come
// rows as they were when the statement began, such as a session that was ended meanwhile. So the rows of both tables are locked.
const locked = 'ORDER BY t.session_id FOR UPDATE OF t, s';

/** Locks sessions, and reads them as they are under their locks. They are given with all that are above them. */
export const lockGivenSessions = `${readSessions} ${locked}`;
/** The same; PostgreSQL finds those above them. */
export const lockSessionsUp = `SELECT ${columns} WHERE t.session_id IN (${withAncestors('$1::uuid[]')}) ${locked}`;
