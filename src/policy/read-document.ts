import { Composer } from 'yaml';
import { offsetOf } from './document-places.ts';
import { jsonValue, maxDepth } from './json-value.ts';
import { createLineIndex } from './line-index.ts';
import { type DocumentPath, type PolicyIssue, pointerOf, readablePath } from './policy-issue.ts';
import { quotedStartHint } from './quoted-start.ts';
import { tokensOf } from './tokens.ts';

const maxCharacters = 256 * 1_024;

/** Makes an issue about a place in a document. */
export type ReportAt = (
  path: DocumentPath,
  issue: { code: string; message: string; hint?: string },
  /** `key`: the key itself is wrong. A number: the offset inside the text that stands there. */
  place?: 'value' | 'key' | number,
) => PolicyIssue;

/** Called for every mistake, with its place. */
export type OnIssue = (...about: Parameters<ReportAt>) => void;

export interface ReadDocument {
  /** Plain JSON; undefined when the text is not one JSON value in YAML or JSON. */
  value: unknown;
  issues: PolicyIssue[];
  report: ReportAt;
}

/**
 * Reads YAML or JSON into plain JSON values with positions. Refuses all YAML that JSON cannot express: anchors and
 * aliases (a small text that expands to gigabytes), tags, directives, several documents, duplicate keys, infinite
 * numbers and NaN, `__proto__` as a key.
 */
export function readDocument(source: string): ReadDocument {
  const placeOf = createLineIndex(source);
  const at = (
    offset: number,
    path: DocumentPath,
    issue: { code: string; message: string; hint?: string },
  ) => {
    return { ...placeOf(offset), path: pointerOf(path), ...issue };
  };
  const refuse = (code: string, message: string): ReadDocument => {
    const report: ReportAt = (path, issue) => at(0, path, issue);
    return { value: undefined, issues: [at(0, [], { code, message })], report };
  };
  if (source.length > maxCharacters) {
    return refuse('too_large', `the document is longer than ${maxCharacters} characters`);
  }
  const tokens = tokensOf(source, maxDepth);
  if (tokens === null) return refuse('too_deep', `the document nests deeper than ${maxDepth} levels`);
  const composer = new Composer({
    schema: 'core',
    stringKeys: true,
    // Every integer as a bigint: a number would have lost digits. What fits a number becomes one in jsonValue.
    intAsBigInt: true,
    prettyErrors: false,
    // The library compares every pair of keys, which is quadratic. jsonValue finds duplicates instead.
    uniqueKeys: false,
  });
  const documents = [...composer.compose(tokens, true, source.length)];
  const [document, second] = documents as [(typeof documents)[0], (typeof documents)[0] | undefined];
  const report: ReportAt = (path, issue, place = 'value') =>
    at(offsetOf(document.contents, source, path, place), path, issue);
  // The first error only: those after a syntax error are mostly caused by it.
  const issues = [...document.errors, ...document.warnings].slice(0, 1).map((error) => {
    const issue = { code: 'invalid_yaml', message: lowerFirst(error.message) };
    const hint = quotedStartHint(source, error.pos[0]);
    return at(error.pos[0], [], hint === null ? issue : { ...issue, hint });
  });
  if (document.directives.yaml.explicit === true || Object.keys(document.directives.tags).length > 1) {
    issues.push(at(0, [], { code: 'unsupported_yaml', message: 'directives are not supported' }));
  }
  if (document.contents === null && second === undefined && issues.length === 0)
    return refuse('empty', 'the document is empty');
  if (second) {
    const place = second.range[0];
    issues.push(at(place, [], { code: 'unsupported_yaml', message: 'only one document is supported' }));
  }
  const value = jsonValue(document.contents, [], (offset, path, code, message) =>
    issues.push(at(offset, path, { code, message: `${readablePath(path)}: ${message}` })),
  );
  return { value: issues.length === 0 ? value : undefined, issues, report };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
