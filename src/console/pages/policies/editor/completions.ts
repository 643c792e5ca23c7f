import {
  type Entry,
  fieldsAt,
  functions,
  isExpression,
  keysAround,
  members,
  methods,
  type Place,
  type SchemaNode,
  values,
  variables,
  wordsAt,
} from './names.ts';

/** Names that the service knows of, beside those of the document. */
export interface SeenNames {
  tools: readonly string[];
  tags: readonly string[];
  lists: readonly string[];
}

export interface Completions {
  /** Characters before the cursor that are replaced. */
  length: number;
  entries: readonly Entry[];
}

const named = (names: readonly string[], detail: string): Entry[] => names.map((name) => [name, detail]);

/** The keys below a part of the document, such as the names of its counters. */
function keysBelow(lines: readonly string[], part: string): string[] {
  const from = lines.findIndex((line) => new RegExp(`^${part}:`).test(line));
  if (from < 0) return [];
  const inline = [...(lines[from] ?? '').matchAll(/[{,]\s*([A-Za-z_]\w*)\s*:/g)].map(([, name = '']) => name);
  const below: string[] = [];
  let indent: number | null = null;
  for (const line of lines.slice(from + 1)) {
    if (/^\S/.test(line)) break;
    const key = /^(\s+)([A-Za-z_]\w*)\s*:/.exec(line);
    if (!key) continue;
    indent ??= key[1]?.length ?? 0;
    if (key[1]?.length === indent) below.push(key[2] ?? '');
  }
  return [...inline, ...below];
}

const labelsIn = (lines: readonly string[]): string[] => [
  ...new Set(
    [...lines.join('\n').matchAll(/label:\s*\[?([A-Z0-9_, ]+)/g)].flatMap(([, found = '']) =>
      found
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ),
];

/** The completions at the cursor; null when nothing is asked for. Without a schema, no fields and their words. */
export function completionsAt(
  place: Place,
  seen: SeenNames,
  schema: SchemaNode | null,
  isExplicit: boolean,
): Completions | null {
  const { lines } = place;
  const before = (lines[place.line] ?? '').slice(0, place.column);
  const word = /[\w.-]*$/.exec(before)?.[0] ?? '';
  // The key `tool`, or a comparison with it: tools have dots in their names.
  if (
    /(?:^|[\s{,-])tool:\s*(?:\[(?:[^\]]*,)?\s*)?["']?[\w.-]*$/.test(before) ||
    /\btool\s*(?:==|!=|in\s*\[(?:[^\]]*,)?)\s*["'][\w.-]*$/.test(before)
  )
    return { length: word.length, entries: named(seen.tools, 'tool that was seen') };
  const keys = keysAround({ ...place, column: place.column - (/\w*$/.exec(before)?.[0].length ?? 0) });
  const isInExpression = isExpression(keys, before);
  // A text of an expression.
  const when = /(?:^|\s)(?:when|where|holds):\s*(.*)$/.exec(before)?.[1] ?? before;
  if (isInExpression && /^[^"]*(?:"[^"]*"[^"]*)*"[\w.-]*$/.test(when) && /"[\w.-]*$/.test(when)) {
    const entries = [...named(seen.tags, 'data tag'), ...named(labelsIn(lines), 'label')];
    return { length: word.length, entries };
  }
  const member = /(\w+)\.(\w*)$/.exec(before);
  if (member && isInExpression) {
    const [, owner = '', typed = ''] = member;
    const own: Readonly<Record<string, readonly Entry[]>> = {
      params: named(keysBelow(lines, 'params'), 'param of this policy'),
      vars: named(keysBelow(lines, 'variables'), 'variable of this policy'),
      counters: named(keysBelow(lines, 'counters'), 'counter of this policy'),
      lists: [...named(seen.lists, 'list'), ...(members.lists ?? [])],
    };
    return { length: typed.length, entries: own[owner] ?? members[owner] ?? methods };
  }
  const typed = /\w*$/.exec(before)?.[0] ?? '';
  if (typed === '' && !isExplicit) return null;
  if (/(?:^\s*(?:- +)*|[{,]\s*)\w*$/.test(before)) {
    const fields = fieldsAt(schema, keys);
    if (fields.length > 0) return { length: typed.length, entries: fields };
  }
  const known = wordsAt(schema, keys);
  if (known.length > 0) return { length: typed.length, entries: known };
  return isInExpression ? { length: typed.length, entries: [...variables, ...functions, ...values] } : null;
}
