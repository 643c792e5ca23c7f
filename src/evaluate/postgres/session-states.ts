import type { QueryConfig } from 'pg';
import type { EndStatus } from '../../features/sessions/schema.ts';
import { recentActionsLimit } from '../../features/sessions/words.ts';
import { parseList } from '../../store/rows.ts';
import type { NewEvaluation, NewSession, SessionAction, Verdict } from '../../store/store.ts';
import { advance, findingsOf } from '../session.ts';
import { type BatchLocks, readSessions } from './batch-locks.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import { type SessionRow, SessionState } from './session-state.ts';

interface ActionRow {
  seq: number;
  tool: string;
  targetKey: string | null;
  dataTags: string | null;
  enforcementAction: SessionAction['enforcementAction'];
  severity: SessionAction['severity'];
  violations: string | null;
  labels: string | null;
  repeats: number | null;
  at: number;
}

/** The sessions that a batch works on. */
export class SessionStates {
  readonly rows = new Rows<SessionRow>({
    name: 'sessions',
    parts: 1,
    key: 'id',
    text: readSessions,
  });
  readonly actions = new Rows<ActionRow>({
    name: 'recent actions',
    parts: 1,
    text: `SELECT k.id::text AS k0, e.seq, e.tool, e.target_key AS "targetKey", e.data_tags AS "dataTags",
        e.enforcement_action AS "enforcementAction", e.enforced_severity AS severity, e.violations, e.labels, e.repeats,
        e.created_at AS at
      FROM unnest($1::uuid[]) AS k(id) CROSS JOIN LATERAL (
        SELECT * FROM evaluations WHERE session_id = k.id AND seq IS NOT NULL ORDER BY position DESC LIMIT 50
      ) e ORDER BY e.position DESC`,
  });
  readonly #locks: BatchLocks;
  readonly #states = new Map<string, SessionState>();
  readonly #withActions = new Set<SessionState>();
  readonly writes = new SessionWrites();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  /** Null when the integration has no such session. */
  find(integrationId: string, id: string): SessionState | null {
    const state = this.findAny(id);
    return state?.row.integrationId === integrationId ? state : null;
  }
  /** Finds a session of any integration. */
  findAny(id: string): SessionState | null {
    const state = this.#states.get(id) ?? this.findBelow(id);
    if (state && !this.writes.isNew(state)) this.#locks.session(id);
    return state;
  }
  /** Finds a session whose lock is covered by the lock of a session above it. */
  findBelow(id: string): SessionState | null {
    const known = this.#states.get(id);
    if (known) return known;
    const row = this.rows.one(id);
    return row && this.#keep(new SessionState(row));
  }
  /** When it was opened or changed in this batch. */
  peek(id: string): SessionState | null {
    return this.#states.get(id) ?? null;
  }
  #keep(state: SessionState): SessionState {
    this.#states.set(state.id, state);
    return state;
  }

  open({ place, ...session }: NewSession): SessionState {
    const { parentId = null, ...rest } = place ?? {};
    const none = {
      actionCount: 0,
      otherCount: 0,
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      rejectionCount: 0,
      chainSeq: 0,
    };
    const empty = {
      dataTags: '[]',
      labels: '[]',
      monitoredLabels: '[]',
      toolCounts: '[]',
      stoppedCounts: '[]',
    };
    const state = this.#keep(
      new SessionState({
        ...session,
        ...none,
        ...empty,
        status: 'ACTIVE',
        endedAt: null,
        parentUid: parentId,
        place: place === null ? null : JSON.stringify(rest),
        hasChildren: false,
        endsWhenIdle: session.endsWhenIdle ?? false,
        counters: null,
        chainHash: null,
        sightingCount: 0,
        sightingsFull: false,
      }),
    );
    this.#withActions.add(state);
    this.writes.open(state);
    return state;
  }

  /** Until it is called, a state has only those of this batch. */
  readRecentActions(state: SessionState): void {
    if (this.#withActions.has(state)) return;
    const before = this.actions.of(state.id).map(
      ({ violations, ...row }): SessionAction => ({
        ...row,
        ...findingsOf(parseList(violations)),
        labels: parseList(row.labels),
        dataTags: parseList(row.dataTags),
      }),
    );
    state.recentActions = [...state.recentActions, ...before].slice(0, recentActionsLimit);
    this.#withActions.add(state);
  }

  advance(state: SessionState, evaluation: NewEvaluation, verdict: Verdict): void {
    advance(state, evaluation, verdict);
    this.writes.change(state);
  }

  end(state: SessionState, status: EndStatus, endedAt: number): void {
    Object.assign(state.row, { status, endedAt });
    this.writes.changeRow(state);
    if (state.place) this.writes.noteEnd(state);
  }
}

