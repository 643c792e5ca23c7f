import { hash } from 'node:crypto';
import { type CompiledPolicy, checkPolicyDocument, type ListEntries } from '../engine/index.ts';
import { parseJson } from '../json/parse.ts';
import type { PolicyDocument } from '../schemas/policy-documents.ts';
import type { PolicyTerms } from '../store/store.ts';

/** Counters are told apart by it: equal definitions, and only those, have equal digests. */
const digest = (text: string): string => hash('sha256', text, 'base64url');

/** A policy compiled as it took part in a decision. Null for a document that does not pass the check any more. */
export function compileThen(
  { policyId, version, params, mode }: Omit<PolicyTerms, 'lists'>,
  text: string,
  lists: ListEntries,
): { document: PolicyDocument; policy: CompiledPolicy } | null {
  const given = parseJson(params) as Record<string, unknown>;
  const { document, compile } = checkPolicyDocument(text, { runTests: false, params: given });
  if (!document || !compile) return null;
  const identity = { policyId, policyVersion: version };
  return { document, policy: compile(identity, { digest, lists, ...(mode !== null && { mode }) }) };
}
