import { hash } from 'node:crypto';
import { type CompiledPolicy, checkPolicyDocument, type ListEntries } from '../../engine/index.ts';
import { parseJson } from '../../json/parse.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { PolicyTerms, Store, StoredEvaluation } from '../../store/store.ts';

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
    for (const one of terms) {
      const { policyId, version, params, mode } = one;
      const stored = await store.policies.findVersion(policyId, version);
      const given = parseJson(params) as Record<string, unknown>;
      const { document, compile } = checkPolicyDocument(stored?.document ?? '', {
        runTests: false,
        params: given,
      });
      if (!document || !compile) continue;
      const { lists, unknown } = await listsOf(store, one);
      const policy = compile(
        { policyId, policyVersion: version },
        { digest, lists, ...(mode !== null && { mode }) },
      );
      decided.push({ document, policy, knowsTerms: kept !== null, unknownLists: unknown });
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

const digest = (text: string): string => hash('sha256', text, 'base64url');
