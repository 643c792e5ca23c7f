import type { DigitCheck } from '../checks/check-digits.ts';

/** How far a finding proves itself: by a checksum or vendor prefix, by its separators, or only by a word near it. */
export type Strength = 'checksum' | 'formatted' | 'bare';

export const CHECKSUM = 2;
export const FORMATTED = 1;
export const BARE = 0;
export type Rank = 0 | 1 | 2;
export const STRENGTHS: readonly Strength[] = ['bare', 'formatted', 'checksum'];

export type Category =
  | 'PII'
  | 'FINANCIAL'
  | 'PCI'
  | 'CREDENTIALS'
  | 'PHI'
  | 'NETWORK'
  | 'ACCOUNT'
  | 'GEOLOCATION'
  | 'SECURITY'
  | 'UNSCANNED';

/** Whether the letters and digits of a value, which begin at `o` in `b`, are valid; separators are left out. */
export type LetterCheck = (b: Uint8Array, o: number) => boolean;

/**
 * Digit groups of a kind, as alternatives between bars: `3-2-4` with just these separators, `3~2~4` with any one of
 * dash, dot and space throughout.
 */
export interface DigitForms {
  /** Must hold for all digits; without one every number of these groups counts. */
  check?: DigitCheck;
  /** Forms that are reported wherever they stand. */
  always?: string;
  /** Forms that need a word near them, unless the detector is strict. */
  strict?: string;
  /** Forms that always need a word near them. */
  named?: string;
  /** Strength of bare digits; `CHECKSUM` when absent. */
  rank?: Rank;
  /** Whether any other kind that fits the same digits comes first. */
  yields?: true;
}

/**
 * Values of letters and digits, as alternatives between bars: `9` is a digit, `A` a letter, `X` either; every other
 * character stands for itself.
 */
export interface LetterForms {
  check?: LetterCheck;
  /** Forms that are reported wherever they stand, in any case or in capital letters. */
  always?: string;
  upper?: string;
  /** Forms that need a word near them: unless the detector is strict, and in any case. */
  strict?: string;
  named?: string;
  /** Strength of a finding; `CHECKSUM` when absent. */
  rank?: Rank;
}

/** How one kind of data is told; `documentation.ts` says it in words. */
export interface Kind {
  tag: string;
  /** Categories a finding adds, most general first; PII alone when absent. */
  categories?: readonly Category[];
  /** Off unless an integration turns it on. */
  optIn?: true;
  /**
   * Words that name it, before or after a value or in its JSON key: lower case, without accents, `_` between the two of
   * a pair.
   */
  words?: string;
  /** Whether words for an identity number of any country ("national ID") name it too: its check then tells which. */
  identity?: true;
  digits?: readonly DigitForms[];
  letters?: readonly LetterForms[];
  /** Whether any short word of mostly digits counts when a word of this kind is the nearest before it. */
  anyWord?: true;
  /** Whether only a recogniser in another process finds it: see `services/recognition`. */
  isRecognized?: true;
}
