import { RE2JS } from 're2js';
import { type Budget, spend } from './budget.ts';
import { type CelError, SPENT } from './error.ts';
import type { Limits } from './limits.ts';
import { estimateSize } from './regex-size.ts';

/** A compiled regular expression with a known worst-case cost. */
export interface Pattern {
  readonly source: string;
  /** Instructions; one match costs at most this for each character of the text. */
  readonly programSize: number;
  readonly machine: RE2JS;
}

/** How much longer a search for the place of a match takes than the test whether there is one. */
export const SEARCH_FACTOR = 4;

export type PatternResult =
  | { ok: true; pattern: Pattern }
  | { ok: false; code: 'regex_invalid' | 'regex_too_large'; message: string };

// Rules of many policies repeat the same patterns, and each machine has a cache of its own. Bounded by count, oldest out first; patterns in use stay alive through their programs.
const MOST_SHARED = 256;
const CACHE_BYTES = 262_144;
const shared = new Map<string, Pattern>();

export function compilePattern(
  source: string,
  limits: Pick<Limits, 'regexLength' | 'regexProgramSize'>,
): PatternResult {
  if (source.length > limits.regexLength) {
    const message = `a pattern of ${source.length} characters, where ${limits.regexLength} are allowed`;
    return { ok: false, code: 'regex_too_large', message };
  }
  const estimate = estimateSize(source);
  if (estimate > SURELY_TOO_LARGE * limits.regexProgramSize) return tooLarge(estimate, limits);
  const pattern = shared.get(source) ?? compiled(source);
  if (typeof pattern === 'string') return { ok: false, code: 'regex_invalid', message: pattern };
  if (pattern.programSize > limits.regexProgramSize) return tooLarge(pattern.programSize, limits);
  share(pattern);
  return { ok: true, pattern };
}

// The compiler shares common parts of alternatives, so the estimate may be above the true size, but not by much more.
const SURELY_TOO_LARGE = 2;

function tooLarge(size: number, { regexProgramSize }: Pick<Limits, 'regexProgramSize'>): PatternResult {
  const message = `a pattern of about ${size} instructions, where ${regexProgramSize} are allowed`;
  return { ok: false, code: 'regex_too_large', message };
}

function compiled(source: string): Pattern | string {
  try {
    const machine = RE2JS.compile(source);
    return { source, programSize: machine.programSize(), machine };
  } catch (error) {
    return `not a regular expression of RE2: ${(error as Error).message}`;
  }
}

function share(pattern: Pattern): void {
  if (shared.has(pattern.source)) return;
  // Otherwise its cache of states could grow to 8 MiB per pattern on a text crafted to reach many states.
  const { dfa } = pattern.machine.re2();
  dfa.stateBudget = CACHE_BYTES;
  dfa.memBudget = CACHE_BYTES;
  shared.set(pattern.source, pattern);
  for (const oldest of shared.keys()) {
    if (shared.size <= MOST_SHARED) break;
    shared.delete(oldest);
  }
}

/** Whether the pattern occurs anywhere in the text. */
export function matches(text: string, pattern: Pattern, budget: Budget): boolean | CelError {
  if (!spend(budget, (text.length + 1) * pattern.programSize)) return SPENT;
  return pattern.machine.test(text);
}
