import type { Hit } from '../resolve.ts';
import { masked } from './mask.ts';
import { createRepeats } from './repeats.ts';

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
