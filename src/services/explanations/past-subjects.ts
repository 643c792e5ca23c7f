import type { DecidingTools } from '../../evaluate/catalogue.ts';
import type { Subject, Unknowns } from '../../policy/subject.ts';
import type { StoredEvaluation } from '../../store/store.ts';
import type { KnownContent } from '../replay/known-content.ts';
import { cataloguedFor } from '../replay/replayed-evaluation.ts';

/** The tool catalogue of an integration as it is now; nothing else of it is kept. */
export interface Catalogue {
  tools: DecidingTools;
  changedAt: number;
}

export function subjectOf(
  evaluation: StoredEvaluation,
  {
    content,
    catalogue,
    reads,
    ...rest
  }: Pick<Subject, 'integration' | 'session' | 'toolsMentioned' | 'counters'> & {
    content: KnownContent;
    catalogue: Catalogue;
    reads: ReadonlySet<string>;
  },
): Subject {
  return {
    ...rest,
    input: content.input,
    targetKey: evaluation.targetKey ?? '',
    tool: evaluation.tool,
    phase: evaluation.phase,
    catalogued: cataloguedFor(evaluation, content, catalogue),
    resultStatus: evaluation.resultStatus ?? '',
    cost: evaluation.cost ?? undefined,
    dataTags: evaluation.dataTags,
    detections: content.detections,
    now: evaluation.createdAt,
    sightings: { find: () => 'they are not known any more' },
    unknowns: unknownsOf(evaluation, content, catalogue, reads),
  };
}

const neverKnown = ['session.repeats', 'session.grants'];

function unknownsOf(
  { createdAt }: StoredEvaluation,
  { hidesInput, hidesTargetKey }: KnownContent,
  { changedAt }: Catalogue,
  reads: ReadonlySet<string>,
): Unknowns {
  const catalogued = changedAt > createdAt;
  const found = hidesInput || hidesTargetKey || catalogued || neverKnown.some((path) => reads.has(path));
  return { found, targetKey: hidesTargetKey, catalogued, dataTags: false, repeats: true, grants: true };
}
