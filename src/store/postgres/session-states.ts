import { advance, findingsOf } from '../../evaluate/session.ts';
import { type EndStatus, recentActionsLimit } from '../../schemas/evaluation-sessions.ts';
import { parseList } from '../parse-list.ts';
import type { NewEvaluation, NewSession, SessionAction, Verdict } from '../store.ts';
import type { BatchLocks } from './batch-locks.ts';
import { Rows } from './rows.ts';
import { readSessions } from './session-rows.ts';
import { type SessionRow, SessionState } from './session-state.ts';
import { SessionWrites } from './session-writes.ts';

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
  /** Of any integration. */
  findAny(id: string): SessionState | null {
    const state = this.#states.get(id) ?? this.findBelow(id);
    if (state && !this.writes.isNew(state)) this.#locks.session(id);
    return state;
  }
  /** Of a session whose lock is covered by that of one above it. */
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
