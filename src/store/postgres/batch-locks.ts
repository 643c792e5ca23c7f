import type { ClientBase } from 'pg';
import { lockByNumber, sortedNumbers } from './locks.ts';
import type { Keyed } from './rows.ts';
import type { KnownSessions } from './session-facts.ts';
import { lockGivenSessions, lockSessionsUp } from './session-rows.ts';
import type { SessionRow } from './session-state.ts';

/** A lock is missing that can only be taken together with all others, in their order: the transaction begins again. */
export class NotLocked extends Error {}

/** The locks of a batch. What is asked for once they are taken is added, and taken when the batch begins again. */
export class BatchLocks {
  readonly #names = new Set<string>();
  readonly #sessions = new Set<string>();
  /** Those that were there, and those above them. */
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
  /** Of a session that will be asked for: it is read with its lock. */
  wantSession(id: string): void {
    this.#sessions.add(id);
  }
  /** Of a session that is there. */
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
    // Of the others, PostgreSQL looks up which are above them.
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
