/** An array that spells a number, as one text, and for each character the index of its element. */
export interface DigitArray {
  text: string;
  origin: Int32Array;
}

const MAX_ELEMENTS = 40;
const CHUNK = /^[0-9]{1,6}$/;

/**
 * An array whose elements are all digits or short groups of digits, such as a card number one digit an element;
 * null for any other. Elements of one digit are joined, longer ones stand with a space between them.
 */
export function digitArray(values: readonly unknown[]): DigitArray | null {
  if (values.length < 3 || values.length > MAX_ELEMENTS) return null;
  const chunks: string[] = [];
  for (const value of values) {
    const chunk = typeof value === 'number' ? String(value) : value;
    if (typeof chunk !== 'string' || !CHUNK.test(chunk)) return null;
    chunks.push(chunk);
  }
  const separator = chunks.every((chunk) => chunk.length === 1) ? '' : ' ';
  const text = chunks.join(separator);
  if (text.length < 9 || !/[2-9]/.test(text)) return null;
  const origin = new Int32Array(text.length);
  let at = 0;
  chunks.forEach((chunk, index) => {
    origin.fill(index, at, at + chunk.length + separator.length);
    at += chunk.length + separator.length;
  });
  return { text, origin };
}
