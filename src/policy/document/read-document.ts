import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type YAMLMap,
} from 'yaml';
import { type DocumentPath, type PolicyIssue, pointerOf, readablePath } from './policy-issue.ts';

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

interface ReadDocument {
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
    const hint = oneLineHint(source) ?? quotedStartHint(source, error.pos[0]);
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

/** Deepest nesting of collections, the outermost included. */
const maxDepth = 32;

/** As many as an integer of a request may have. */
const maxDigits = 1_024;

/** Called for everything that is not JSON: offset in the source, path, error code, message. */
type Refuse = (offset: number, path: DocumentPath, code: string, message: string) => void;

/** The plain value of a composed YAML node. */
function jsonValue(node: unknown, path: DocumentPath, refuse: Refuse): unknown {
  const start = startOf(node);
  if (isAlias(node)) refuse(start, path, 'unsupported_yaml', 'aliases are not supported');
  refuseDecoration(node, path, refuse);
  if ((isSeq(node) || isMap(node)) && path.length >= maxDepth) {
    return void refuse(start, path, 'too_deep', `nests deeper than ${maxDepth} levels`);
  }
  if (isSeq(node)) return node.items.map((item, index) => jsonValue(item, [...path, index], refuse));
  if (isMap(node)) return objectOf(node, path, refuse);
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'bigint') return integer(value, node, path, refuse);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    refuse(start, path, 'not_json', 'the number is not one that JSON can carry');
  }
  return value;
}

function objectOf({ items }: YAMLMap, path: DocumentPath, refuse: Refuse): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const here = [...path, key];
    refuseDecoration(pair.key, here, refuse);
    // Assigned to an ordinary object it would replace the prototype instead of adding a key.
    if (key === '__proto__') refuse(startOf(pair.key), here, 'forbidden_key', 'this key is not allowed');
    else if (Object.hasOwn(object, key)) {
      refuse(startOf(pair.key), here, 'duplicate_key', 'the key is given twice');
    } else object[key] = jsonValue(pair.value, here, refuse);
  }
  return object;
}

/** As in JSON of a request: a number where that is exact, else a bigint. */
function integer(value: bigint, node: unknown, path: DocumentPath, refuse: Refuse): number | bigint {
  const double = Number(value);
  if (Number.isSafeInteger(double)) return double;
  const { source = '' } = node as { source?: string };
  if (source.length > maxDigits) {
    refuse(startOf(node), path, 'not_json', `the number has more than ${maxDigits} digits`);
  }
  return value;
}

function refuseDecoration(node: unknown, path: DocumentPath, refuse: Refuse): void {
  const { anchor, tag } = (node ?? {}) as { anchor?: string; tag?: string };
  if (anchor) refuse(startOf(node), path, 'unsupported_yaml', 'anchors are not supported');
  if (tag) refuse(startOf(node), path, 'unsupported_yaml', 'tags are not supported');
}

/** Where a node starts in the source; 0 for none. */
function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

/** The offset of `path` in the source; of the nearest enclosing value when it does not exist (a missing key). */
function offsetOf(
  root: unknown,
  source: string,
  path: DocumentPath,
  place: 'value' | 'key' | number,
): number {
  let node = root;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (pair === undefined) return offset;
      if (place === 'key' && index === path.length - 1) return startOf(pair.key);
      node = pair.value;
      offset = startOf(isScalar(node) && node.source === '' ? pair.key : node);
    } else if (isSeq(node)) {
      node = node.items[step as number];
      offset = startOf(node);
    }
  }
  return typeof place === 'number' && isScalar(node) ? insideScalar(node, source, place) : offset;
}

const styles: Record<string, ScalarSource['style']> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function insideScalar(
  node: { range?: readonly number[] | null; type?: string; value: unknown },
  source: string,
  inner: number,
): number {
  const [start, end] = node.range as readonly [number, number];
  const style = styles[node.type as string] as ScalarSource['style'];
  return sourceOffset({ source, start, end, style, value: String(node.value) }, inner);
}

/** How a scalar was written, which is needed to find a place inside its value in the source. */
interface ScalarSource {
  source: string;
  /** Offsets of the scalar in the source: start, end (without what follows it). */
  start: number;
  end: number;
  style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  value: string;
}

