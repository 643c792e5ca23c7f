import { RE2JS } from 're2js';
import { ALLOCATION, type Budget, spend } from './budget.ts';
import type { Limits } from './environment.ts';
import { CelError, SPENT } from './error.ts';
import { NONE, type Optional, some } from './value.ts';

/** The memory that the states of one pattern may take. Without a bound, a text crafted to reach many states fills 8 MiB. */
const CACHE_BYTES = 262_144;
/** Instructions looked at to make states, each some 100 ns: bounds the time to find out that an automaton is too large, to 5 ms. */
const MOST_WORK = 50_000;
const UNANCHORED = 0;
const NEWLINE = 10;
const END_TEXT = -1;
/** `DFA.FLAG_NEED_SHIFT` and `DFA.FLAG_EMPTY_MASK` of re2js. */
const NEED_SHIFT = 16;
const EVERY_FLAG = 255;

/** An empty text, before which everything begins. */
const nothing = { endPos: () => 0, context: () => EVERY_FLAG, step: () => -8 };

/**
 * Makes all states of a pattern's automaton, if there are few: a match then takes the same short time for each character,
 * whatever the text is. False when there may be many: the engine makes them while it reads a text, and can fall back to
 * trying every instruction on every character.
 *
 * Depends on the pattern alone, never on the texts that it has seen, because it decides what a match costs.
 */
function makeStates(machine: RE2JS): boolean {
  const { dfa, prog } = machine.re2();
  dfa.stateBudget = CACHE_BYTES;
  dfa.clearCache();
  if (dfa.match(nothing, 0, UNANCHORED) === null) return false;
  // One character of each class: the automaton treats all characters of a class alike.
  const runes = [0, ...dfa.classBounds];
  if (prog.numInst() * runes.length > MOST_WORK) return false;
  const reads = Array.from({ length: prog.numInst() }, (_, pc): readonly boolean[] | null => {
    const inst = prog.getInst(pc);
    // Others read no character.
    return inst.runes.length === 0 ? null : runes.map((rune) => inst.matchRune(rune));
  });
  const open = [...dfa.startStates.values()];
  const found = new Set(open);
  let work = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    // A search for any match ends here.
    if (state.isMatch) continue;
    const next = follow(dfa, state, runes, reads);
    work += (1 + next.size) * state.nfaStates.length + (runes.length * state.nfaStates.length) / 16;
    if (next.has(null) || work > MOST_WORK) return false;
    for (const one of next) {
      if (found.has(one)) continue;
      found.add(one);
      open.push(one);
    }
  }
  return true;
}

type Automaton = ReturnType<RE2JS['re2']>['dfa'];

/** Fills the table of a state, and returns the states in it; with null when there is no room for one. */
function follow(
  dfa: Automaton,
  state: ReturnType<Automaton['start']>,
  runes: readonly number[],
  reads: readonly (readonly boolean[] | null)[],
): Set<unknown> {
  const needs = state.flag >>> NEED_SHIFT;
  const pcs: number[] = needs === 0 ? state.nfaStates : dfa.closure(state.nfaStates, EVERY_FLAG).pcs;
  const reading = pcs.map((pc) => reads[pc]).filter((one) => one !== undefined && one !== null);
  // Characters that the same instructions read lead to the same state, which takes longer to make than to look up.
  const kinds = alike(runes, reading, needs !== 0);
  const next: unknown[] = [];
  for (const [cls, rune] of [...runes.entries(), [runes.length, END_TEXT] as const]) {
    const kind = kinds[cls] ?? runes.length;
    if (next[kind] === undefined) next[kind] = dfa.step(state, cls, rune, UNANCHORED);
    if (next[kind] === null) return new Set([null]);
    state.next[cls] = next[kind];
  }
  return new Set(next.filter((one) => one !== undefined));
}

/** The same number for classes of characters that a state cannot tell apart. */
function alike(
  runes: readonly number[],
  reading: readonly (readonly boolean[])[],
  asksWords: boolean,
): number[] {
  let kinds = runes.map((rune) => (rune === NEWLINE ? 2 : 0) + (asksWords && isWord(rune) ? 1 : 0));
  for (const reads of reading) {
    const numbers = new Map<number, number>();
    kinds = kinds.map((kind, cls) => {
      const split = 2 * kind + (reads[cls] ? 1 : 0);
      const known = numbers.get(split) ?? numbers.size;
      numbers.set(split, known);
      return known;
    });
  }
  return kinds;
}

