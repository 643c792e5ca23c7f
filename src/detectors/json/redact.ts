import type { Hit } from '../detections.ts';
import { BARE } from '../kinds/kind.ts';

/** A text with each finding replaced by its tag in brackets; findings are in order and may overlap. */
function masked(text: string, hits: readonly Hit[] | undefined, tags: readonly string[]): string {
  if (hits === undefined) return text;
  let result = '';
  let done = 0;
  for (const { tag, start, end } of hits) {
    if (end <= done) continue;
    // the rest of an overlapping finding disappears behind the tag of the first
    if (start >= done) result += `${text.slice(done, start)}[${tags[tag]}]`;
    done = end;
  }
  return result + text.slice(done);
}

const MIN_LENGTH = 6;
const TOKEN = /[^\s"'`,;:=(){}[\]<>|&]+/g;
const IS_TOKEN = /^[^\s"'`,;:=(){}[\]<>|&]+$/;

/**
 * Replaces values that were found by a word or key alone where they stand again without one: masking them in one place
 * only would leave them behind. Returns a function over texts, which is linear in them.
 */
function createRepeats(
  input: unknown,
  leaves: ReadonlyMap<number, Hit[]>,
  tags: readonly string[],
): (text: string) => string {
  const known = new Map<string, string>();
  let leaf = 0;
  const note = (text: string): void => {
    for (const { rank, tag, start, end } of leaves.get(leaf) ?? []) {
      const value = text.slice(start, end);
      const isTelling =
        rank === BARE && value.length >= MIN_LENGTH && /\d/.test(value) && IS_TOKEN.test(value);
      if (isTelling) known.set(value, `[${tags[tag]}]`);
    }
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      leaf++;
      note(String(value));
    } else if (Array.isArray(value)) {
      leaf++;
      value.forEach(visit);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        leaf++;
        note(key);
        visit((value as Record<string, unknown>)[key]);
      }
    }
  };
  visit(input);
  if (known.size === 0) return (text) => text;
  return (text) => text.replace(TOKEN, (token) => known.get(token) ?? token);
}

/**
 * A copy of the input with every finding replaced by `[TAG]`: in strings where it stands, numbers and spelled-out
 * arrays element by element. A value that only its key gave away is replaced wherever it stands again. Keys that become
 * alike are numbered, so that no member is lost. Everything from the leaf `unreadFrom` on is replaced.
 */
export function redact(
  input: unknown,
  leaves: ReadonlyMap<number, Hit[]>,
  tags: readonly string[],
  unreadFrom: number,
): unknown {
  const repeats = createRepeats(input, leaves, tags);
  let leaf = 0;
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return shownText(value);
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      const shown = shownText(text);
      return shown === text ? value : shown;
    }
    if (Array.isArray(value)) return visitArray(value);
    if (typeof value === 'object' && value !== null) return visitObject(value as Record<string, unknown>);
    return value;
  };
  const shownText = (text: string): string =>
    ++leaf >= unreadFrom ? '[UNSCANNED]' : repeats(masked(text, leaves.get(leaf), tags));
  const visitArray = (values: readonly unknown[]): unknown[] => {
    const hits = leaves.get(++leaf);
    const copy = values.map(visit);
    for (const { tag, start, end } of hits ?? []) copy.fill(`[${tags[tag]}]`, start, end);
    return copy;
  };
  const visitObject = (object: Record<string, unknown>): unknown => {
    const entries: [string, unknown][] = [];
    const names = new Set<string>();
    const used = new Map<string, number>();
    for (const key in object) {
      const name = unique(shownText(key), names, used);
      names.add(name);
      entries.push([name, visit(object[key])]);
    }
    return Object.fromEntries(entries); // defines, so that a member named __proto__ stays one
  };
  return visit(input);
}

function unique(name: string, names: ReadonlySet<string>, used: Map<string, number>): string {
  let n = used.get(name) ?? 1;
  let candidate = name;
  while (names.has(candidate)) candidate = `${name} ${++n}`;
  used.set(name, n);
  return candidate;
}

/** Each found value once with its replacement where it must not be shown, the longest first. */
export function foundValues(
  input: unknown,
  leaves: ReadonlyMap<number, Hit[]>,
  tags: readonly string[],
): [value: string, mask: string][] {
  const values = new Map<string, string>();
  let leaf = 0;
  const note = (text: string): void => {
    for (const { tag, start, end } of leaves.get(++leaf) ?? []) {
      values.set(text.slice(start, end), `[${tags[tag]}]`);
    }
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      note(String(value));
    else if (Array.isArray(value)) {
      // A value that is spelled out in an array: its elements, as text shows them side by side.
      for (const { tag, start, end } of leaves.get(++leaf) ?? []) {
        values.set(JSON.stringify(value.slice(start, end)).slice(1, -1), `[${tags[tag]}]`);
      }
      value.forEach(visit);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        note(key);
        visit((value as Record<string, unknown>)[key]);
      }
    }
  };
  visit(input);
  values.delete('');
  return [...values].sort(([x], [y]) => y.length - x.length);
}

/** Where a leaf is: its JSON Pointer (RFC 6901), and whether it is the key and not the value there. */
export interface Place {
  path: string;
  key: boolean;
}

/** Findings by leaf. */
export function byLeaf(hits: readonly Hit[]): Map<number, Hit[]> {
  const leaves = new Map<number, Hit[]>();
  for (const hit of hits) {
    const same = leaves.get(hit.leaf);
    if (same === undefined) leaves.set(hit.leaf, [hit]);
    else same.push(hit);
  }
  return leaves;
}

/**
 * The places of leaves that have findings. A key that holds a value is masked in every path it is part of: a path is
 * shown where the value must not be.
 */
export function locate(
  input: unknown,
  leaves: ReadonlyMap<number, Hit[]>,
  tags: readonly string[],
): Map<number, Place> {
  const places = new Map<number, Place>();
  let leaf = 0;
  const note = (path: string, key: boolean): void => {
    leaf++;
    if (leaves.has(leaf)) places.set(leaf, { path, key });
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      note(path, false);
    else if (Array.isArray(value)) {
      note(path, false);
      for (let i = 0; i < value.length; i++) visit(value[i], `${path}/${i}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const shown = masked(key, leaves.get(leaf + 1), tags);
        const member = `${path}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        note(member, true);
        visit((value as Record<string, unknown>)[key], member);
      }
    }
  };
  visit(input, '');
  return places;
}
