import type { PolicyChecker } from '../../features/policies/checker.ts';
import type { CompiledPolicy, DecidingDocument } from '../../policy/compile-policy.ts';
import type { ListEntries } from '../../policy/environment.ts';
import type { PolicyTerms, Store, StoredEvaluation } from '../../store/store.ts';
import { compilingThen } from '../compile-then.ts';
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
