import type { DigitCheck } from '../checks/digits.ts';
import { BARE, CHECKSUM, FORMATTED, type Rank } from '../hits.ts';
import { kinds } from '../kinds/index.ts';
import type { DigitForms } from '../kinds/kind.ts';
import { tagId } from '../taxonomy.ts';

/** When a value of this form is reported: always, with a word near it or in strict mode, only with a word near it. */
export type Alone = 'always' | 'strict' | 'named';

export interface Form {
  tag: number;
  lengths: readonly number[];
  /** Separator before each group but the first; 0 for any of `- . space`, the same throughout. */
  separators: readonly number[];
  check: DigitCheck;
  rank: Rank;
  alone: Alone;
}

const ALONE: readonly Alone[] = ['always', 'strict', 'named'];
const GROUP = /(\d+)(\D?)/g;
const anything: DigitCheck = () => true;

function parse(spec: string): { lengths: number[]; separators: number[] } {
  const lengths: number[] = [];
  const separators: number[] = [];
  for (const [, length = '', separator = ''] of spec.matchAll(GROUP)) {
    lengths.push(Number(length));
    if (separator !== '') separators.push(separator === '~' ? 0 : separator.charCodeAt(0));
  }
  return { lengths, separators };
}

function formsOf(tag: string, digits: DigitForms): Form[] {
  const { check = anything, rank: lowest = CHECKSUM } = digits;
  return ALONE.flatMap((alone) =>
    (digits[alone]?.split('|') ?? []).map((spec) => {
      const { lengths, separators } = parse(spec);
      const rank = lowest === BARE && lengths.length > 1 ? FORMATTED : lowest;
      return { tag: tagId(tag), lengths, separators, check, rank, alone };
    }),
  );
}

const digital = kinds.flatMap(({ tag, digits = [] }) => digits.map((one) => ({ tag, digits: one })));

/** The digit groups of all kinds, in the order they are tried. */
export const forms: readonly Form[] = [false, true].flatMap((yields) =>
  digital
    .filter(({ digits }) => (digits.yields ?? false) === yields)
    .flatMap(({ tag, digits }) => formsOf(tag, digits)),
);

/** Kinds of which some form is nothing but digits, so that only the nearest word tells which it is. */
export const wordOnly: readonly number[] = digital
  .filter(({ digits }) => digits.rank === BARE)
  .map(({ tag }) => tagId(tag))
  .concat(tagId('PHONE_NUMBER'));
