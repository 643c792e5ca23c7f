import type { Ancestor } from '../../../evaluate/port.ts';
import { gatherMarks, statusAt } from '../../../evaluate/session.ts';
import { gatheredSightings } from '../../../evaluate/sightings.ts';
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

/** Counts a child that is over for its parent, from now on. */
export function gather(session: MemorySession, at: number): void {
  const over = session.children.filter((child) => statusAt(child, at) !== 'ACTIVE');
  session.children = session.children.filter((child) => !over.includes(child));
  for (const child of over) {
    gather(child, at);
    gatherOne(session, child);
  }
}

function gatherOne(parent: MemorySession, child: MemorySession): void {
  gatherMarks(parent, child);
  for (const [digest, sightings] of child.sightings) {
    const gathered = gatheredSightings(parent.sightings.get(digest) ?? [], sightings);
    if (gathered !== null) parent.sightings.set(digest, gathered);
  }
  parent.sightingsFull ||= child.sightingsFull;
}

/** Counts the result of a session that is over for those above it as well. */
export function gatherLate(session: MemorySession, at: number): void {
  for (let child = session; child.parent && statusAt(child, at) !== 'ACTIVE'; child = child.parent)
    gatherOne(child.parent, child);
}

/** Ends a session and what is below it. */
export function end(session: MemorySession, at: number): void {
  session.status = 'COMPLETED';
  session.endedAt = at;
  for (const child of session.children) end(child, at);
}