const isWord = (rune: number): boolean => rune < 128 && /\w/.test(String.fromCharCode(rune));

// Compiling a pattern is expensive: 14 characters such as `(?:a?){1000}` make 70,000 instructions, and a source can
// contain many. So the size is estimated from the text first, and a pattern that is far too large is never compiled.

const TOKEN = new RegExp(
  [
    /(?<quoted>\\Q[\s\S]*?(?:\\E|$))/,
    /(?<atom>\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\])/,
    /\{(?<least>\d+)(?<open>,?)(?<most>\d*)\}/,
    /(?<mark>[*+?()|])/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

interface Group {
  /** Instructions of what is complete. */
  done: number;
  /** Instructions of the last piece, which a repetition may follow. */
  last: number;
}

/** An upper estimate of the instructions that a pattern compiles to: counted repetitions are expanded. */
export function estimateSize(source: string): number {
  const outer: Group[] = [];
  let group: Group = { done: 0, last: 0 };
  for (const { 0: text, groups = {} } of source.matchAll(TOKEN)) {
    const { quoted, least, open, most, mark } = groups;
    if (least !== undefined) {
      const count = Math.max(Number(least) + Number(open !== ''), Number(most));
      group.last = count * (group.last + 1);
    } else if (mark === '(') {
      outer.push(group);
      group = { done: 0, last: 0 };
    } else if (mark === ')') {
      const size = group.done + group.last + 2;
      group = outer.pop() ?? group;
      group = { done: group.done + group.last, last: size };
    } else if (mark === '|') {
      group.done += group.last + 1;
      group.last = 0;
    } else if (mark !== undefined) group.last += 1;
    else {
      group.done += group.last;
      group.last = quoted === undefined ? 1 : text.length;
    }
  }
  return [...outer, group].reduce((total, { done, last }) => total + done + last, 0);
}

/** A compiled regular expression with a known worst-case cost. */
export interface Pattern {
  readonly source: string;
  /** Instructions; a search costs at most a multiple of this for each character of the text. */
  readonly programSize: number;
  readonly machine: RE2JS;
  /** The steps that `matches` costs for each character. */
  stepsEach: number;
  /** Whether `stepsEach` is final: see `preparePattern`. */
  isPrepared: boolean;
}

/** How much longer a search for the place of a match takes than the test whether there is one. */
export const SEARCH_FACTOR = 4;

export type PatternResult =
  | { ok: true; pattern: Pattern }
  | { ok: false; code: 'regex_invalid' | 'regex_too_large'; message: string };

// Rules of many policies repeat the same patterns, and each machine has a cache of its own. Bounded by count, oldest out first; patterns in use stay alive through their programs.
const MOST_SHARED = 256;
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
    const programSize = machine.programSize();
    return { source, programSize, machine, stepsEach: programSize, isPrepared: false };
  } catch (error) {
    return `not a regular expression of RE2: ${(error as Error).message}`;
  }
}

function share(pattern: Pattern): void {
  if (shared.has(pattern.source)) return;
  const { dfa } = pattern.machine.re2();
  dfa.stateBudget = CACHE_BYTES;
  dfa.memBudget = CACHE_BYTES;
  shared.set(pattern.source, pattern);
  for (const oldest of shared.keys()) {
    if (shared.size <= MOST_SHARED) break;
    shared.delete(oldest);
  }
}

/**
 * Makes tests of the pattern cheap, where they can be: takes some milliseconds. What a test costs depends on whether this was done,
 * so whoever decides by a pattern does it before the first test.
 */
export function preparePattern(pattern: Pattern): void {
  if (pattern.isPrepared) return;
  if (makeStates(pattern.machine)) pattern.stepsEach = 1;
  pattern.isPrepared = true;
}

/** Whether the pattern occurs anywhere in the text. */
export function matches(text: string, pattern: Pattern, budget: Budget): boolean | CelError {
  if (!spend(budget, ALLOCATION + text.length * pattern.stepsEach)) return SPENT;
  return pattern.machine.test(text);
}

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

/** The first match of the pattern's only group, or of the whole pattern when it has no groups. */
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
