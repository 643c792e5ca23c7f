import { createTwoFilesPatch } from 'diff';
import { canonicalJson } from '../json/canonical.ts';
import { policyChanges } from '../policy/document/policy-changes.ts';
import type { StoredPolicyVersion } from '../store/store.ts';

/**
 * Lines that differ at most, added and removed ones, before the documents are shown one after the other instead: to find the
 * shortest difference takes time with the square of it, and other requests wait meanwhile.
 */
const mostDifferingLines = 500;

/** What one version of a policy says differently from another. */
export interface VersionDiff {
  /** JSON text: a document may hold integers that only exact JSON keeps. */
  changes: string;
  /** The lines that differ. */
  text: string;
}

export const policyDiff = (from: StoredPolicyVersion, to: StoredPolicyVersion): VersionDiff => ({
  changes: canonicalJson(policyChanges(from.document, to.document)),
  text: unifiedDiff(from, to),
});

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
