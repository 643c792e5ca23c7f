import type { Hit } from '../resolve.ts';
import { masked } from './mask.ts';

/**
 * A copy of the input with every finding replaced by `[TAG]`: in strings where it stands, numbers and spelled-out
 * arrays element by element. Keys that become alike are numbered, so that no member is lost.
 */
export function redact(input: unknown, leaves: ReadonlyMap<number, Hit[]>, tags: readonly string[]): unknown {
  let leaf = 0;
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return masked(value, leaves.get(++leaf), tags);
    if (typeof value === 'number') {
      const hits = leaves.get(++leaf);
      return hits === undefined ? value : masked(String(value), hits, tags);
    }
    if (Array.isArray(value)) return visitArray(value);
    if (typeof value === 'object' && value !== null) return visitObject(value as Record<string, unknown>);
    return value;
  };
  const visitArray = (values: readonly unknown[]): unknown[] => {
    const hits = leaves.get(++leaf);
    const copy = values.map(visit);
    for (const { tag, start, end } of hits ?? []) copy.fill(`[${tags[tag]}]`, start, end);
    return copy;
  };
  const visitObject = (object: Record<string, unknown>): unknown => {
    const entries: [string, unknown][] = [];
    const names = new Set<string>();
    const repeats = new Map<string, number>();
    for (const key in object) {
      const name = unique(masked(key, leaves.get(++leaf), tags), names, repeats);
      names.add(name);
      entries.push([name, visit(object[key])]);
    }
    return Object.fromEntries(entries); // defines, so that a member named __proto__ stays one
  };
  return visit(input);
}

function unique(name: string, names: ReadonlySet<string>, repeats: Map<string, number>): string {
  let n = repeats.get(name) ?? 1;
  let candidate = name;
  while (names.has(candidate)) candidate = `${name} ${++n}`;
  repeats.set(name, n);
  return candidate;
}
