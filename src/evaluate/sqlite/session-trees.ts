import { and, count, eq, lte, ne, or, sql } from 'drizzle-orm';
import type { FoundParent } from '../../features/sessions/store.ts';
import type { Sighting } from '../../schemas/session-context.ts';
import { integrations } from '../../sql/sqlite/tables.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { evaluationSessions, sessionTrees } from '../../store/sqlite/tables/evaluation-sessions.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';
import type { Ancestor } from '../port.ts';
import { countEvaluation, gatherMarks, statusAt, TreeCounts } from '../session.ts';
import { type NewSession, rootIdOf, type SessionPlace } from '../session-places.ts';
import { gatheredSightings } from '../sightings.ts';
import type { CountedRoot } from './counter-scopes.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import type { SightingsOfStore } from './sightings.ts';

/** Sessions and their children. Synchronous: all but the reads run inside a change. */
export interface SessionTrees {
  /** The parent of this place and those above it, with what is known of their children that are over. */
  ancestorsOf(place: SessionPlace | null, isNew: boolean, now: number): Ancestor[];
  /** The counts of the tree; those of the parent alone for its first child; null for a session that is alone. */
  countsOf(session: SessionState | null, opens: NewSession | null): TreeCounts | null;
  /** A child was opened. */
  begin(opened: NewSession, counts: TreeCounts): void;
  advance(session: SessionState, counts: TreeCounts, evaluation: NewEvaluation, verdict: Verdict): void;
  /** A person rejected an action of the session. */
  countRejection(session: SessionState): void;
  /** From now on, the marks of ended children count for their parent. */
  gather(session: SessionState, now: number): void;
  /** A result that adds to an ended session adds to the sessions above it as well. */
  gatherLate(session: SessionState, now: number): void;
  /** Ends what is below the session, and gathers what is known of it. */
  endBelow(
    session: SessionState,
    status: 'COMPLETED' | 'TERMINATED',
    now: number,
    onEnd: (child: SessionState) => void,
  ): void;
  find(id: string, now: number): FoundParent | null;
  /** The root of a session, as counters need it. It may be the session itself, and not stored yet. */
  rootOf(session: Pick<NewSession, 'id' | 'place'>, integrationRow: number): CountedRoot;
}

