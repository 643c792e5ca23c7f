import { createTwoFilesPatch } from 'diff';
import { policyChanges } from '../engine/index.ts';
import { canonicalJson } from '../json/canonical.ts';
import { parseForWriting } from '../json/parse.ts';
import type { PolicyDiff } from '../schemas/policies.ts';
import type { StoredPolicyVersion } from '../store/store.ts';

/**
 * Lines that differ at most, added and removed ones, before the documents are shown one after the other instead: to find the
 * shortest difference takes time with the square of it, and other requests wait meanwhile.
 */
const mostDifferingLines = 500;

/** What one version of a policy says differently from another. */
export function policyDiff(from: StoredPolicyVersion, to: StoredPolicyVersion): Omit<PolicyDiff, 'policyId'> {
  const changes = policyChanges(from.document, to.document);
  return {
    from: from.version,
    to: to.version,
    // A document may hold integers that only exact JSON keeps.
    changes: parseForWriting(canonicalJson(changes)) as PolicyDiff['changes'],
    text: unifiedDiff(from, to),
  };
}

function unifiedDiff(from: StoredPolicyVersion, to: StoredPolicyVersion): string {
  if (from.document === to.document) return '';
  const [before, after] = [titleOf(from), titleOf(to)];
  const patch = createTwoFilesPatch(before, after, from.document, to.document, undefined, undefined, {
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
    maxEditLength: mostDifferingLines,
  });
  return patch ?? `--- ${before}\n+++ ${after}\n${marked('-', from.document)}${marked('+', to.document)}`;
}

const titleOf = ({ name, version }: StoredPolicyVersion): string => `${name} version ${version}`;

const marked = (mark: string, document: string): string =>
  document
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}\n`)
    .join('');
