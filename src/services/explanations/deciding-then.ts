import type { DecidingTools } from '../../evaluate/catalogue.ts';
import type { PolicyChecker } from '../../features/policies/checker.ts';
import type { CompiledPolicy, DecidingDocument } from '../../policy/compile-policy.ts';
import type { ListEntries } from '../../policy/environment.ts';
import { notKept, type Subject } from '../../policy/subject.ts';
import type { PolicyTerms, Store, StoredEvaluation } from '../../store/store.ts';
import type { KnownContent } from '../replay/known-content.ts';
import { compilingThen } from '../replay/policies-of-record.ts';
import { cataloguedFor, knownTool, unknownSightings } from '../replay/replayed-evaluation.ts';
import { finish } from '../steps.ts';

/** A policy as it decided an evaluation: with the params, the mode and the lists of then. */
export interface DecidedBy {
  document: DecidingDocument;
  policy: CompiledPolicy;
  /** Lists that it read, and whose entries of then are not known any more. */
  unknownLists: ReadonlySet<string>;
}

export const decidingThen =
  (store: Store, read: PolicyChecker['read']) =>
  async ({ id }: Pick<StoredEvaluation, 'id'>): Promise<DecidedBy[]> => {
    const decided: DecidedBy[] = [];
    for (const one of await store.evaluations.findTerms(id)) {
      const stored = await store.policies.findVersion(one.policyId, one.version);
      const { lists, unknown } = await listsOf(store, one);
      const document = stored && (await read(stored.document));
      const policy = document && (await finish(compilingThen(one, document, lists)));
      if (document && policy) decided.push({ document, policy, unknownLists: unknown });
    }
    return decided;
  };

async function listsOf(store: Store, { lists }: Pick<PolicyTerms, 'lists'>) {
  const known: Record<string, ListEntries[string]> = {};
  const unknown = new Set<string>();
  for (const { name, id, version } of lists) {
    const entries = await store.lists.findEntries(id, version);
    if (!entries) unknown.add(name);
    known[name] = entries ?? [];
  }
  return { lists: known, unknown };
}

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
