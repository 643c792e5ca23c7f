import type { Ancestor } from '../../store/loaded-evaluation.ts';
import { statusAt } from '../../store/session-progress.ts';
import { gatherMarks } from '../../store/session-trees.ts';
import { gatheredSightings } from '../../store/sightings.ts';
import type { MemorySession } from './memory-session.ts';

/** The sessions above a session, from its parent on. `isNew`: the session is still to be opened. */
export function ancestorsOf(parent: MemorySession | null, isNew: boolean, at: number): Ancestor[] {
  const ancestors: Ancestor[] = [];
  for (let next = parent; next; next = next.parent) {
    gather(next, at);
    const { status, expiresAt, dataTags, labels, monitoredLabels, sightings, sightingsFull, children } = next;
    ancestors.push({
      status,
      expiresAt,
      dataTags,
      labels,
      monitoredLabels,
      childCount: isNew && ancestors.length === 0 ? children.length : 0,
      sightings: { isFull: sightingsFull, find: (digest) => sightings.get(digest) ?? [] },
    });
  }
  return ancestors;
}

/** What is known of children that are over counts for their parent from now on. */
export function gather(session: MemorySession, at: number): void {
  const over = session.children.filter((child) => statusAt(child, at) !== 'ACTIVE');
  session.children = session.children.filter((child) => !over.includes(child));
  for (const child of over) {
    gather(child, at);
    gatherMarks(session, child);
    for (const [digest, sightings] of child.sightings) {
      const gathered = gatheredSightings(session.sightings.get(digest) ?? [], sightings);
      if (gathered !== null) session.sightings.set(digest, gathered);
    }
    session.sightingsFull ||= child.sightingsFull;
  }
}

/** Ends a session and what is below it. */
export function end(session: MemorySession): void {
  session.status = 'COMPLETED';
  for (const child of session.children) end(child);
}
