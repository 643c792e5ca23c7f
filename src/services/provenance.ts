import { hash } from 'node:crypto';
import { identifierOf, mentionsIn, type SightingReadings } from '../engine/index.ts';
import type { Phase } from '../schemas/decisions.ts';
import { mostIdentifiers, type Sighting } from '../schemas/sightings.ts';
import { parseSightings, sightingsText, withSighting } from '../store/sightings.ts';
import type { SightingRows, SightingWrites } from '../store/store.ts';

/** What is asked of a content: the identifiers in it, as digests. */
export interface ProvenanceRequest {
  phase: Phase;
  /** Of the installation: digests say nothing to who has a list of likely values, and not the salt. */
  salt: string;
}

/** Digests of the identifiers in a content, and whether each was a whole field; null when there are too many. */
export type Mentioned = readonly (readonly [digest: string, whole: boolean])[] | null;

/** 132 bits: nobody finds two identifiers with the same one. */
const digestOf = (salt: string, identifier: string): string =>
  hash('sha256', `${salt} ${identifier}`, 'base64url').slice(0, 22);

export function mentionedIn(contents: readonly unknown[], { phase, salt }: ProvenanceRequest): Mentioned {
  const mentions = mentionsIn(contents, phase);
  return mentions && [...mentions].map(([identifier, whole]) => [digestOf(salt, identifier), whole] as const);
}

/** What rules read of a session's sightings. */
export const readingsOf = (rows: SightingRows, salt: string): SightingReadings => ({
  find(value) {
    const identifier = identifierOf(value);
    if (identifier === null) return [];
    const all = [rows, ...rows.inherited];
    if (all.some(({ isFull }) => isFull)) return `the session has more than ${mostIdentifiers} identifiers`;
    const digest = digestOf(salt, identifier);
    return all.flatMap((one) => parseSightings(one.find(digest)));
  },
});

export const noReadings: SightingReadings = { find: () => [] };

/** What is kept of a content that was let through. */
export function sightingWrites(
  mentioned: Mentioned,
  of: Omit<Sighting, 'whole'>,
  rows: SightingRows,
): SightingWrites {
  if (mentioned === null || rows.isFull) return { writes: [], isFull: true };
  let fresh = 0;
  const writes = mentioned.flatMap(([digest, whole]) => {
    const before = rows.find(digest);
    const after = withSighting(parseSightings(before), { ...of, whole });
    if (after === null) return [];
    if (before === null) fresh++;
    return [{ digest, data: sightingsText(after) }];
  });
  return rows.count + fresh > mostIdentifiers ? { writes: [], isFull: true } : { writes, isFull: false };
}
