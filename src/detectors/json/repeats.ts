import { BARE } from '../hits.ts';
import type { Hit } from '../resolve.ts';

const MIN_LENGTH = 6;
const TOKEN = /[^\s"'`,;:=(){}[\]<>|&]+/g;
const IS_TOKEN = /^[^\s"'`,;:=(){}[\]<>|&]+$/;

/**
 * Replaces values that were found by a word or key alone where they stand again without one: masking them in one place
 * only would leave them behind. Returns a function over texts, which is linear in them.
 */
export function createRepeats(
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
