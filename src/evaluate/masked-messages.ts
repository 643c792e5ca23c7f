import type { Detector } from '../detectors/index.ts';

/** The detected values that must be masked, each with its mask. Null when there are more than are looked for. */
export type MaskedValues = readonly (readonly [value: string, mask: string])[] | null;

/** Values that are looked for in messages: to index them takes some 4 ms. */
export const mostValues = 10_000;
/** A message shows 200 characters of a value, so the rest of it is not masked and not shown. */
const mostCharacters = 1_024;
/**
 * For all messages of one evaluation, while everybody waits: comparisons of a place in a text with a value, some 100 ns each. A request
 * may have thousands of values, and its policies hundreds of messages. Text beyond that is not shown at all.
 */
const mostComparisons = 40_000;
/** The same for the characters that are scanned for what only the message brings together, some 200 ns each. */
const mostScanned = 24_576;
const leastScanned = 64;
const notShown = '[NOT SHOWN]';
/** A shorter value is masked only where it stands alone: it may be part of any word. */
const leastInWords = 6;
/** Characters by which values are found. */
const keyLength = 8;

/**
 * Masks what a rendered message shows of a request: the values that were detected in it, wherever the rule took them
 * from, and whatever is detected in the shown text itself.
 */
export function createShownValues(
  detector: Detector,
  { values }: { values: MaskedValues },
): (text: string) => string {
  if (values === null || values.length > mostValues) return () => notShown;
  let index: ValueIndex | null = null;
  const left = { comparisons: mostComparisons, characters: mostScanned };
  return (text) => {
    index ??= new ValueIndex(values);
    left.characters -= Math.min(text.length, mostCharacters) + leastScanned;
    if (left.characters < 0) return notShown;
    const masked = index.masked(text, left);
    return masked === null ? notShown : (detector.scan(masked).redacted() as string);
  };
}

/** Characters that JSON.stringify may spell otherwise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const mayBeEscaped = /["\\\u0000-\u001f\ud800-\udfff]/;

const wordCharacter = /[\p{L}\p{N}]/u;

/** Values by their first characters, so that a place in a text is compared with few of them. */
class ValueIndex {
  /** By the first characters: the lengths of values that begin with them, the longest first, and their masks. */
  readonly #found = new Map<string, { lengths: number[]; masks: Map<string, string> }>();
  /** The lengths of the keys: `keyLength`, and less for shorter values. */
  readonly #keyLengths: readonly number[];

  constructor(values: NonNullable<MaskedValues>) {
    const keyLengths = new Set<number>();
    const add = (value: string, mask: string): void => {
      const key = value.slice(0, keyLength);
      keyLengths.add(key.length);
      const known = this.#found.get(key) ?? { lengths: [] as number[], masks: new Map<string, string>() };
      if (known.masks.size === 0) this.#found.set(key, known);
      if (known.masks.has(value)) return;
      known.masks.set(value, mask);
      if (!known.lengths.includes(value.length)) known.lengths.push(value.length);
    };
    for (const [value, mask] of values) {
      // An empty value is found everywhere.
      if (value === '') continue;
      add(value, mask);
      if (mayBeEscaped.test(value)) add(JSON.stringify(value).slice(1, -1), mask);
    }
    for (const { lengths } of this.#found.values()) lengths.sort((one, other) => other - one);
    this.#keyLengths = [...keyLengths].sort((one, other) => other - one);
  }

  /** The beginning of a text, with a mask for each value and for values that overlap; null when it takes too long. */
  masked(text: string, left: { comparisons: number }): string | null {
    if (this.#keyLengths.length === 0) return text.slice(0, mostCharacters);
    let shown = '';
    let end = 0;
    for (let at = 0; at < text.length && at < mostCharacters; at++) {
      const found = this.#longestAt(text, at, left);
      if (left.comparisons < 0) return null;
      if (found === null) continue;
      if (at >= end) shown += text.slice(end, at) + found.mask;
      end = Math.max(end, at + found.length);
    }
    return shown + text.slice(end, mostCharacters);
  }

  #longestAt(
    text: string,
    at: number,
    left: { comparisons: number },
  ): { length: number; mask: string } | null {
    for (const keyLength of this.#keyLengths) {
      const known = this.#found.get(text.slice(at, at + keyLength));
      if (known === undefined) continue;
      for (const length of known.lengths) {
        left.comparisons -= 1 + (length >> 6);
        if (left.comparisons < 0) return null;
        const mask = known.masks.get(text.slice(at, at + length));
        if (mask !== undefined && (length >= leastInWords || isAlone(text, at, length)))
          return { length, mask };
      }
    }
    return null;
  }
}

const isAlone = (text: string, at: number, length: number): boolean =>
  !wordCharacter.test(text[at - 1] ?? ' ') && !wordCharacter.test(text[at + length] ?? ' ');
