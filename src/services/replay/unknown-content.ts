import type { Unknowns } from '../../policy/subject.ts';
import type { ReplayRow } from '../../store/replay.ts';
import type { KnownContent } from './known-content.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { ReplayedOf } from './replayed-evaluation.ts';
import type { ReplayedSession } from './replayed-sessions.ts';

/** What is not known of an evaluation, as far as its policies can read it. */
export function unknownsOf(
  { createdAt, repeats }: ReplayRow,
  { needs, reads, readsCatalogue, detectsAnew }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { integration, session, isScanned }: ReplayedOf & { isScanned: boolean },
): Unknowns {
  const isPartial = hidesInput || hidesTargetKey;
  const catalogued = readsCatalogue && integration.stored.toolsChangedAt > createdAt;
  const tags = (detectsAnew && !isScanned) || (session?.hidesTags ?? false);
  const dataTags =
    tags && ['dataTags', 'detections', 'session.dataTags', 'tree'].some((root) => reads.has(root));
  const counted = repeats !== null || !(isPartial || session?.hidesRepeats);
  const hidden = {
    targetKey: hidesTargetKey,
    catalogued,
    dataTags,
    repeats: needs.repeats && !counted,
    grants: reads.has('session.grants'),
  };
  const seen = needs.sightings && (isPartial || (session?.hidesSightings ?? false));
  return { found: hidesInput || seen || Object.values(hidden).includes(true), ...hidden };
}

/** What the session cannot know any more, because this content was not known. */
export function markHidden(
  session: ReplayedSession,
  { detectsAnew, needs }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { dataTags }: Unknowns,
): void {
  const isPartial = hidesInput || hidesTargetKey;
  session.hidesTags ||= dataTags || (detectsAnew && isPartial);
  session.hidesRepeats ||= isPartial;
  session.hidesSightings ||= isPartial;
  if (isPartial && needs.sightings) session.sightingsFull = true;
}
