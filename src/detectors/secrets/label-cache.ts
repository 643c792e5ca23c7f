import { type Label, labelWords, readLabel } from './label-rules.ts';

/** Bytes of the longest label. */
export const MAX_LABEL = 48;
const SLOTS = 1024;
/** Added to the length of a word that is kept for where it stands: after others that no rule knows. */
const AFTER_UNKNOWN = 128;
const UNKNOWN = 'zz_';

/**
 * What the labels of texts say, each kept in the one place its bytes lead to, until another takes it: a look-up makes no
 * string, and what is kept is compared byte for byte, so that no other label can speak for it.
 */
export class LabelCache {
  readonly #bytes = new Uint8Array(SLOTS * MAX_LABEL);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #labels: (Label | null)[] = new Array(SLOTS).fill(null);

  /** The label from `from` to `to`, of at most `MAX_LABEL` bytes; null for words that label nothing. */
  get(b: Uint8Array, from: number, to: number): Label | null {
    const slot = slotOf(b, from, to);
    if (this.#holds(slot, b, from, to, 0)) return this.#labels[slot] as Label | null;
    // Crafted text has a new label every few bytes; but new words are words that no rule knows.
    const last = labelWords.lastOfUnknown(b, from, to);
    return last === from ? this.#read(slot, b, from, to, 0) : this.#afterUnknown(b, last, to);
  }

  /** What the word from `from` to `to` labels after others that no rule knows. */
  #afterUnknown(b: Uint8Array, from: number, to: number): Label | null {
    const slot = slotOf(b, from, to);
    return this.#holds(slot, b, from, to, AFTER_UNKNOWN)
      ? (this.#labels[slot] as Label | null)
      : this.#read(slot, b, from, to, AFTER_UNKNOWN);
  }

  #holds(slot: number, b: Uint8Array, from: number, to: number, place: number): boolean {
    if (this.#lengths[slot] !== to - from + place) return false;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) if (this.#bytes[kept + i] !== b[i]) return false;
    return true;
  }

  #read(slot: number, b: Uint8Array, from: number, to: number, place: number): Label | null {
    let text = place === 0 ? '' : UNKNOWN;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) {
      text += String.fromCharCode(b[i] as number);
      this.#bytes[kept + i] = b[i] as number;
    }
    const label = readLabel(text);
    this.#labels[slot] = label;
    this.#lengths[slot] = to - from + place;
    return label;
  }
}

function slotOf(b: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + (b[i] as number)) | 0;
  return (hash ^ (hash >>> 10)) & (SLOTS - 1);
}
