import { ALLOCATION, type Budget, spend } from './budget.ts';
import { CelError, SPENT } from './error.ts';
import { NONE, type Optional, some } from './optional.ts';
import { type Pattern, SEARCH_FACTOR } from './regex.ts';

/** Charges for a search that begins at `from` and may read the text to its end. */
const charge = (text: string, from: number, pattern: Pattern, budget: Budget): boolean =>
  spend(budget, (text.length - from + 1) * pattern.programSize * SEARCH_FACTOR + ALLOCATION);

/** The first match, or `''`. */
function find(text: string, pattern: Pattern, budget: Budget): string | CelError {
  if (!charge(text, 0, pattern, budget)) return SPENT;
  const matcher = pattern.machine.matcher(text);
  return matcher.find() ? (matcher.group() as string) : '';
}

/** The matches from left to right that do not overlap; `limit` of them unless it is negative. */
function findAll(text: string, pattern: Pattern, budget: Budget, limit: number): string[] | CelError {
  const found: string[] = [];
  const matcher = pattern.machine.matcher(text);
  for (let from = 0; limit < 0 || found.length < limit; from = Math.max(matcher.end(), from + 1)) {
    // Every search is charged, because one that fails late reads the rest of the text, each time.
    if (!charge(text, Math.min(from, text.length), pattern, budget)) return SPENT;
    if (!matcher.find()) break;
    found.push(matcher.group() as string);
  }
  return found;
}

/** What the only group of the pattern matched first, or the whole match of a pattern without groups. */
function extract(text: string, pattern: Pattern, budget: Budget): Optional | CelError {
  if (!charge(text, 0, pattern, budget)) return SPENT;
  const matcher = pattern.machine.matcher(text);
  if (matcher.groupCount() > 1) return MANY_GROUPS;
  if (!matcher.find()) return NONE;
  const value = matcher.group(matcher.groupCount());
  return value === null ? NONE : some(value);
}

const MANY_GROUPS = new CelError(
  'invalid_argument',
  'extract: the pattern has more than one group: write (?:…) for the others',
);

export const searches = { find, findAll, extract } as const;
export type SearchFunction = keyof typeof searches;
