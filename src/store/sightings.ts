import type { Phase } from '../schemas/decisions.ts';
import type { Sighting } from '../schemas/sightings.ts';

/** What a session keeps of the identifiers it has seen, by the digest of each. */
export interface SightingRows {
  readonly count: number;
  /** Whether there were more than may be kept. */
  readonly isFull: boolean;
  /** Oldest first; empty for one that was not seen. Must not be changed. */
  find(digest: string): readonly Sighting[];
  /** Those of the session's ancestors, the nearest first: they are read, and not written. */
  readonly inherited: readonly Pick<SightingRows, 'isFull' | 'find'>[];
}

export interface SightingWrites {
  /** To replace or to add. */
  writes: readonly { digest: string; sightings: readonly Sighting[] }[];
  /** Whether there are more than may be kept, from now on. */
  isFull: boolean;
}

export const noSightingWrites: SightingWrites = { writes: [], isFull: false };

export interface SightingStore {
  /** Deletes some of what sessions kept that were over before `before`, few enough not to hold up others. False when none is left. */
  forgetEnded(before: number): Promise<boolean>;
}

/** Kept of one identifier. */
const most = 5;

/**
 * The sightings with one more, oldest first; null when it adds nothing. One that only differs in its time is known. What the
 * agent said itself (ACTION) gives way to what it was told: it must not be able to push that out.
 */
export function withSighting(sightings: readonly Sighting[], one: Sighting): Sighting[] | null {
  if (sightings.some((other) => isSame(other, one))) return null;
  // That the agent says it again, with another tool, tells nothing of where it has it from.
  if (one.phase === 'ACTION' && sightings.some(({ phase }) => phase === 'ACTION')) return null;
  if (sightings.length < most) return [...sightings, one];
  const own = sightings.findLastIndex(({ phase }) => phase === 'ACTION');
  if (one.phase === 'ACTION' || own === -1) return null;
  return [...sightings.toSpliced(own, 1), one];
}

const isSame = (left: Sighting, right: Sighting): boolean =>
  left.tool === right.tool &&
  left.phase === right.phase &&
  left.whole === right.whole &&
  left.labels.length === right.labels.length &&
  left.labels.every((label) => right.labels.includes(label));

type SightingText = [seq: number, tool: string, phase: Phase, labels: readonly string[], whole: 0 | 1];

export const sightingsText = (sightings: readonly Sighting[]): string =>
  JSON.stringify(
    sightings.map(
      ({ seq, tool, phase, labels, whole }): SightingText => [seq, tool, phase, labels, whole ? 1 : 0],
    ),
  );

export const parseSightings = (text: string): Sighting[] =>
  (JSON.parse(text) as SightingText[]).map(([seq, tool, phase, labels, whole]) => ({
    seq,
    tool,
    phase,
    labels,
    whole: whole === 1,
  }));

/** The sightings of a child that is over, added to those of its parent; null when they add nothing. */
export function gatheredSightings(
  parent: readonly Sighting[],
  child: readonly Sighting[],
): readonly Sighting[] | null {
  let all = parent;
  for (const one of child) all = withSighting(all, one) ?? all;
  return all === parent ? null : all;
}