const listText = (list: readonly string[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

const stateTypes = {
  session_id: 'uuid',
  action_count: 'int',
  other_count: 'int',
  warning_count: 'int',
  block_count: 'int',
  review_count: 'int',
  rejection_count: 'int',
  data_tags: 'text',
  labels: 'text',
  monitored_labels: 'text',
  tool_counts: 'text',
  stopped_counts: 'text',
  counters: 'bytea',
  chain_seq: 'bigint',
  chain_hash: 'text',
  sighting_count: 'int',
  sightings_full: 'boolean',
} as const;
type StateColumn = keyof typeof stateTypes;

const valuesOf = (state: SessionState) => ({
  session_id: state.id,
  action_count: state.actionCount,
  other_count: state.otherCount,
  warning_count: state.warningCount,
  block_count: state.blockCount,
  review_count: state.reviewCount,
  rejection_count: state.rejectionCount,
  data_tags: listText(state.dataTags),
  labels: listText(state.labels),
  monitored_labels: listText(state.monitoredLabels),
  tool_counts: JSON.stringify([...state.toolCounts]),
  stopped_counts: JSON.stringify([...state.stoppedCounts]),
  counters: state.counterBytes,
  chain_seq: state.chainSeq,
  chain_hash: state.chainHash,
  sighting_count: state.sightingCount,
  sightings_full: state.sightingsFull,
});

const updating = (rows: string): string => {
  const set = Object.keys(stateTypes).filter((column) => column !== 'session_id');
  return `UPDATE session_states s SET ${set.map((column) => `${column} = rows.${column}`).join(', ')}
    FROM ${rows} WHERE s.session_id = rows.session_id`;
};

/** The rows that a batch writes of its sessions: each once, as it is at the end. */
class SessionWrites {
  readonly #opened = new Set<SessionState>();
  readonly #changed = new Set<SessionState>();
  readonly #changedRows = new Set<SessionState>();
  readonly #gathered = new Set<string>();
  readonly #changes = new WrittenRows(
    'write session changes',
    { session_id: 'uuid', kind: 'text', review_id: 'uuid' },
    inserting('session_changes'),
  );

  isNew(state: SessionState): boolean {
    return this.#opened.has(state);
  }
  /** Opened or changed. */
  get changed(): SessionState[] {
    return [...this.#opened, ...this.#changed];
  }
  open(state: SessionState): void {
    this.#opened.add(state);
  }
  change(state: SessionState): void {
    this.#changed.add(state);
  }
  /** Rows of `evaluation_sessions`. */
  changeRow(state: SessionState): void {
    this.#changedRows.add(state);
  }
  gather(state: SessionState): void {
    this.#gathered.add(state.id);
    this.changeRow(state);
  }
  isGathered(id: string): boolean {
    return this.#gathered.has(id);
  }
  /** From the end of a child on, its marks count for its parent. */
  noteEnd(state: SessionState): void {
    this.#changes.add({ session_id: state.id, kind: 'ENDED', review_id: null });
  }
  noteRejection(state: SessionState, reviewId: string): void {
    this.#changes.add({ session_id: state.id, kind: 'REJECTED', review_id: reviewId });
  }

  /** Writes the states of sessions that existed. */
  get stateStatement(): QueryConfig | null {
    const changed = new WrittenRows<StateColumn>('update states', stateTypes, updating);
    for (const state of this.#changed) if (!this.isNew(state)) changed.add(valuesOf(state));
    return changed.statement;
  }
  /** Writes everything else. */
  get statements(): (QueryConfig | null)[] {
    const sessions = new WrittenRows(
      'insert sessions',
      {
        id: 'uuid',
        integration_id: 'uuid',
        status: 'text',
        entity_id: 'text',
        external_session_id: 'text',
        metadata: 'text',
        started_at: 'bigint',
        expires_at: 'bigint',
        ended_at: 'bigint',
        parent_uid: 'uuid',
        root_uid: 'uuid',
        place: 'text',
        has_children: 'boolean',
        gathered: 'boolean',
        ends_when_idle: 'boolean',
      },
      inserting('evaluation_sessions'),
    );
    const opened = new WrittenRows<StateColumn>('insert states', stateTypes, inserting('session_states'));
    for (const state of this.#opened) {
      const { row } = state;
      sessions.add({
        id: row.id,
        integration_id: row.integrationId,
        status: row.status,
        entity_id: row.entityId,
        external_session_id: row.externalSessionId,
        metadata: row.metadata,
        started_at: row.startedAt,
        expires_at: row.expiresAt,
        ended_at: row.endedAt,
        parent_uid: row.parentUid,
        root_uid: state.place?.rootId ?? null,
        place: row.place,
        has_children: row.hasChildren,
        gathered: this.#gathered.has(row.id),
        ends_when_idle: row.endsWhenIdle ?? false,
      });
      opened.add(valuesOf(state));
    }
    const rows = new WrittenRows(
      'update sessions',
      { id: 'uuid', status: 'text', ended_at: 'bigint', has_children: 'boolean', gathered: 'boolean' },
      (source) => `UPDATE evaluation_sessions s SET status = rows.status, ended_at = rows.ended_at,
        has_children = rows.has_children, gathered = s.gathered OR rows.gathered FROM ${source} WHERE s.id = rows.id`,
    );
    for (const state of this.#changedRows) {
      const { id, status, endedAt, hasChildren } = state.row;
      if (this.isNew(state)) continue;
      rows.add({
        id,
        status,
        ended_at: endedAt,
        has_children: hasChildren,
        gathered: this.#gathered.has(id),
      });
    }
    return [sessions.statement, opened.statement, rows.statement, this.#changes.statement];
  }
}
