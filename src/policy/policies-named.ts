import { listOf } from './check-tests.ts';
import { readDocument } from './read-document.ts';
import { isRecord } from './records.ts';

/** The names of other policies that a document's tests run with, each once. Of a text that is no document: none. */
export function policiesNamedIn(source: string): string[] {
  // Most documents name none, and reading one takes longer than looking for the key.
  if (!source.includes('with')) return [];
  const { value } = readDocument(source);
  const tests = isRecord(value) ? listOf(value.tests) : [];
  const names = tests.flatMap((test) => (Array.isArray(test.with) ? test.with : []));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
