import type { KeyCache, KeyInfo } from '../context/keys.ts';
import { tagId } from '../taxonomy.ts';

export const COORDINATES = tagId('COORDINATES');
const MAX_DEGREES = 180;
/** Members of an object among which the other number of a place is looked for. */
const MAX_MEMBERS = 32;
const DEGREES = /^-?\d{1,3}\.\d+$/;
/** Degrees with so many decimals that they name a place of some ten metres. */
const PRECISE = /\.\d{4}/;

/** Whether the key is that of degrees: lat, longitude, coordinates. */
export function isPlaceKey({ contexts }: KeyInfo): boolean {
  return contexts.length > 0 && contexts.includes(COORDINATES);
}

/** Whether the value is degrees and the object has others: {"lat": 52.520008, "lng": 13.404954}, as numbers or as text. */
export function isPartOfPlace(
  object: Readonly<Record<string, unknown>>,
  value: unknown,
  keys: KeyCache,
): boolean {
  if (!isDegrees(value)) return false;
  let members = 0;
  let isPair = false;
  let isPrecise = false;
  for (const key in object) {
    if (++members > MAX_MEMBERS) return false;
    const other = object[key];
    if (!isDegrees(other) || !isPlaceKey(keys.get(key))) continue;
    isPair ||= other !== value;
    isPrecise ||= PRECISE.test(String(other));
  }
  return isPair && isPrecise;
}

/** Whether an array is the position of GeoJSON (RFC 7946): longitude, latitude and perhaps a height. */
export function isPosition(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  const [x, y] = value as readonly unknown[];
  return isDegrees(x) && isDegrees(y) && (PRECISE.test(String(x)) || PRECISE.test(String(y)));
}

function isDegrees(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const text = String(value);
  return text.length < 24 && DEGREES.test(text) && Math.abs(Number(text)) <= MAX_DEGREES;
}
