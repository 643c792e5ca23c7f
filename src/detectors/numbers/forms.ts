import type { DigitCheck } from '../checks/check-digits.ts';
import type { DigitForms } from '../kinds/kind.ts';
import { BARE, CHECKSUM, FORMATTED, type Rank } from '../kinds/kind.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import { entry } from '../text/bytes.ts';

/** When a value of this form is reported: always, with a word near it or in strict mode, only with a word near it. */
type Alone = 'always' | 'strict' | 'named';

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
const forms: readonly Form[] = [false, true].flatMap((yields) =>
  digital
    .filter(({ digits }) => (digits.yields ?? false) === yields)
    .flatMap(({ tag, digits }) => formsOf(tag, digits)),
);

/** Kinds of which some form is nothing but digits, so that only the nearest word tells which it is. */
export const wordOnly: readonly number[] = digital
  .filter(({ digits }) => digits.rank === BARE)
  .map(({ tag }) => tagId(tag))
  .concat(tagId('PHONE_NUMBER'));

/** Group lengths above this are no number that is looked for. */
export const MAX_LENGTH = 31;

/** Forms of the same groups: those that stand alone apart, because without a word near only they are tried. */
export interface FormSet {
  all: readonly Form[];
  always: readonly Form[];
}

const NONE: FormSet = { all: [], always: [] };

/** Forms by their group lengths, one step a group, so that most sequences of numbers leave at the first step. */
class FormTrie {
  readonly #next: number[] = new Array(MAX_LENGTH + 1).fill(0);
  readonly #forms: FormSet[] = [NONE];
  readonly next: Int32Array;

  constructor(all: readonly Form[]) {
    for (const form of all) this.#add(form);
    this.next = Int32Array.from(this.#next);
  }

  at(node: number): FormSet {
    return this.#forms[node] as FormSet;
  }

  #add(form: Form): void {
    let node = 0;
    for (const length of form.lengths) {
      const slot = node * (MAX_LENGTH + 1) + length;
      if (this.#next[slot] === 0) {
        this.#next[slot] = this.#forms.length;
        this.#forms.push(NONE);
        for (let i = 0; i <= MAX_LENGTH; i++) this.#next.push(0);
      }
      node = entry(this.#next, slot);
    }
    const { all, always } = this.at(node);
    this.#forms[node] = { all: [...all, form], always: form.alone === 'always' ? [...always, form] : always };
  }
}

export const trie = new FormTrie(forms);
