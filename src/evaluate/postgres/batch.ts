import type { ClientBase, QueryConfig } from 'pg';
import type { NewEvent } from '../../features/events/store.ts';
import { lockNames } from '../../store/postgres/locks.ts';
import { BatchCancellations } from '../../store/postgres/review-cancellations.ts';
import type { JoinedSession, NamedSession } from '../evaluation.ts';
import type { Quotas, Usage } from '../quotas.ts';
import { statusAt, type WrittenStatus } from '../session.ts';
import type { NewSession } from '../session-places.ts';
import { type BatchLocks, KnownSessions } from './batch-locks.ts';
import { BatchCounters, KnownSets } from './counters.ts';
import { EvaluationWrites } from './evaluation-rows.ts';
import { BatchKeys } from './idempotency.ts';
import { BatchPolicySets, KnownPolicySets } from './policy-sets.ts';
import { BatchChains } from './record-chains.ts';
import { HeldActions } from './review-rows.ts';
import { inserting, Rows, together, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';
import { SessionStates } from './session-states.ts';
import { SessionTrees } from './session-trees.ts';
import { BatchSightings } from './sightings.ts';

/** Facts that stay true from one batch to the next. */
export class Known {
  readonly sessions = new KnownSessions();
  readonly counterSets: KnownSets;
  readonly policySets = new KnownPolicySets();

  constructor(salt: string) {
    this.counterSets = new KnownSets(salt);
  }
}

/**
 * The reads and writes of one transaction for many jobs: evaluations, new sessions and ends of sessions. They are done one after
 * another, each on what those before it made of the rows; all is written once, at the end.
 */
export class Batch {
  readonly known: Known;
  readonly locks: BatchLocks;
  /** The revision of what decides for an integration, and what its counters are, as of the locks. */
  readonly integrations = new Rows<{ revision: number; counterSet: string | null }>({
    name: 'integrations',
    parts: 1,
    text: `SELECT i.id::text AS k0, i.revision, c.data AS "counterSet"
      FROM integrations i LEFT JOIN counter_sets c ON c.integration_id = i.id WHERE i.id = ANY($1::uuid[])`,
  });
  /** Evaluations that may have a result. */
  readonly actions = new Rows<{ integrationId: string; hasResult: boolean }>({
    name: 'actions',
    parts: 1,
    text: `SELECT e.id::text AS k0, e.integration_id::text AS "integrationId",
        EXISTS (SELECT 1 FROM evaluations r WHERE r.result_of = e.id) AS "hasResult"
      FROM evaluations e WHERE e.id = ANY($1::uuid[])`,
  });
  /** Ids of actions that got their result in this batch. */
  readonly withResult = new Set<string>();
  readonly sessions: SessionStates;
  readonly sightings = new BatchSightings();
  readonly trees: SessionTrees;
  readonly counters: BatchCounters;
  readonly held = new HeldActions();
  readonly cancellations = new BatchCancellations();
  readonly keys: BatchKeys;
  readonly names: BatchNames;
  readonly usage: BatchUsage;
  readonly chains: BatchChains;
  readonly policySets: BatchPolicySets;
  readonly evaluations: EvaluationWrites;
  readonly events: NewEvent[] = [];

  constructor(known: Known, locks: BatchLocks) {
    this.known = known;
    this.locks = locks;
    this.sessions = new SessionStates(locks);
    this.trees = new SessionTrees(this.sessions, this.sightings);
    this.counters = new BatchCounters(locks, known.counterSets, this.integrations);
    this.keys = new BatchKeys(locks, this.sessions);
    this.names = new BatchNames(locks, this.sessions);
    this.usage = new BatchUsage(locks);
    this.chains = new BatchChains(locks);
    this.policySets = new BatchPolicySets(known.policySets);
    this.evaluations = new EvaluationWrites(this.chains);
  }

  get #rows(): Rows<unknown>[] {
    const { integrations, actions, sessions, sightings, trees, counters, held, keys, names } = this;
    const { usage, chains, policySets } = this;
    return [
      ...[integrations, actions, sessions.rows, sessions.actions, sightings.rows, sightings.ofSession],
      ...[trees.counts, trees.children, counters.scopes, counters.cells, counters.entities.rows],
      ...[
        held.named,
        held.ofAction,
        held.rejections,
        held.rejectionsWithoutSession,
        held.pendingOfTree,
        held.grants,
        keys.rows,
        names.named,
        names.external,
      ],
      ...[usage.reviews, usage.sessions, usage.bytes, chains.heads, policySets.policies],
    ] as Rows<unknown>[];
  }
  /** Takes its locks, and reads the sessions that it locks. */
  async lock(client: ClientBase): Promise<void> {
    this.sessions.rows.keep(await this.locks.take(client));
  }
  get isWanting(): boolean {
    return this.#rows.some(({ isWanted }) => isWanted);
  }
  /** Reads what is wanted, in one round trip. */
  async load(client: ClientBase): Promise<void> {
    await Promise.all(this.#rows.filter(({ isWanted }) => isWanted).map((rows) => rows.load(client)));
  }

  get statements(): QueryConfig[] {
    const { sessions, held, counters } = this;
    const counted = counters.statements(sessions.writes.changed);
    return [
      ...this.policySets.statements,
      ...sessions.writes.statements,
      together(sessions.writes.stateStatement, this.evaluations.statement),
      this.evaluations.violationStatement,
      ...counted,
      this.trees.statement,
      this.sightings.statement,
      this.chains.statement,
      ...held.statements,
      ...this.cancellations.statements,
      this.usage.statement,
      ...this.names.statements,
      ...this.keys.statements,
    ].filter((statement) => statement !== null);
  }
}

const namedSessionRows = {
  name: 'named sessions',
  parts: 2,
  text: `SELECT integration_id::text AS k0, name AS k1, session_id::text AS "sessionId", used_at AS "usedAt"
    FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, name) JOIN named_sessions USING (integration_id, name)`,
};
// The limit bounds what a key can make others wait for with very many sessions of one name.
const externalSessionRows = {
  name: 'external sessions',
  parts: 2,
  text: `SELECT k.integration_id::text AS k0, k.external AS k1, s.id::text, s.status, s.expires_at AS "expiresAt"
    FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, external) CROSS JOIN LATERAL (
      SELECT id, status, expires_at, started_at FROM evaluation_sessions
      WHERE integration_id = k.integration_id AND md5(external_session_id) = md5(k.external)
        AND external_session_id = k.external
      ORDER BY started_at DESC, id DESC LIMIT 100
    ) s ORDER BY s.started_at DESC, s.id DESC`,
};

/** The sessions that names and external ids stand for, in one batch. */
class BatchNames {
  readonly named = new Rows<{ sessionId: string; usedAt: number }>(namedSessionRows);
  readonly external = new Rows<WrittenStatus & { id: string }>(externalSessionRows);
  readonly #locks: BatchLocks;
  readonly #sessions: SessionStates;
  readonly #used = new Map<string, { of: [string, string]; sessionId: string; usedAt: number }>();
  /** Opened in this batch, the last one first. */
  readonly #opened = new Map<string, SessionState[]>();
  #forgetUntil = Number.POSITIVE_INFINITY;

  constructor(locks: BatchLocks, sessions: SessionStates) {
    this.#locks = locks;
    this.#sessions = sessions;
  }

  wantNamed(integrationId: string, name: string): void {
    this.#locks.name(lockNames.sessionName(integrationId, name));
    this.named.want(integrationId, name);
  }
  wantExternal(integrationId: string, externalId: string): void {
    this.#locks.name(lockNames.externalId(integrationId, externalId));
    this.external.want(integrationId, externalId);
  }

  /** The live session of the name; null when there is none. */
  findNamed(integrationId: string, { name, usedAfter }: NamedSession, now: number): SessionState | null {
    const used = this.#used.get(`${integrationId} ${name}`) ?? this.named.one(integrationId, name);
    if (!used || used.usedAt <= usedAfter) return null;
    const session = this.#sessions.find(integrationId, used.sessionId);
    return session && statusAt(session, now) === 'ACTIVE' ? session : null;
  }
  /** The newest ACTIVE session with the external id; null when there is none. */
  findExternal(
    integrationId: string,
    { externalSessionId }: JoinedSession,
    now: number,
  ): SessionState | null {
    const opened = this.#opened.get(`${integrationId} ${externalSessionId}`) ?? [];
    for (const { id } of [
      ...opened,
      ...this.external.of(integrationId, externalSessionId).filter(isActiveAt(now)),
    ]) {
      const session = this.#sessions.find(integrationId, id);
      if (session && statusAt(session, now) === 'ACTIVE') return session;
    }
    return null;
  }

  opened(session: SessionState): void {
    const { integrationId, externalSessionId } = session.row;
    const key = `${integrationId} ${externalSessionId}`;
    this.#opened.set(key, [session, ...(this.#opened.get(key) ?? [])]);
  }

  /** Makes the session that of the name. The times of parallel requests come out of order: an older one shortens nothing. */
  use(integrationId: string, { name, usedAfter }: NamedSession, sessionId: string, now: number): void {
    const key = `${integrationId} ${name}`;
    const before = this.#used.get(key)?.usedAt ?? 0;
    this.#used.set(key, { of: [integrationId, name], sessionId, usedAt: Math.max(before, now) });
    this.#forgetUntil = Math.min(this.#forgetUntil, usedAfter);
  }

  /** Forgets two names out of use for each that is used: the table cannot grow faster than it shrinks. */
  get statements(): (QueryConfig | null)[] {
    if (this.#used.size === 0) return [];
    const rows = new WrittenRows(
      'use names',
      { integration_id: 'uuid', name: 'text', session_id: 'uuid', used_at: 'bigint' },
      inserting(
        'named_sessions AS n',
        `ON CONFLICT (integration_id, name) DO UPDATE SET session_id = excluded.session_id,
          used_at = greatest(n.used_at, excluded.used_at)`,
      ),
    );
    for (const { of, sessionId, usedAt } of this.#used.values())
      rows.add({ integration_id: of[0], name: of[1], session_id: sessionId, used_at: usedAt });
    const forget = {
      name: 'forget names',
      text: `DELETE FROM named_sessions WHERE (integration_id, name) IN (SELECT integration_id, name FROM named_sessions
        WHERE used_at <= $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [this.#forgetUntil, 2 * this.#used.size],
    };
    return [forget, rows.statement];
  }
}

const isActiveAt =
  (now: number) =>
  (session: WrittenStatus): boolean =>
    statusAt(session, now) === 'ACTIVE';

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);

/**
 * The usage that quotas limit, of the integrations of a batch. Evaluations that use a quota are counted one after another; one that uses none takes no
 * lock and counts nothing.
 */
class BatchUsage {
  // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
  readonly reviews = new Rows<{ count: number }>({
    name: 'pending reviews',
    parts: 2,
    text: `SELECT k.id::text AS k0, k.at::text AS k1,
        (SELECT count(*) FROM reviews r
          WHERE r.integration_id = k.id AND r.expires_at > k.at AND r.status = 'PENDING') AS count
      FROM unnest($1::uuid[], $2::bigint[]) AS k(id, at)`,
  });
  readonly sessions = new Rows<{ count: number }>({
    name: 'open sessions',
    parts: 2,
    text: `SELECT k.id::text AS k0, k.at::text AS k1,
        (SELECT count(*) FROM evaluation_sessions s
          WHERE s.integration_id = k.id AND s.status = 'ACTIVE' AND s.expires_at > k.at) AS count
      FROM unnest($1::uuid[], $2::bigint[]) AS k(id, at)`,
  });
  readonly bytes = new Rows<{ bytes: number }>({
    name: 'bytes of a day',
    parts: 2,
    text: `SELECT integration_id::text AS k0, day::text AS k1, bytes
      FROM unnest($1::uuid[], $2::int[]) AS k(integration_id, day) JOIN integration_usage USING (integration_id, day)`,
  });
  readonly #locks: BatchLocks;
  /** When an integration is counted: once for a batch, whose jobs are milliseconds apart. */
  readonly #countedAt = new Map<string, string>();
  readonly #added = new Map<string, { reviews: number; sessions: number; bytes: Map<number, number> }>();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  /** Asks for the usage that a change will most likely need; the rest is read when it is needed. */
  want(integrationId: string, quotas: Quotas, at: number, opensSession: boolean): void {
    const { maxOpenSessions, maxBytesPerDay } = quotas;
    const countsSessions = opensSession && maxOpenSessions !== null;
    if (countsSessions || maxBytesPerDay !== null) this.#locks.name(lockNames.quota(integrationId));
    if (countsSessions) this.sessions.want(...this.#counted(integrationId, at));
    if (maxBytesPerDay !== null) this.bytes.want(integrationId, String(dayOf(at)));
  }
  #counted(integrationId: string, at: number): [string, string] {
    const countedAt = this.#countedAt.get(integrationId) ?? String(at);
    this.#countedAt.set(integrationId, countedAt);
    return [integrationId, countedAt];
  }

  of(integrationId: string, at: number): Omit<Usage, 'pendingReviewsOfSession'> {
    const lock = () => this.#locks.name(lockNames.quota(integrationId));
    const added = this.#added.get(integrationId);
    const bytesOf = (day: number) => this.bytes.one(integrationId, String(day))?.bytes ?? 0;
    const count = (what: 'reviews' | 'sessions'): number => {
      lock();
      const row = this[what].one(...this.#counted(integrationId, at));
      return (row?.count ?? 0) + (added?.[what] ?? 0);
    };
    return {
      pendingReviews: () => count('reviews'),
      openSessions: () => count('sessions'),
      bytesToday() {
        lock();
        const day = dayOf(at);
        return bytesOf(day) + (added?.bytes.get(day) ?? 0);
      },
      byteLength: Buffer.byteLength,
    };
  }

  add(
    integrationId: string,
    at: number,
    more: { review: boolean; opens: NewSession | null; bytes: number },
  ): void {
    let added = this.#added.get(integrationId);
    if (!added) {
      added = { reviews: 0, sessions: 0, bytes: new Map() };
      this.#added.set(integrationId, added);
    }
    if (more.review) added.reviews++;
    if (more.opens) added.sessions++;
    if (more.bytes > 0) added.bytes.set(dayOf(at), (added.bytes.get(dayOf(at)) ?? 0) + more.bytes);
  }

  get statement() {
    const rows = new WrittenRows(
      'add usage',
      { integration_id: 'uuid', day: 'int', bytes: 'bigint' },
      (source, columns) => `INSERT INTO integration_usage AS u (${columns}) SELECT ${columns} FROM ${source}
        ON CONFLICT (integration_id) DO UPDATE SET
          bytes = excluded.bytes + CASE WHEN u.day = excluded.day THEN u.bytes ELSE 0 END, day = excluded.day`,
    );
    for (const [id, { bytes }] of this.#added) {
      // The row is that of the last day alone.
      const day = Math.max(...bytes.keys());
      const count = bytes.get(day);
      if (count !== undefined) rows.add({ integration_id: id, day, bytes: count });
    }
    return rows.statement;
  }
}
