import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALNUM, CLASS, DIGIT, HEX, WORD } from '../text/bytes.ts';

const IP = tagId('IP_ADDRESS');

/** An IPv6 address (RFC 4291, with zone and prefix length) whose first colon is at `at`; answers where it ends, or 0. */
export function ip6(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let from = at;
  while (at - from < 5 && (HEX[b[from - 1] as number] as number) < 16) from--;
  const before = b[from - 1] as number;
  if (at - from > 4 || (CLASS[before] as number) & WORD || before === 58) return 0;
  if (from === at && b[at + 1] !== 58) return 0;
  let groups = 0;
  let gap = false;
  let i = from;
  if (from === at) {
    gap = true;
    i += 2;
  }
  let letters = 0;
  for (;;) {
    const start = i;
    while (i - start < 5 && (HEX[b[i] as number] as number) < 16)
      if ((HEX[b[i++] as number] as number) > 9) letters++;
    if (i === start) break;
    if (b[i] === 46 && i - start < 4 && (CLASS[b[i + 1] as number] as number) & DIGIT) {
      const end = dotted(b, start);
      if (end === 0) return 0;
      groups += 2;
      i = end;
      break;
    }
    if (i - start > 4) return 0;
    groups++;
    if (b[i] !== 58) break;
    if (b[i + 1] === 58) {
      if (gap) return 0;
      gap = true;
      i += 2;
    } else if ((HEX[b[i + 1] as number] as number) < 16 && groups < 8) i++;
    else break;
  }
  if (gap ? groups > 7 || groups === 0 : groups !== 8) return 0;
  const c = b[i] as number;
  if (
    (CLASS[c] as number) & WORD ||
    (c === 58 && (b[i + 1] === 58 || (CLASS[b[i + 1] as number] as number) & ALNUM))
  )
    return 0;
  // a::b is a scope in some languages: an address is longer, or begins like one
  if (gap && groups < 3 && letters === i - from - 2 && from < at) return 0;
  pass.found(IP, FORMATTED, from, suffix(b, i));
  return i;
}

function dotted(b: Uint8Array, at: number): number {
  let i = at;
  for (let g = 0; g < 4; g++) {
    if (g > 0 && b[i++] !== 46) return 0;
    let value = 0;
    const start = i;
    while (i - start < 4 && (CLASS[b[i] as number] as number) & DIGIT)
      value = value * 10 + (b[i++] as number) - 48;
    if (i === start || value > 255) return 0;
  }
  return i;
}

/** The end with a zone (%eth0) and a prefix length (/64). */
function suffix(b: Uint8Array, end: number): number {
  let i = end;
  if (b[i] === 37 && (CLASS[b[i + 1] as number] as number) & ALNUM) {
    i++;
    while (i - end < 17 && (CLASS[b[i] as number] as number) & ALNUM) i++;
  }
  if (b[i] !== 47) return i;
  let j = i + 1;
  let value = 0;
  while (j - i < 5 && (CLASS[b[j] as number] as number) & DIGIT) value = value * 10 + (b[j++] as number) - 48;
  return j > i + 1 && value <= 128 ? j : i;
}
