import { unitAt } from '../text/read.ts';

const MAX_DIGITS = 34;
/** Elements of more than one digit: as many as the longest number has groups. */
const MAX_GROUPS = 7;
const CHUNK = /^[0-9]{1,6}$/;
/** Every digit, the spaces, the end. */
const MAX_SIZE = MAX_DIGITS + MAX_GROUPS;

/** Reads arrays that spell a number into buffers that are reused, because an attack has thousands of them. */
export class DigitArray {
  /** The number as UTF-16 units. */
  readonly units = new Uint16Array(MAX_SIZE);
  /** For each unit and for the end, the index of its element. */
  readonly origin = new Int32Array(MAX_SIZE);
  /** Whether each element of the last one is one digit, and whether they are strings. */
  isSpelled = false;
  isOfTexts = false;

  /**
   * Reads an array whose elements are all digits or short groups of digits, such as a card number one digit an
   * element. Returns how many units it has, 0 for any other array. Elements of one digit are joined, longer ones
   * stand with a space between them.
   */
  read(values: readonly unknown[]): number {
    const count = values.length;
    if (count < 3 || count > MAX_DIGITS) return 0;
    let digits = 0;
    this.isSpelled = false;
    for (let i = 0; i < count; i++) {
      const size = chunkSize(values[i]);
      digits += size;
      if (size === 0 || digits > MAX_DIGITS || (count > MAX_GROUPS && size > 1)) return 0;
    }
    if (digits < 9) return 0;
    let end = 0;
    let isFlags = true;
    for (let i = 0; i < count; i++) {
      // a space belongs to the element after it
      if (digits > count && i > 0) end = this.#put(end, 32, i);
      const value = values[i];
      const chunk = typeof value === 'number' && value < 10 ? value : String(value);
      if (typeof chunk === 'number') end = this.#put(end, 48 + chunk, i);
      else for (let k = 0; k < chunk.length; k++) end = this.#put(end, chunk.charCodeAt(k), i);
    }
    for (let k = 0; k < end && isFlags; k++) isFlags = unitAt(this.units, k) < 50;
    this.origin[end] = count;
    this.isSpelled = digits === count;
    this.isOfTexts = typeof values[0] === 'string';
    return isFlags ? 0 : end;
  }

  #put(at: number, unit: number, element: number): number {
    this.units[at] = unit;
    this.origin[at] = element;
    return at + 1;
  }
}

/** Digits of an element; 0 when it is anything but one to six digits. */
function chunkSize(value: unknown): number {
  if (typeof value === 'string') return value.length <= 6 && CHUNK.test(value) ? value.length : 0;
  if (typeof value !== 'number' || !(value >= 0 && value < 1e6) || !Number.isInteger(value)) return 0;
  return value < 10 ? 1 : String(value).length;
}
