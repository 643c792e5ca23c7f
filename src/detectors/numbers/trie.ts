import { entry } from '../text/read.ts';
import { type Form, forms } from './forms.ts';

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
