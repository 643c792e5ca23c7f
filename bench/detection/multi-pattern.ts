import {
  mayBeSpot,
  SPOT_PAIRS,
  spottedWord,
  TRIGGER_WORDS,
} from '../../src/detectors/labels/trigger-words.ts';
import { Text } from '../../src/detectors/text/text.ts';
import { vendorTokens } from '../../src/detectors/tokens/vendor-tokens.ts';
import { LOGS, log } from './logs.ts';
import { realFiles } from './real-files.ts';

/** A way to find the words that name secrets in a text; returns how many it found. */
type Design = (text: Text) => number;

const words = TRIGGER_WORDS.map((word) => word.toLowerCase()).filter((word) => /^[\0-\x7f]+$/.test(word));
const prefixes = vendorTokens.map(({ prefix }) => prefix);

/** Pairs of bytes: a table of 65,536 tells where a word may have its rarest pair, and only there it is compared. */
function pairs(): Design {
  const kinds = new Uint8Array(65536);
  for (const [pair, kind] of SPOT_PAIRS) kinds[pair] = kind;
  return ({ bytes, pairs: two, start, end }) => {
    let found = 0;
    for (let p = start >> 1; p < end >> 1; p++) {
      const kind = kinds[two[p] as number] as number;
      if (kind === 0) continue;
      if (
        mayBeSpot(kind, bytes[2 * p - 1] as number, bytes[2 * p + 2] as number) &&
        spottedWord(bytes, 2 * p) >= 0
      )
        found++;
    }
    return found;
  };
}

/** Aho–Corasick, as a table of states by classes of bytes. */
function automaton(all: readonly string[], inAnyCase: boolean): Design {
  const classes = new Uint8Array(256);
  let count = 1;
  const classOf = (c: number): number => {
    if (classes[c] === 0) classes[c] = count++;
    return classes[c] as number;
  };
  const tries: Map<number, number>[] = [new Map()];
  const isEnd: boolean[] = [false];
  for (const word of all) {
    let state = 0;
    for (const char of word) {
      const c = classOf(char.charCodeAt(0));
      let next = tries[state]?.get(c);
      if (next === undefined) {
        next = tries.length;
        tries.push(new Map());
        isEnd.push(false);
        tries[state]?.set(c, next);
      }
      state = next;
    }
    isEnd[state] = true;
  }
  if (inAnyCase) for (let c = 65; c < 91; c++) classes[c] = classes[c + 32] as number;
  const table = new Uint16Array(tries.length * 256);
  const fails = new Array<number>(tries.length).fill(0);
  const queue = [0];
  for (const state of queue) {
    for (let c = 0; c < count; c++) {
      const own = tries[state]?.get(c);
      const failed = state === 0 ? 0 : (table[((fails[state] as number) << 8) | c] as number);
      table[(state << 8) | c] = own ?? failed;
      if (own === undefined) continue;
      fails[own] = failed;
      if (isEnd[failed]) isEnd[own] = true;
      queue.push(own);
    }
  }
  const ends = Uint8Array.from(isEnd, Number);
  return ({ bytes, start, end }) => {
    let found = 0;
    let state = 0;
    for (let i = start; i < end; i++) {
      state = table[(state << 8) | (classes[bytes[i] as number] as number)] as number;
      if (ends[state] === 1) found++;
    }
    return found;
  };
}

/** One regular expression of all words. */
function expression(all: readonly string[]): (text: string) => number {
  const any = new RegExp(all.map((word) => word.replaceAll(/[^\w ]/g, '\\$&')).join('|'), 'gi');
  return (text) => {
    let found = 0;
    any.lastIndex = 0;
    while (any.exec(text) !== null) found++;
    return found;
  };
}

function speed(texts: readonly string[], read: (text: string) => void): number {
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    const begun = process.cpuUsage();
    for (const text of texts) read(text);
    const { user, system } = process.cpuUsage(begun);
    times.push(user + system);
  }
  return texts.reduce((sum, text) => sum + text.length, 0) / Math.min(...times);
}

/** Prints the speed of each design beside that of copying the text, which all but the expression need. */
export function printMultiPattern(): void {
  const groups = new Map([...realFiles(200)].map(([name, files]) => [name, files.map(({ text }) => text)]));
  groups.set(
    'logs',
    Object.keys(LOGS).map((kind) => log(kind, 3, 300_000)),
  );
  const text = new Text();
  const byPairs = pairs();
  const ofWords = automaton(words, true);
  const ofBoth = automaton([...words, ...prefixes.map((prefix) => prefix.toLowerCase())], true);
  const regular = expression(words);
  console.log(
    '\nwords in texts, MB/s: copying, pairs, Aho–Corasick, with prefixes of vendors, one regular expression',
  );
  for (const [name, texts] of groups) {
    const of = (design: Design): number =>
      speed(texts, (one) => {
        text.load(one);
        design(text);
      });
    const cells = [
      speed(texts, (one) => text.load(one)),
      of(byPairs),
      of(ofWords),
      of(ofBoth),
      speed(texts, regular),
    ];
    console.log(name.padEnd(14), cells.map((cell) => cell.toFixed(0).padStart(7)).join(' '));
  }
}
