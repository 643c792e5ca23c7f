import { hash } from 'node:crypto';
import type { PolicyTerms } from '../evaluate/evaluation.ts';
import { parseJson } from '../json/parse.ts';
import {
  type CompiledPolicy,
  compilingPolicy,
  type DecidingDocument,
  UncheckedPolicy,
} from '../policy/compile-policy.ts';
import { checkPolicyDocument, compileOnly } from '../policy/document/check-policy-document.ts';
import type { ListEntries } from '../policy/environment.ts';

/** Counters are told apart by it: equal definitions, and only those, have equal digests. */
const digest = (text: string): string => hash('sha256', text, 'base64url');

type Terms = Omit<PolicyTerms, 'lists'>;
const paramsOf = ({ params }: Terms) => parseJson(params) as Record<string, unknown>;

/** A policy compiled as it took part in a decision. Null for a document that does not pass the check any more. */
export function compileThen(terms: Terms, text: string, lists: ListEntries): CompiledPolicy | null {
  const { compile } = checkPolicyDocument(text, { ...compileOnly, params: paramsOf(terms) });
  return compile?.(identityOf(terms), optionsOf(terms, lists)) ?? null;
}

/** The same of a document that was read, with a pause after each rule. Null for params that do not fit it any more. */
export function* compilingThen(
  terms: Terms,
  document: DecidingDocument,
  lists: ListEntries,
): Generator<void, CompiledPolicy | null> {
  try {
    const options = { ...optionsOf(terms, lists), given: paramsOf(terms) };
    return yield* compilingPolicy(document, identityOf(terms), options);
  } catch (error) {
    if (!(error instanceof UncheckedPolicy)) throw error;
    return null;
  }
}

const identityOf = ({ policyId, version }: Terms) => ({ policyId, policyVersion: version });
const optionsOf = ({ mode }: Terms, lists: ListEntries) => ({
  digest,
  lists,
  ...(mode !== null && { mode }),
});
