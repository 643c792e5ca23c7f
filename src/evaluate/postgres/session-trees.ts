import type { EndStatus } from '../../features/sessions/schema.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';
import type { Ancestor } from '../port.ts';
import { countEvaluation, gatherMarks, statusAt, TreeCounts, type WrittenStatus } from '../session.ts';
import type { NewSession } from '../session-places.ts';
import { rootIdOf, type SessionPlace } from '../session-places.ts';
import { gatheredSightings } from '../sightings.ts';
import { inserting, orElse, Rows, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import type { BatchSightings } from './sightings.ts';

interface Child extends WrittenStatus {
  id: string;
}

/** The root of a tree, as counters need it. It may be opened only now. */
export interface CountedRoot {
  readonly id: string;
  readonly integrationId: string;
  /** Whether nothing is recorded in the tree. */
  readonly isEmpty: boolean;
}

/** Sessions and their children, in one batch. */
export class SessionTrees {
  readonly counts = new Rows<{ counts: string }>({
    name: 'trees',
    parts: 1,
    text: 'SELECT root_uid::text AS k0, counts FROM session_trees WHERE root_uid = ANY($1::uuid[])',
  });
  /** Children that are not gathered. */
  readonly children = new Rows<Child>({
    name: 'children',
    parts: 1,
    text: `SELECT parent_uid::text AS k0, id::text, status, expires_at AS "expiresAt" FROM evaluation_sessions
      WHERE parent_uid = ANY($1::uuid[]) AND NOT gathered ORDER BY id`,
  });
  readonly #sessions: SessionStates;
  readonly #sightings: BatchSightings;
  readonly #counts = new Map<string, TreeCounts>();
  readonly #changed = new Set<string>();
  /** Opened in this batch, by their parent. */
  readonly #opened = new Map<string, SessionState[]>();

  constructor(sessions: SessionStates, sightings: BatchSightings) {
    this.#sessions = sessions;
    this.#sightings = sightings;
  }

  #childrenOf(parent: SessionState): Child[] {
    const { writes } = this.#sessions;
    const there = writes.isNew(parent) ? [] : this.children.of(parent.id);
    return [...there, ...(this.#opened.get(parent.id) ?? [])]
      .filter(({ id }) => !writes.isGathered(id))
      .map((child) => this.#sessions.peek(child.id) ?? child);
  }
  #parentOf({ parentId }: SessionPlace): SessionState {
    const parent = this.#sessions.findAny(parentId);
    if (!parent) throw new Error(`the session ${parentId} is a parent and missing`);
    return parent;
  }
  #read(rootId: string): TreeCounts | null {
    const known = this.#counts.get(rootId);
    if (known) return known;
    const row = this.counts.one(rootId);
    if (!row) return null;
    const counts = TreeCounts.parse(row.counts);
    this.#counts.set(rootId, counts);
    return counts;
  }

  /** The parent of this place and those above it, with what is known of their children that are over. */
  ancestorsOf(place: SessionPlace | null, isNew: boolean, now: number): Ancestor[] {
    const ancestors: Ancestor[] = [];
    for (let next = place; next; ) {
      const parent = this.#parentOf(next);
      this.gather(parent, now);
      ancestors.push({
        status: parent.status,
        expiresAt: parent.expiresAt,
        dataTags: parent.dataTags,
        labels: parent.labels,
        monitoredLabels: parent.monitoredLabels,
        childCount: isNew && ancestors.length === 0 ? this.#childrenOf(parent).length : 0,
        sightings: {
          isFull: parent.sightingsFull,
          find: (digest) => orElse(() => this.#sightings.find(parent, digest), []),
        },
      });
      next = parent.place;
    }
    return ancestors;
  }

  /** The counts of the tree; those of the parent alone for its first child; null for a session that is alone. */
  countsOf(session: SessionState | null, opens: NewSession | null): TreeCounts | null {
    if (session) return session.place || session.row.hasChildren ? this.#read(session.rootId) : null;
    if (!opens?.place) return null;
    return this.#read(opens.place.rootId) ?? new TreeCounts(this.#parentOf(opens.place));
  }

  /** A child was opened. */
  begin(opened: SessionState, counts: TreeCounts): void {
    if (!opened.place) return;
    this.#counts.set(opened.place.rootId, counts);
    this.#changed.add(opened.place.rootId);
    const parent = this.#parentOf(opened.place);
    const siblings = this.#opened.get(parent.id);
    if (siblings) siblings.push(opened);
    else this.#opened.set(parent.id, [opened]);
    if (parent.row.hasChildren) return;
    parent.row.hasChildren = true;
    this.#sessions.writes.changeRow(parent);
  }

  advance(session: SessionState, counts: TreeCounts, evaluation: NewEvaluation, verdict: Verdict): void {
    countEvaluation(counts, evaluation, verdict);
    this.#changed.add(session.rootId);
  }

  /** A person rejected an action of the session. */
  countRejection(session: SessionState): void {
    const counts = this.countsOf(session, null);
    session.rejectionCount++;
    this.#sessions.writes.change(session);
    if (!counts) return;
    counts.rejectionCount++;
    this.#changed.add(session.rootId);
  }

  /** From now on, the marks of ended children count for their parent. May be done again after `NotLoaded`. */
  gather(session: SessionState, now: number): void {
    if (!session.row.hasChildren) return;
    for (const child of this.#childrenOf(session))
      if (statusAt(child, now) !== 'ACTIVE') this.#gatherOne(session, this.#below(child), now);
  }
  #below({ id }: Child): SessionState {
    return this.#sessions.findBelow(id) as SessionState;
  }
  #gatherOne(parent: SessionState, child: SessionState, now: number): void {
    this.gather(child, now);
    gatherMarks(parent, child);
    for (const { digest, sightings } of this.#sightings.all(child)) {
      if (parent.sightingsFull) break;
      const before = this.#sightings.find(parent, digest);
      const gathered = gatheredSightings(before, sightings);
      if (gathered === null) continue;
      if (before.length === 0 && parent.sightingCount >= this.#sightings.most) parent.sightingsFull = true;
      else this.#sightings.write(parent, digest, gathered);
    }
    parent.sightingsFull ||= child.sightingsFull;
    this.#sessions.writes.gather(child);
    this.#sessions.writes.change(parent);
  }

  /** A result that adds to an ended session adds to the sessions above it as well. May be done again after `NotLoaded`. */
  gatherLate(session: SessionState, now: number): void {
    for (let child = session; child.place && statusAt(child, now) !== 'ACTIVE'; ) {
      const parent = this.#parentOf(child.place);
      this.#gatherOne(parent, child, now);
      child = parent;
    }
  }
  /** Reads what `gatherLate` will need for a digest that is new. Throws `NotLoaded`. */
  prepareLate(session: SessionState, digest: string, now: number): void {
    for (let child = session; child.place && statusAt(child, now) !== 'ACTIVE'; ) {
      child = this.#parentOf(child.place);
      this.#sightings.find(child, digest);
    }
  }

  /** Ends what is below the session, and gathers what is known of it. May be done again after `NotLoaded`. */
  endBelow(
    session: SessionState,
    status: EndStatus,
    now: number,
    onEnd: (child: SessionState) => void,
  ): void {
    if (!session.row.hasChildren) return;
    for (const one of this.#childrenOf(session)) {
      const child = this.#below(one);
      this.endBelow(child, status, now, onEnd);
      if (statusAt(child, now) === 'ACTIVE') {
        this.#sessions.end(child, status, now);
        onEnd(child);
      }
      this.#gatherOne(session, child, now);
    }
  }

  /** `found`: the session, when it is there. */
  rootOf(
    session: Pick<NewSession, 'id' | 'place'>,
    integrationId: string,
    found: SessionState | null,
  ): CountedRoot {
    const isRoot = session.place === null;
    const root = isRoot ? found : this.#sessions.findAny(rootIdOf(session));
    if (!root) return { id: session.id, integrationId, isEmpty: true };
    const { id, recordCount, row } = root;
    return {
      id,
      integrationId: row.integrationId,
      isEmpty: recordCount === 0 && !row.hasChildren,
    };
  }

  get statement() {
    const rows = new WrittenRows(
      'write trees',
      { root_uid: 'uuid', counts: 'text' },
      inserting('session_trees', 'ON CONFLICT (root_uid) DO UPDATE SET counts = excluded.counts'),
    );
    for (const rootId of this.#changed)
      rows.add({ root_uid: rootId, counts: this.#counts.get(rootId)?.text ?? '' });
    return rows.statement;
  }
}
