import { type Entry, functions, members, methods, values, variables } from './names.ts';

/** A part of the JSON Schema of policy documents, as the service gives it at `/policy.schema.json`. */
export interface SchemaNode {
  description?: string;
  enum?: readonly unknown[];
  items?: SchemaNode;
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
}

/** A place in a document: the line from 0, and the column in it. */
export interface Place {
  lines: readonly string[];
  line: number;
  column: number;
}

interface LineStart {
  /** The columns of the first dash and of the text behind the dashes. */
  dash: number | null;
  at: number;
  key: string | null;
}

function startOf(text: string): LineStart | null {
  const [, space = '', dashes = '', rest = ''] = /^(\s*)((?:- +)*)(.*)$/.exec(text) ?? [];
  if (rest === '' && dashes === '') return null;
  if (rest.startsWith('#')) return null;
  const key = /^["']?([\w.-]+)["']?:(?:\s|$)/.exec(rest)?.[1] ?? null;
  return { dash: dashes === '' ? null : space.length, at: space.length + dashes.length, key };
}

/** The keys around a place, outermost first: `rules`, then `approval`. In the value of a key, that key comes last. */
export function keysAround({ lines, line, column }: Place): string[] {
  const before = (lines[line] ?? '').slice(0, column);
  const own = startOf(before) ?? { dash: null, at: before.length, key: null };
  const flow = flowKeys(before);
  const isInValue = own.key !== null && (flow !== null || column > own.at + own.key.length);
  return [...parentsOf(own, lines.slice(0, line)), ...(isInValue ? [own.key ?? ''] : []), ...(flow ?? [])];
}

/** A parent is to the left; the dashes of a list may stand right below its key. */
function parentsOf({ at, dash }: LineStart, above: readonly string[]): string[] {
  let limit = dash === null ? at : dash + 0.5;
  for (const [place, text] of [...above.entries()].reverse()) {
    const start = startOf(text);
    if (start === null) continue;
    if (start.key !== null && start.at < limit)
      return [...parentsOf(start, above.slice(0, place)), start.key];
    if (start.at === at && start.dash !== null) limit = Math.min(limit, start.dash + 0.5);
  }
  return [];
}

/** The keys of `{ given: { tool` that are open at the end of the text; null outside of braces and brackets. */
function flowKeys(text: string): string[] | null {
  const open: (string | null)[] = [];
  let key: string | null = null;
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|(?<![\w.)])[[{]|[\]}]|,|[\w.-]+(?=:\s)/g)) {
    if (token === '{' || token === '[') {
      open.push(key);
      key = null;
    } else if (token === '}' || token === ']') {
      open.pop();
      key = null;
    } else if (token === ',') key = null;
    else if (!/^["']/.test(token)) key = token;
  }
  if (open.length === 0) return null;
  // The first is the key of the line, which is known.
  const inner = open.slice(1).filter((one) => one !== null);
  return key === null ? inner : [...inner, key];
}

/** The description that the schema has of a part of the document; lists are passed through. */
function schemaAt(schema: SchemaNode | null, keys: readonly string[]): SchemaNode | null {
  let node = schema;
  for (const key of keys) {
    const of: SchemaNode | null = node?.items ?? node;
    node = of?.properties?.[key] ?? Object.values(of?.patternProperties ?? {})[0] ?? null;
  }
  return node;
}

/** The fields that may stand in a part of the document. */
export const fieldsAt = (schema: SchemaNode | null, keys: readonly string[]): Entry[] => {
  const node = schemaAt(schema, keys);
  const { properties = {} } = node?.items ?? node ?? {};
  return Object.entries(properties).map(([name, { description = '' }]) => [name, description]);
};

/** The words that the value of a field may be. */
export function wordsAt(schema: SchemaNode | null, keys: readonly string[]): Entry[] {
  const node = schemaAt(schema, keys);
  const words = node?.enum ?? node?.items?.enum ?? [];
  return words.filter((word) => typeof word === 'string').map((word) => [word, textOf(values, word) ?? '']);
}

const textOf = (entries: readonly Entry[] | undefined, name: string): string | undefined =>
  entries?.find(([label]) => label === name)?.[1];

export interface Doc {
  name: string;
  text: string;
  /** Where the name begins in its line. */
  from: number;
}

const expressions = new Set(['when', 'where', 'holds', 'add', 'settle', 'distinct', 'per', 'reset']);

/** Whether CEL stands behind `before`, in the value of the last key. */
export function isExpression(keys: readonly string[], before: string): boolean {
  const inner = keys.at(-1) ?? '';
  if (inner === 'message') return /\{\{[^}]*$/.test(before);
  return expressions.has(inner) || (keys[0] === 'variables' && keys.length > 1);
}

/** Help for the name at a place; null for a text that is no name. */
export function docAt(place: Place, schema: SchemaNode | null): Doc | null {
  const text = place.lines[place.line] ?? '';
  let from = place.column;
  while (/\w/.test(text[from - 1] ?? '')) from--;
  const [name = ''] = /^\w*/.exec(text.slice(from)) ?? [];
  const before = text.slice(0, from);
  if (name === '' || /(?:^|\s)#/.test(before)) return null;
  const found = textAt(name, { ...place, column: from }, before, text.slice(from + name.length), schema);
  return found ? { name: /\w+\.$/.exec(before)?.[0].concat(name) ?? name, text: found, from } : null;
}

function textAt(
  name: string,
  place: Place,
  before: string,
  after: string,
  schema: SchemaNode | null,
): string | undefined {
  const keys = keysAround(place);
  const isKey = /^:(?:\s|$)/.test(after) && /(?:^\s*(?:- +)*|[{,]\s*)$/.test(before);
  if (isKey) return schemaAt(schema, [...keys, name])?.description;
  const word = textOf(wordsAt(schema, keys), name);
  if (word !== undefined) return word;
  if (!isExpression(keys, before)) return undefined;
  const owner = /(\w+)\.\??$/.exec(before)?.[1];
  if (owner !== undefined) return textOf(members[owner], name) ?? textOf(methods, name);
  if (/[.\]]\??\.?$/.test(before)) return textOf(methods, name);
  return (
    textOf(after.startsWith('(') ? functions : variables, name) ??
    textOf([...variables, ...functions, ...values], name)
  );
}