export function createSessionTrees(
  { db }: Pick<Sqlite, 'db'>,
  sessions: SessionStates,
  sightings: SightingsOfStore,
): SessionTrees {
  const isOfParent = (id: string) =>
    and(eq(evaluationSessions.parentUid, id), sql`${evaluationSessions.gathered} = 0`);

  function parentOf({ parentId }: SessionPlace): SessionState {
    const parent = sessions.findAny(parentId);
    if (!parent) throw new Error(`the session ${parentId} is a parent and missing`);
    return parent;
  }

  function read(rootId: string): TreeCounts | null {
    const row = db.select().from(sessionTrees).where(eq(sessionTrees.rootUid, rootId)).get();
    return row ? TreeCounts.parse(row.counts) : null;
  }

  function write(rootUid: string, { text: counts }: TreeCounts): void {
    db.insert(sessionTrees)
      .values({ rootUid, counts })
      .onConflictDoUpdate({ target: sessionTrees.rootUid, set: { counts } })
      .run();
  }

  function gatherOne(parent: SessionState, child: SessionState, now: number): void {
    gather(child, now);
    gatherMarks(parent, child);
    const writes: { digest: string; sightings: readonly Sighting[] }[] = [];
    let left = sightings.most - parent.sightingCount;
    for (const { digest, sightings: ofChild } of sightings.all(child)) {
      if (parent.sightingsFull) break;
      const before = sightings.find(parent, digest);
      const gathered = gatheredSightings(before, ofChild);
      if (gathered === null) continue;
      if (before.length === 0 && left-- <= 0) parent.sightingsFull = true;
      else writes.push({ digest, sightings: gathered });
    }
    sightings.write(parent, writes);
    parent.sightingsFull ||= child.sightingsFull;
    db.update(evaluationSessions).set({ gathered: 1 }).where(eq(evaluationSessions.id, child.row.id)).run();
    sessions.touch(parent);
  }

  /** When the first of its children is over; one that was ended is. */
  function nextEndBelow(session: SessionState): number {
    const end = sql<
      number | null
    >`min(iif(${evaluationSessions.status} = 'ACTIVE', ${evaluationSessions.expiresAt}, 0))`;
    const found = db.select({ end }).from(evaluationSessions).where(isOfParent(session.id)).get();
    return found?.end ?? Number.POSITIVE_INFINITY;
  }

  function gather(session: SessionState, now: number): void {
    if (!session.row.hasChildren) return;
    session.nextEndBelow ??= nextEndBelow(session);
    if (session.nextEndBelow > now) return;
    const isOver = or(ne(evaluationSessions.status, 'ACTIVE'), lte(evaluationSessions.expiresAt, now));
    const over = db
      .select({ id: evaluationSessions.uid })
      .from(evaluationSessions)
      .where(and(isOfParent(session.id), isOver))
      .all();
    for (const { id } of over) gatherOne(session, sessions.findAny(id) as SessionState, now);
    session.nextEndBelow = null;
  }

  function endBelow(...[session, status, now, onEnd]: Parameters<SessionTrees['endBelow']>): void {
    if (!session.row.hasChildren) return;
    const open = db
      .select({ id: evaluationSessions.uid })
      .from(evaluationSessions)
      .where(isOfParent(session.id))
      .all();
    for (const { id } of open) {
      const child = sessions.findAny(id) as SessionState;
      endBelow(child, status, now, onEnd);
      if (statusAt(child, now) === 'ACTIVE') {
        sessions.end(child, status, now);
        onEnd(child);
      }
      gatherOne(session, child, now);
    }
  }

  return {
    ancestorsOf(place, isNew, now) {
      const ancestors: Ancestor[] = [];
      for (let next = place; next; ) {
        const parent = parentOf(next);
        gather(parent, now);
        const childCount =
          isNew && ancestors.length === 0
            ? (db.select({ total: count() }).from(evaluationSessions).where(isOfParent(parent.id)).get()
                ?.total ?? 0)
            : 0;
        ancestors.push({
          status: parent.status,
          expiresAt: parent.expiresAt,
          dataTags: parent.dataTags,
          labels: parent.labels,
          monitoredLabels: parent.monitoredLabels,
          childCount,
          sightings: {
            isFull: parent.sightingsFull,
            find: (digest) => sightings.find(parent, digest),
          },
        });
        next = parent.place;
      }
      return ancestors;
    },

    countsOf(session, opens) {
      if (session) return session.place || session.row.hasChildren ? read(session.rootId) : null;
      if (!opens?.place) return null;
      return read(opens.place.rootId) ?? new TreeCounts(parentOf(opens.place));
    },

    begin({ place }, counts) {
      if (!place) return;
      write(place.rootId, counts);
      const parent = parentOf(place);
      parent.nextEndBelow = null;
      if (parent.row.hasChildren) return;
      db.update(evaluationSessions)
        .set({ hasChildren: 1 })
        .where(eq(evaluationSessions.id, parent.row.id))
        .run();
      parent.row.hasChildren = 1;
    },

    advance(session, counts, evaluation, verdict) {
      countEvaluation(counts, evaluation, verdict);
      write(session.rootId, counts);
    },

    countRejection(session) {
      session.rejectionCount++;
      sessions.touch(session);
      if (!session.place && !session.row.hasChildren) return;
      const counts = read(session.rootId);
      if (!counts) return;
      counts.rejectionCount++;
      write(session.rootId, counts);
    },

    gather,

    gatherLate(session, now) {
      for (let child = session; child.place && statusAt(child, now) !== 'ACTIVE'; ) {
        const parent = parentOf(child.place);
        gatherOne(parent, child, now);
        child = parent;
      }
    },

    endBelow,

    rootOf(session, integrationRow) {
      const root = sessions.findAny(rootIdOf(session));
      if (!root) return { id: session.id, integrationRow, isEmpty: true };
      const { id, recordCount, row } = root;
      return {
        id,
        integrationRow: row.integrationId,
        isEmpty: recordCount === 0 && !row.hasChildren,
      };
    },

    find(id, now) {
      const parent = sessions.read(null, id.toLowerCase());
      if (!parent) return null;
      const owner = db
        .select({ id: integrations.id, settings: integrations.settings })
        .from(integrations)
        .where(eq(integrations.row, parent.row.integrationId))
        .get();
      if (!owner) throw new Error('the integration of a session is missing');
      const { delegatesTo = [] } = JSON.parse(owner.settings) as { delegatesTo?: string[] };
      return {
        id: parent.id,
        integrationId: owner.id,
        place: parent.place,
        status: statusAt(parent, now),
        entityId: parent.entityId,
        expiresAt: parent.expiresAt,
        delegatesTo,
      };
    },
  };
}
