import { identifierOf, type Mention, type Mentions, mayBeIdentifier } from '../policy/mentions.ts';
import {
  anyAuthor,
  type FieldAuthors,
  type SeenSighting,
  type SightingReadings,
  seenSighting,
} from '../policy/seen.ts';
import type { Phase } from '../schemas/decisions.ts';
import { dayMs } from '../schemas/durations.ts';
import { mostIdentifiers, type Sighting } from '../schemas/session-context.ts';

/** The sightings of identifiers in a session, by the digest of each identifier. */
export interface SightingRows {
  readonly count: number;
  /** Whether there were more than may be kept. */
  readonly isFull: boolean;
  /** Oldest first; empty for one that was not seen. Must not be changed. */
  find(digest: string): readonly Sighting[];
  /** What a new sighting in the agent's own words would add to this digest's sightings, if that is known without reading those. */
  ownAdds?(digest: string): OwnAdds;
  /** Sightings of the session's ancestors, the nearest first: they are read, and not written. */
  readonly inherited: readonly Pick<SightingRows, 'isFull' | 'find'>[];
}

/** The result of `ownAdds`. Null when only reading the sightings can tell. */
export type OwnAdds = 'the first' | 'nothing' | null;

export interface SightingWrites {
  /** To replace or to add. */
  writes: readonly { digest: string; sightings: readonly Sighting[] }[];
  /** Whether there are more than may be kept, from now on. */
  isFull: boolean;
}

export const noSightingWrites: SightingWrites = { writes: [], isFull: false };

/**
 * How long what an ended session has seen is kept for a session that continues it. From then on asking there is an error:
 * what was forgotten must not look new.
 */
export const continuableMs = 7 * dayMs;

export interface SightingStore {
  /**
   * Deletes some of what sessions kept that were over before `before` and that their parents know, or whose tree came to an end
   * then: it is TERMINATED, or has been at rest for `continuableMs`. Few enough not to hold up others. False when none is left.
   */
  forgetEnded(before: number): Promise<boolean>;
}

/** Kept of one identifier. */
const most = 5;

/**
 * The sightings with one more, oldest first; null when it adds nothing. A sighting that only differs in its time is known. A sighting in
 * the agent's own words (ACTION) gives way to one from elsewhere: the agent must not be able to push that out.
 */
export function withSighting(sightings: readonly Sighting[], one: Sighting): Sighting[] | null {
  if (one.phase === 'ACTION') {
    // An agent that repeats a value, with whatever tool, says nothing about where it got it.
    return addsNoOwn(sightings) ? null : [...sightings, one];
  }
  if (sightings.some((other) => isSame(other, one))) return null;
  if (sightings.length < most) return [...sightings, one];
  const own = sightings.findLastIndex(({ phase }) => phase === 'ACTION');
  if (own === -1) return null;
  return [...sightings.toSpliced(own, 1), one];
}

/** Whether a sighting in the agent's own words adds nothing to these. */
export const addsNoOwn = (sightings: readonly Sighting[]): boolean =>
  sightings.length >= most || sightings.some(({ phase }) => phase === 'ACTION');

const isSame = (left: Sighting, right: Sighting): boolean =>
  left.tool === right.tool &&
  left.phase === right.phase &&
  left.whole === right.whole &&
  left.field === right.field &&
  left.labels.length === right.labels.length &&
  left.labels.every((label) => right.labels.includes(label));

/** Empty members at the end are left out. */
type SightingText = [
  seq: number,
  tool: string,
  phase: Phase,
  labels: readonly string[],
  whole: 0 | 1,
  field?: string,
  origin?: string,
];

export const sightingsText = (sightings: readonly Sighting[]): string =>
  JSON.stringify(
    sightings.map(
      ({ seq, tool, phase, labels, whole, field, origin }): SightingText =>
        origin !== ''
          ? [seq, tool, phase, labels, whole ? 1 : 0, field, origin]
          : field === ''
            ? [seq, tool, phase, labels, whole ? 1 : 0]
            : [seq, tool, phase, labels, whole ? 1 : 0, field],
    ),
  );