/**
 * The offset in the source of character `inner` of the scalar's value. Exact for plain, single-quoted and literal
 * block scalars and for double-quoted ones without escapes; the scalar's start where folding or escapes hide it.
 */
export function sourceOffset(scalar: ScalarSource, inner: number): number {
  const { source, start, end, style, value } = scalar;
  switch (style) {
    case 'plain':
      return source.slice(start, end) === value ? start + inner : start;
    case 'double':
      return source.slice(start + 1, end - 1) === value ? start + 1 + inner : start;
    case 'single': {
      const escaped = value.replaceAll("'", "''");
      if (source.slice(start + 1, end - 1) !== escaped) return start;
      return start + 1 + value.slice(0, inner).replaceAll("'", "''").length;
    }
    case 'literal':
      return literalOffset(scalar, inner);
    case 'folded':
      return start;
  }
}

/** A literal block keeps its lines, each after the block's indentation. */
function literalOffset({ source, start, end, value }: ScalarSource, inner: number): number {
  const before = value.slice(0, inner).split('\n');
  const header = source.indexOf('\n', start) + 1;
  const lines = source.slice(header, end).split('\n');
  const declared = /[1-9]/.exec(source.slice(start, header).split('#')[0] as string);
  if (declared !== null) return start;
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = first.length - first.trimStart().length;
  const row = before.length - 1;
  // A block at the end of the source has a last line break only in its value.
  if (row >= lines.length) return end;
  const skipped = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  return header + skipped + indent + (before[row] as string).length;
}

/** Turns an offset in a text into a line and column, both from 1; columns count UTF-16 code units. */
type LineIndex = (offset: number) => { line: number; column: number };

/** Uses the text alone: the line counter of the YAML tokenizer misses lines after a syntax error. */
export function createLineIndex(source: string): LineIndex {
  const starts = [0];
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

/**
 * The syntax of a YAML text, or null when it nests deeper than about `limit` levels. Composing is recursive, and a few
 * kilobytes of `[` would exhaust the call stack; the tokenizer has a stack of its own and is stopped here.
 */
function tokensOf(source: string, limit: number): CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // Every level is one collection; the document around them and a scalar inside add one each.
    if (parser.stack.length > limit + 2) return null;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

const KEYED = /^\s*(?:- +)*[\w."-]+: +(["'].*?)\s*$/;
const FLOW = /[\w"]: +("(?:[^"\\]|\\.)*" *(?:in|==|!=|[+<>]|&&|\|\|)[^}]*)/;
const LONGEST = 200;

/**
 * The text to write instead of a value that begins with a quote and goes on after the closing one, as in
 * `when: "PII" in dataTags`; null when that is not the mistake. `offset`: where YAML found the mistake.
 */
/** `curl -d @file` joins the lines of a file: `schemaVersion: 1name: no-shell`. */
function oneLineHint(source: string): string | null {
  const isJoined = !/\n./.test(source) && /\bschemaVersion: *1[^\s,}]/.test(source);
  return isJoined ? 'its line breaks are missing: with curl, send it by --data-binary in place of -d' : null;
}

function quotedStartHint(source: string, offset: number): string | null {
  const start = source.lastIndexOf('\n', Math.max(offset - 1, 0)) + 1;
  const end = source.indexOf('\n', offset);
  const line = source.slice(start, end < 0 ? source.length : end);
  if (line.length > LONGEST) return null;
  const value =
    KEYED.exec(line)?.[1] ??
    FLOW.exec(line)?.[1]
      ?.replace(/,\s*\w+:.*$/, '')
      .trimEnd();
  if (value === undefined || endsAtQuote(value)) return null;
  return `YAML ends a value that begins with a quote at the next one: write '${value.replaceAll("'", "''")}'`;
}

/** Whether the closing quote is the last character, as in a quoted text. */
function endsAtQuote(value: string): boolean {
  const quote = value.charAt(0);
  for (let at = 1; at < value.length; at += 1) {
    if (quote === '"' && value[at] === '\\') at += 1;
    else if (value[at] === quote && value[at + 1] === quote && quote === "'") at += 1;
    else if (value[at] === quote) return at === value.length - 1;
  }
  return false;
}
