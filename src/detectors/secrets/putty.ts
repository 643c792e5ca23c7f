import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { LINE_FEED } from '../text/ascii.ts';

const PRIVATE_KEY = tagId('PRIVATE_KEY');
const HEAD = 'PuTTY-User-Key-File-';
const BODY = 'Private-Lines: ';
const MAC = 'Private-MAC: ';
const MAX_FILE = 16_384;

/** A key file of PuTTY, whose first dash is at `dash`, from its first line to its checksum; returns where it ends, or 0. */
export function puttyKey(pass: Pass, dash: number): number {
  const b = pass.text.bytes;
  const at = dash - 5;
  if (!isAt(b, at, HEAD)) return 0;
  const stop = Math.min(at + MAX_FILE, pass.text.end);
  let hasBody = false;
  let i = at;
  for (; i < stop; i++) {
    if (b[i - 1] !== LINE_FEED) continue;
    if (isAt(b, i, BODY)) hasBody = true;
    else if (isAt(b, i, MAC)) break;
  }
  if (!hasBody) return 0;
  while (i < stop && b[i] !== LINE_FEED) i++;
  pass.found(PRIVATE_KEY, CHECKSUM, at, i);
  return i;
}

function isAt(b: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (b[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
