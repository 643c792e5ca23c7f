import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALPHABET, BASE64_URL } from './alphabet.ts';

const JWT = tagId('JWT');

/**
 * A JSON Web Token (RFC 7519) whose header begins at `from` with `eyJ`, which is base64url of `{"`: a header, a
 * payload that is an object too, and a signature that may be empty. Returns where it ends, or 0.
 */
export function jwt(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from] !== 101 || b[from + 1] !== 121 || b[from + 2] !== 74) return 0;
  const header = segmentEnd(b, from);
  if (header - from < 16 || b[header] !== 46) return 0;
  const payload = segmentEnd(b, header + 1);
  if (payload - header < 8 || b[payload] !== 46 || b[header + 1] !== 101 || b[header + 2] !== 121) return 0;
  const end = segmentEnd(b, payload + 1);
  pass.found(JWT, CHECKSUM, from, end);
  return end;
}

function segmentEnd(b: Uint8Array, at: number): number {
  let i = at;
  while ((ALPHABET[b[i] as number] as number) & BASE64_URL) i++;
  return i;
}
