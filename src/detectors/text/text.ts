import { MASK } from './bytes.ts';
import { FOLD } from './fold.ts';

/** Zero bytes kept before and after the text, so that bounded look-behind and look-ahead need no checks. */
export const PAD = 64;

/**
 * One string leaf as normalised bytes, one for each UTF-16 code unit, in a buffer that is reused for every leaf.
 * The bytes run from `start` to `end`; a zero byte stands on either side of them.
 */
export class Text {
  bytes: Uint8Array = new Uint8Array(4096 + 2 * PAD);
  readonly start: number = PAD;
  end: number = PAD;
  /** What the text contains: HAS_… bits. */
  mask = 0;

  /** Replaces the text by a string of any length. */
  load(text: string): void {
    const n = text.length;
    if (n + 2 * PAD > this.bytes.length) this.bytes = new Uint8Array(2 * n + 2 * PAD);
    const b = this.bytes;
    let mask = 0;
    for (let i = 0; i < n; i++) {
      const x = FOLD[text.charCodeAt(i)] as number;
      b[PAD + i] = x;
      mask |= MASK[x] as number;
    }
    this.finish(PAD + n, mask);
  }

  /** Replaces the text by the first `n` of these UTF-16 units. */
  loadUnits(units: Uint16Array, n: number): void {
    if (n + 2 * PAD > this.bytes.length) this.bytes = new Uint8Array(2 * n + 2 * PAD);
    const b = this.bytes;
    let mask = 0;
    for (let i = 0; i < n; i++) {
      const x = FOLD[units[i] as number] as number;
      b[PAD + i] = x;
      mask |= MASK[x] as number;
    }
    this.finish(PAD + n, mask);
  }

  finish(end: number, mask: number): void {
    // A former, longer text must not be seen past the end: nothing peeks further than this without a check.
    this.bytes.fill(0, end, end + 32);
    this.end = end;
    this.mask = mask;
  }
}
