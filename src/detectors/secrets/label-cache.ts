import { type Label, readLabel } from './label-rules.ts';

/** Bytes of the longest label. */
export const MAX_LABEL = 48;
const SLOTS = 1024;

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
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + (b[i] as number)) | 0;
    const slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
    if (!this.#holds(slot, b, from, to)) this.#read(slot, b, from, to);
    return this.#labels[slot] as Label | null;
  }

  #holds(slot: number, b: Uint8Array, from: number, to: number): boolean {
    if (this.#lengths[slot] !== to - from) return false;
    const kept = slot * MAX_LABEL - from;
    for (let i = from; i < to; i++) if (this.#bytes[kept + i] !== b[i]) return false;
    return true;
  }

  #read(slot: number, b: Uint8Array, from: number, to: number): void {
    let text = '';
    for (let i = from; i < to; i++) text += String.fromCharCode(b[i] as number);
    this.#labels[slot] = readLabel(text);
    this.#lengths[slot] = to - from;
    this.#bytes.set(b.subarray(from, to), slot * MAX_LABEL);
  }
}
