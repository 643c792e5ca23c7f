import { byteAt } from '../text/read.ts';
import { type Label, labelWords, readLabel } from './label-rules.ts';
import { NONE } from './label-words.ts';

/** Bytes of the longest label. */
export const MAX_LABEL = 48;
const SLOTS = 16_384;
/** Stands for words that no rule knows. */
const UNKNOWN = 'zz_';

/**
 * What the labels of texts say, each kept in the one place its bytes lead to, until another takes it: a look-up makes no
 * string, and what is kept is compared byte for byte, so that no other label can speak for it. Crafted text has a new
 * label every few bytes; but of new words no rule knows the first, and then only the last is looked up: those are few.
 */
export class LabelCache {
  readonly #bytes = new Uint8Array(SLOTS * MAX_LABEL);
  /** Bytes that are kept, negative for a last word after words that no rule knows. */
  readonly #sizes = new Int8Array(SLOTS);
  readonly #labels: (Label | null)[] = new Array(SLOTS).fill(null);

  /** The label from `from` to `to`, of at most `MAX_LABEL` bytes; null for words that label nothing. */
  get(b: Uint8Array, from: number, to: number): Label | null {
    const whole = slotOf(b, from, to, to - from);
    if (this.#holds(whole, to - from, b, from, to)) return this.#labels[whole] as Label | null;
    const last = labelWords.lastOfUnknown(b, from, to);
    if (last === NONE) return null;
    if (last === from) return this.#keep(whole, to - from, b, from, to);
    const size = last - to;
    const slot = slotOf(b, last, to, size);
    if (this.#holds(slot, size, b, last, to)) return this.#labels[slot] as Label | null;
    return this.#keep(slot, size, b, last, to);
  }

  #holds(slot: number, size: number, b: Uint8Array, from: number, to: number): boolean {
    if (this.#sizes[slot] !== size) return false;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) if (this.#bytes[kept + i] !== b[i]) return false;
    return true;
  }

  #keep(slot: number, size: number, b: Uint8Array, from: number, to: number): Label | null {
    const word = ascii(b, from, to);
    const label = readLabel(size < 0 ? UNKNOWN + word : word);
    this.#labels[slot] = label;
    this.#sizes[slot] = size;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) this.#bytes[kept + i] = byteAt(b, i);
    return label;
  }
}

function slotOf(b: Uint8Array, from: number, to: number, size: number): number {
  let hash = size;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + byteAt(b, i)) | 0;
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}

function ascii(b: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(byteAt(b, i));
  return text;
}
