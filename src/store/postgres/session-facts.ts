import type { ClientBase } from 'pg';

/** What never changes of a session: enough to say which locks it needs. */
export interface SessionFacts {
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
