import type { Hit } from '../resolve.ts';

/** What was found and what stands for it where it must not be shown, each value once, the longest first. */
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
