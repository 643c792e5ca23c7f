import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { FULL_STOP, LOWER_E, LOWER_Y, UPPER_J } from '../text/ascii.ts';
import { byteAt, unitAt } from '../text/read.ts';
import { ALPHABET, BASE64_URL } from './alphabet.ts';

const JWT = tagId('JWT');

/**
 * A JSON Web Token (RFC 7519) whose header begins at `from` with `eyJ`, which is base64url of `{"`: a header, a
 * payload that is an object too, and a signature that may be empty. Returns where it ends, or 0.
 */
export function jwt(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from] !== LOWER_E || b[from + 1] !== LOWER_Y || b[from + 2] !== UPPER_J) return 0;
  const header = segmentEnd(b, from);
  if (header - from < 16 || b[header] !== FULL_STOP) return 0;
  const payload = segmentEnd(b, header + 1);
  if (
    payload - header < 8 ||
    b[payload] !== FULL_STOP ||
    b[header + 1] !== LOWER_E ||
    b[header + 2] !== LOWER_Y
  )
    return 0;
  const end = segmentEnd(b, payload + 1);
  pass.found(JWT, CHECKSUM, from, end);
  return end;
}

function segmentEnd(b: Uint8Array, at: number): number {
  let i = at;
  while (unitAt(ALPHABET, byteAt(b, i)) & BASE64_URL) i++;
  return i;
}
