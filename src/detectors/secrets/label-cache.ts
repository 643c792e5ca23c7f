import { type Label, labelWords, readLabel } from './label-rules.ts';

/** Bytes of the longest label. */
export const MAX_LABEL = 48;
const SLOTS = 1024;
/** Stands for words that no rule knows. */
const UNKNOWN = 'zz_';

/**
 * What the labels of texts say, each kept in the one place its bytes lead to, until another takes it: a look-up makes no
 * string, and what is kept is compared byte for byte, so that no other label can speak for it.
 */
export class LabelCache {
  readonly #bytes = new Uint8Array(SLOTS * MAX_LABEL);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #labels: (Label | null)[] = new Array(SLOTS).fill(null);
  /** What a last word says after words that no rule knows. */
  readonly #afterUnknown = new Map<string, Label | null>();

  /** The label from `from` to `to`, of at most `MAX_LABEL` bytes; null for words that label nothing. */
  get(b: Uint8Array, from: number, to: number): Label | null {
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + (b[i] as number)) | 0;
    const slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
    if (!this.#holds(slot, b, from, to)) this.#keep(slot, b, from, to, this.#read(b, from, to));
    return this.#labels[slot] as Label | null;
  }

  #holds(slot: number, b: Uint8Array, from: number, to: number): boolean {
    if (this.#lengths[slot] !== to - from) return false;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) if (this.#bytes[kept + i] !== b[i]) return false;
    return true;
  }

  #keep(slot: number, b: Uint8Array, from: number, to: number, label: Label | null): void {
    this.#labels[slot] = label;
    this.#lengths[slot] = to - from;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) this.#bytes[kept + i] = b[i] as number;
  }

  /** Crafted text has a new label every few bytes; but of new words no rule knows the first, and the last are few. */
  #read(b: Uint8Array, from: number, to: number): Label | null {
    const last = labelWords.lastOfUnknown(b, from, to);
    if (last === from) return readLabel(ascii(b, from, to));
    const word = ascii(b, last, to);
    let label = this.#afterUnknown.get(word);
    if (label === undefined) {
      label = readLabel(UNKNOWN + word);
      if (this.#afterUnknown.size === SLOTS) this.#afterUnknown.clear();
      this.#afterUnknown.set(word, label);
    }
    return label;
  }
}

function ascii(b: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(b[i] as number);
  return text;
}
