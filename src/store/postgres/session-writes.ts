import type { QueryConfig } from 'pg';
import type { SessionState } from './session-state.ts';
import { inserting, WrittenRows } from './written-rows.ts';

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

/** What a batch writes of its sessions: each once, as it is at the end. */
export class SessionWrites {
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
  /** What is in `evaluation_sessions`. */
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
  /** What is known of a child counts for its parent from its end on. */
  noteEnd(state: SessionState): void {
    this.#changes.add({ session_id: state.id, kind: 'ENDED', review_id: null });
  }
  noteRejection(state: SessionState, reviewId: string): void {
    this.#changes.add({ session_id: state.id, kind: 'REJECTED', review_id: reviewId });
  }

  /** Of the states of sessions that were there. */
  get stateStatement(): QueryConfig | null {
    const changed = new WrittenRows<StateColumn>('update states', stateTypes, updating);
    for (const state of this.#changed) if (!this.isNew(state)) changed.add(valuesOf(state));
    return changed.statement;
  }
  /** Of all else. */
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
