import type { RE2JS } from 're2js';

/** The memory that the states of one pattern may take. Without a bound, a text crafted to reach many states fills 8 MiB. */
export const CACHE_BYTES = 262_144;
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
export function makeStates(machine: RE2JS): boolean {
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
