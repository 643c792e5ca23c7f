import { VERSIONED } from '../context/table.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CLASS, WORD } from '../text/bytes.ts';

const IP = tagId('IP_ADDRESS');

/** Four dotted octets from group `g`, with their prefix length; answers the group after, or `g`. */
export function dottedAddress(pass: Pass, g: number): number {
  const { groups } = pass;
  if (g + 4 > groups.count || groups.before[g + 1] !== 46) return g;
  for (let k = g; k < g + 4; k++) {
    if (k > g && groups.before[k] !== 46) return g;
    if (!isOctet(pass, k)) return g;
  }
  const from = groups.starts[g] as number;
  const run = dottedRun(pass, g);
  if (run > 5) return g + run; // an object identifier
  let end = g + run;
  let to = groups.endOf(end - 1);
  if ((CLASS[pass.text.bytes[to] as number] as number) & WORD) return g;
  const version = !pass.strict && pass.context.distance(VERSIONED, from) < 16;
  if (version || groups.before[g] === 45) return end;
  if (groups.before[end] === 47 && end < groups.count && isPrefix(pass, end)) to = groups.endOf(end++);
  pass.found(IP, FORMATTED, from, to);
  return end;
}

/** Groups that dots join from `g` on. */
function dottedRun({ groups }: Pass, g: number): number {
  let end = g + 1;
  while (end < groups.count && groups.before[end] === 46) end++;
  return end - g;
}

function isOctet(pass: Pass, k: number): boolean {
  const { groups } = pass;
  const n = groups.lengths[k] as number;
  if (n > 3) return false;
  const o = groups.offsets[k] as number;
  let value = 0;
  for (let i = 0; i < n; i++) value = value * 10 + (groups.digits[o + i] as number);
  return value < 256 && (n === 1 || groups.digits[o] !== 0);
}

function isPrefix(pass: Pass, k: number): boolean {
  const { groups } = pass;
  const n = groups.lengths[k] as number;
  const o = groups.offsets[k] as number;
  const value =
    (groups.digits[o] as number) * (n > 1 ? 10 : 1) + (n > 1 ? (groups.digits[o + 1] as number) : 0);
  return n <= 2 && value <= 32;
}
