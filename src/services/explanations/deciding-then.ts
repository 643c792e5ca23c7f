import type { CompiledPolicy, ListEntries } from '../../engine/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { PolicyTerms, Store, StoredEvaluation } from '../../store/store.ts';
import { compileThen } from '../compile-then.ts';
import { createSteps } from '../steps.ts';

/** A policy as it decided an evaluation: with the params, the mode and the lists of then. */
export interface DecidedBy {
  document: PolicyDocument;
  policy: CompiledPolicy;
  /** False for evaluations from before the terms of bindings were kept: then `policy` is as its document says. */
  knowsTerms: boolean;
  /** Lists that it read, and whose entries of then are not known any more. */
  unknownLists: ReadonlySet<string>;
}

export const decidingThen =
  (store: Store) =>
  async ({ id, policies }: Pick<StoredEvaluation, 'id' | 'policies'>): Promise<DecidedBy[]> => {
    const kept = await store.evaluations.findTerms(id);
    const terms = kept ?? policies.map((one) => ({ ...one, params: '{}', mode: null, lists: [] }));
    const decided: DecidedBy[] = [];
    const step = createSteps();
    for (const one of terms) {
      const stored = await store.policies.findVersion(one.policyId, one.version);
      const { lists, unknown } = await listsOf(store, one);
      const compiled = compileThen(one, stored?.document ?? '', lists);
      if (compiled) decided.push({ ...compiled, knowsTerms: kept !== null, unknownLists: unknown });
      await step();
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
