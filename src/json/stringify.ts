/** TypeScript does not describe it yet (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** `JSON.stringify` of a JSON value that may hold bigints: they are written as integers, digit for digit. */
export function stringifyJson(value: unknown): string {
  try {
    // Throws on a bigint. Hardly any value holds one, and a replacer makes it three times as slow.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_key, member) => exactJson(member));
  }
}

/** A replacer's result for one member: what JSON.stringify writes as the exact digits of a bigint. */
export const exactJson = (member: unknown): unknown =>
  typeof member === 'bigint' ? rawJSON(member.toString()) : member;

/**
 * The canonical JSON text (RFC 8785) of a JSON value: equal values have one text, whatever the order of their keys.
 * Integers beyond ±(2^53 - 1), bigints here, are written digit for digit, which goes beyond the RFC: two different
 * ones never have the same text. `textJson` must give what `JSON.stringify` gives for a text; callers may know it already.
 */
export function canonicalJson(value: unknown, textJson: (text: string) => string = JSON.stringify): string {
  if (typeof value === 'string') return value === '' ? '""' : textJson(value);
  // The same text as from JSON.stringify, in half the time.
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'bigint') return value.toString();
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  // Texts are joined by hand: this runs for every evaluation, and lists of parts cost more than the parts.
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text === '' ? '' : ','}${canonicalJson(entry, textJson)}`;
    return `[${text}]`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  const { sorted, openings } = layoutOf(keys);
  for (let at = 0; at < sorted.length; at++) {
    const key = sorted[at] as string;
    text += openings === null ? openingOf(key, at) : (openings[at] as string);
    text += canonicalJson((value as Readonly<Record<string, unknown>>)[key], textJson);
  }
  return `${text}}`;
}

/** How canonical JSON writes the members of objects with these keys. */
interface Layout {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** The text before each value, in the order of `sorted`: `{"a":`, `,"b":`. Null until such an object is written again. */
  openings: readonly string[] | null;
}

const openingOf = (key: string, at: number): string => `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`;

/** The most keys, and characters of a key, of a layout that is kept; and how many are kept for one number of keys. */
const mostKeys = 32;
const longestKey = 64;
const mostLayouts = 64;

/** By the number of keys, the layouts of the objects that were written lately, each by the first key: objects of few kinds recur. */
const layouts = Array.from({ length: mostKeys + 1 }, () => new Map<string, Layout>());

function layoutOf(keys: readonly string[]): Layout {
  // There is nothing to sort, and objects by id have all kinds of keys.
  if (keys.length === 1) return { keys, sorted: keys, openings: null };
  const first = keys[0] as string;
  const ofSize = layouts[keys.length];
  const known = ofSize?.get(first);
  if (known !== undefined && haveSameOrder(known.keys, keys)) {
    known.openings ??= known.sorted.map(openingOf);
    return known;
  }
  const layout: Layout = { keys, sorted: sortedKeys(keys), openings: null };
  if (ofSize === undefined || keys.some((key) => key.length > longestKey)) return layout;
  if (ofSize.size >= mostLayouts) ofSize.clear();
  ofSize.set(first, layout);
  return layout;
}

/** Whether two lists of as many keys are equal; the first ones are. */
function haveSameOrder(keys: readonly string[], others: readonly string[]): boolean {
  for (let at = 1; at < keys.length; at++) if (keys[at] !== others[at]) return false;
  return true;
}

/** Keys up to which they are sorted by insertion, which takes less time than a call of sort(). */
const fewKeys = 12;

/** The RFC orders keys by UTF-16 units, as sort() and < do. */
function sortedKeys(given: readonly string[]): string[] {
  const keys = given.slice();
  if (keys.length > fewKeys) return keys.sort();
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] as string;
    let place = next;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}
