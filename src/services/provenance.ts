import { identifierOf, type Mentions, mentionsIn, type SightingReadings } from '../engine/index.ts';
import type { Phase } from '../schemas/decisions.ts';
import { mostIdentifiers, type Sighting } from '../schemas/sightings.ts';
import { withSighting } from '../store/sightings.ts';
import type { SightingRows, SightingWrites } from '../store/store.ts';
import { digestOf, digestsWith } from './identifier-digests.ts';

/** What is asked of a content: the identifiers in it, as digests. */
export interface ProvenanceRequest {
  phase: Phase;
  /** Of the installation: digests say nothing to who has a list of likely values, and not the salt. */
  salt: string;
}

/** The identifiers in a content by their digests. */
export const mentionedIn = (contents: readonly unknown[], { phase, salt }: ProvenanceRequest): Mentions =>
  mentionsIn(contents, phase, digestsWith(salt));

/** What rules read of a session's sightings. */
export const readingsOf = (rows: SightingRows, salt: string): SightingReadings => ({
  find(value) {
    const identifier = identifierOf(value);
    if (identifier === null) return [];
    const all = [rows, ...rows.inherited];
    if (all.some(({ isFull }) => isFull)) return `the session has more than ${mostIdentifiers} identifiers`;
    const digest = digestOf(salt, identifier);
    return all.flatMap((one) => one.find(digest));
  },
});

export const noReadings: SightingReadings = { find: () => [] };

/** What is kept of a content that was let through. */
export function sightingWrites(
  mentioned: Mentions,
  of: Omit<Sighting, 'whole'>,
  rows: SightingRows,
): SightingWrites {
  if (mentioned === null || rows.isFull) return { writes: [], isFull: true };
  const [part, whole] = [
    { ...of, whole: false },
    { ...of, whole: true },
  ];
  // Shared by all that were not seen before.
  const [firstPart, firstWhole] = [[part], [whole]];
  let fresh = 0;
  const writes: { digest: string; sightings: readonly Sighting[] }[] = [];
  for (const [digest, isWhole] of mentioned) {
    const before = rows.find(digest);
    if (before.length === 0) {
      fresh++;
      writes.push({ digest, sightings: isWhole ? firstWhole : firstPart });
      continue;
    }
    const sightings = withSighting(before, isWhole ? whole : part);
    if (sightings !== null) writes.push({ digest, sightings });
  }
  return rows.count + fresh > mostIdentifiers ? { writes: [], isFull: true } : { writes, isFull: false };
}
