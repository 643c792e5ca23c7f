import type { DecidingTools } from '../../evaluate/catalogue.ts';
import { notKept, type Subject } from '../../policy/subject.ts';
import type { StoredEvaluation } from '../../store/store.ts';
import type { KnownContent } from '../replay/known-content.ts';
import { cataloguedFor, knownTool, unknownSightings } from '../replay/replayed-evaluation.ts';

/** The tool catalogue of an integration as it is now; nothing else of it is kept. */
export interface Catalogue {
  tools: DecidingTools;
  changedAt: number;
}

/** A recorded evaluation as the counters of policies read it. Repetitions, grants and sightings are unknown. */
export function subjectOf(
  evaluation: StoredEvaluation,
  {
    content,
    catalogue,
    ...rest
  }: Pick<Subject, 'integration' | 'session' | 'toolsMentioned' | 'counters'> & {
    content: KnownContent;
    catalogue: Catalogue;
  },
): Subject {
  return {
    ...rest,
    input: content.input,
    targetKey: content.hidesTargetKey ? notKept : (evaluation.targetKey ?? ''),
    tool: evaluation.tool,
    phase: evaluation.phase,
    ...(evaluation.phase === 'RESULT' && { actionArguments: notKept }),
    catalogued: knownTool(cataloguedFor(evaluation, content, catalogue), {
      catalogued: catalogue.changedAt > evaluation.createdAt,
      catalogueArguments: content.hidesInput && evaluation.phase === 'ACTION',
    }),
    resultStatus: evaluation.resultStatus ?? '',
    cost: evaluation.cost ?? undefined,
    identity: evaluation.identity,
    dataTags: evaluation.dataTags,
    detections: content.detections,
    now: evaluation.createdAt,
    repeats: notKept,
    grants: notKept,
    sightings: unknownSightings,
  };
}
