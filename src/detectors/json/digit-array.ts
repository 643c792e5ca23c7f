/** An array that spells a number, as one text, and for each character the index of its element. */
export interface DigitArray {
  text: string;
  origin: Int32Array;
}

const MAX_DIGITS = 34;
/** Elements of more than one digit: as many as the longest number has groups. */
const MAX_GROUPS = 7;
const CHUNK = /^[0-9]{1,6}$/;

/**
 * An array whose elements are all digits or short groups of digits, such as a card number one digit an element;
 * null for any other. Elements of one digit are joined, longer ones stand with a space between them.
 */
export function digitArray(values: readonly unknown[]): DigitArray | null {
  const count = values.length;
  if (count < 3 || count > MAX_DIGITS) return null;
  let digits = 0;
  for (let i = 0; i < count; i++) {
    const size = chunkSize(values[i]);
    digits += size;
    if (size === 0 || digits > MAX_DIGITS || (count > MAX_GROUPS && size > 1)) return null;
  }
  if (digits < 9) return null;
  const separator = digits === count ? '' : ' ';
  const origin = new Int32Array(digits + separator.length * (count - 1) + 1);
  let text = '';
  for (let i = 0; i < count; i++) {
    // a separator belongs to the element after it
    const from = text.length;
    text += i === 0 ? String(values[i]) : separator + String(values[i]);
    for (let at = from; at < text.length; at++) origin[at] = i;
  }
  origin[text.length] = count;
  return /[2-9]/.test(text) ? { text, origin } : null; // otherwise flags
}

/** Digits of an element; 0 when it is anything but one to six digits. */
function chunkSize(value: unknown): number {
  if (typeof value === 'string') return value.length <= 6 && CHUNK.test(value) ? value.length : 0;
  if (typeof value !== 'number' || !(value >= 0 && value < 1e6) || !Number.isInteger(value)) return 0;
  return value < 10 ? 1 : String(value).length;
}