export const parseSightings = (text: string): Sighting[] =>
  (JSON.parse(text) as SightingText[]).map(([seq, tool, phase, labels, whole, field = '', origin = '']) => ({
    seq,
    tool,
    phase,
    labels,
    whole: whole === 1,
    field,
    origin,
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

/** Tells who writes the field of a sighting. Null where no rule asks. */
export type AuthorsOf = ((sighting: Sighting) => FieldAuthors) | null;

/** A session's sightings, as rules read them. */
export const readingsOf = (
  rows: SightingRows,
  digestOf: (written: string) => string | null,
  authorsOf: AuthorsOf,
): SightingReadings => {
  // Several rules ask for the same few values, and a digest costs more than all else.
  const known = new Map<string, readonly SeenSighting[] | string>();
  const found = (value: string): readonly Sighting[] | string => {
    if (!mayBeIdentifier(value)) return noSightings;
    const digest = digestOf(value);
    if (digest === null && identifierOf(value) === null) return noSightings;
    if (rows.isFull || rows.inherited.some(({ isFull }) => isFull)) return unknown;
    if (digest === null) return noSightings;
    const own = rows.find(digest);
    return rows.inherited.length === 0 ? own : [...own, ...rows.inherited.flatMap((one) => one.find(digest))];
  };
  return {
    find(value) {
      let sightings = known.get(value);
      if (sightings === undefined) {
        const all = found(value);
        sightings =
          typeof all === 'string' ? all : all.map((one) => seenSighting(one, authorsOf?.(one) ?? anyAuthor));
        known.set(value, sightings);
      }
      return sightings;
    },
  };
};

const noSightings: readonly Sighting[] = [];

const unknown = `the session has more than ${mostIdentifiers} identifiers, or continues one that ended ${continuableMs / dayMs} days ago`;

export const noReadings: SightingReadings = { find: () => [] };

/** The sightings to write for content that was let through. `of.origin` is that of all its records. */
export function sightingWrites(
  mentioned: Mentions,
  of: Omit<Sighting, 'whole' | 'field'>,
  rows: SightingRows,
): SightingWrites {
  if (mentioned === null || rows.isFull) return { writes: [], isFull: true };
  const { seq, tool, phase, labels } = of;
  // Neighbours that were not seen before share their list: those that are all of a field, and those that are a part of a text.
  let whole: Mention | null = null;
  let wholes: readonly [Sighting] | null = null;
  let part: Mention | null = null;
  let parts: readonly [Sighting] | null = null;
  let latest = 0;
  let origin = '';
  const sightingAt = (mention: Mention): readonly [Sighting] => {
    if (mention === whole && wholes) return wholes;
    if (mention === part && parts) return parts;
    const { field, record } = mention;
    if (record !== latest) {
      latest = record;
      origin = record === 0 ? '' : `${of.origin}/${record}`;
    }
    const list = [{ seq, tool, phase, labels, whole: field !== null, field: field ?? '', origin }] as const;
    if (field === null) {
      part = mention;
      parts = list;
    } else {
      whole = mention;
      wholes = list;
    }
    return list;
  };
  let fresh = 0;
  const writes: { digest: string; sightings: readonly Sighting[] }[] = [];
  const isOwn = phase === 'ACTION';
  for (const [digest, mention] of mentioned) {
    const adds = isOwn && rows.ownAdds ? rows.ownAdds(digest) : null;
    if (adds === 'nothing') continue;
    const before = adds === 'the first' ? noSightings : rows.find(digest);
    if (before.length === 0) {
      fresh++;
      writes.push({ digest, sightings: sightingAt(mention) });
      continue;
    }
    const sightings = withSighting(before, sightingAt(mention)[0]);
    if (sightings !== null) writes.push({ digest, sightings });
  }
  return rows.count + fresh > mostIdentifiers ? { writes: [], isFull: true } : { writes, isFull: false };
}
