import { REACH } from '../context/context.ts';
import { AFTER_PHONE, NEGATIVE, NUMBERED } from '../context/table.ts';
import { BARE, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { COMMA, FULL_STOP } from '../text/ascii.ts';
import { CLASS, DIGIT, SPACE } from '../text/bytes.ts';
import { closes, digitCount, isAmount } from './bounds.ts';
import { isCountry } from './countries.ts';
import type { Groups } from './groups.ts';

const PHONE = tagId('PHONE_NUMBER');

/** How near the word must be that makes few digits a telephone number. */
const CLOSE = 6;
const NEARBY = 16;

/** A telephone number from group `g`; answers the group after it, or `g`. */
export function phone(pass: Pass, g: number): number {
  const { groups } = pass;
  const b = pass.text.bytes;
  const start = groups.starts[g] as number;
  // (415) 555-0132, not (415-555-0132)
  const opened = b[start - 1] === 40 && g + 1 < groups.count && groups.before[g + 1] === 41;
  const plus = b[start - 1] === 43 || (opened && b[start - 2] === 43);
  const end = extent(groups, g, plus);
  const digits = digitCount(pass, g, end);
  if (digits < 6 || digits > 16 || !pass.isOn(PHONE)) return g;
  let from = opened ? start - 1 : start;
  if (b[from - 1] === 43) from--;
  if (plus && b[from - 1] === 40 && g + 1 < groups.count && groups.before[g + 1] === 41) from--; // (+44) 20
  const to = withExtension(b, groups.endOf(end - 1));
  const extended = to > groups.endOf(end - 1);
  const isPhone = plus
    ? digits >= 8 && digits <= 15 && isCountry(groups, g)
    : isAmerican(groups, g, end, opened) ||
      ((groups.named || extended) && !isCalendar(groups, g, end) && isNamed(pass, g, end, from, to));
  if (!isPhone || !(opened || closes(pass, end) || extended)) return g;
  pass.found(PHONE, end - g > 1 || plus ? FORMATTED : BARE, from, to);
  return end;
}

/** Whether words say that the digits are a telephone number: the fewer they are, the nearer the words. */
function isNamed(pass: Pass, g: number, end: number, from: number, to: number): boolean {
  const { groups, context } = pass;
  const digits = digitCount(pass, g, end);
  const bare = end - g === 1;
  const before = pass.text.bytes[from - 1];
  if (end < groups.count && groups.before[end] === groups.before[end - 1]) return false; // a list goes on
  if (isAmount(pass, end) || isDecimalInRow(pass, g, end)) return false;
  if ((bare && digits < 7) || before === 47 || before === 64 || before === 95) return false;
  if (context.any(from)) {
    const distance = context.distance(PHONE, from);
    const reach = digits < 7 ? CLOSE : digits < 9 ? NEARBY : REACH;
    if (distance <= reach && distance < context.distance(NEGATIVE, from)) return true;
    // "my number is 09-7625400": a number of no other kind, written as telephone numbers are
    if (context.distance(NUMBERED, from) <= 5 && digits >= 9 && context.distance(NEGATIVE, from) > 40)
      return bare ? digits === 11 : groups.digits[groups.offsets[g] as number] === 0;
  }
  return end === groups.count && isSpoken(pass.text.bytes, to) && context.follows(AFTER_PHONE, to);
}

/** Whether the two groups are a decimal beside a comma: 52.520008,13.404954. */
function isDecimalInRow({ groups, text }: Pass, g: number, end: number): boolean {
  if (end - g !== 2 || groups.before[g + 1] !== FULL_STOP) return false;
  return groups.before[g] === COMMA || text.bytes[groups.endOf(end - 1)] === COMMA;
}

/** Whether a word may follow in the same sentence: 51-16-34-25-Office, 089 726341 (mobile). */
function isSpoken(b: Uint8Array, to: number): boolean {
  const c = b[to] as number;
  return c === 32 || c === 40 || c === 45 || c === 47 || (c === 44 && b[to + 1] === 32);
}

/** Bytes that part the groups of one telephone number. */
const PARTS = new Uint8Array(256);
for (const c of ' -.()') PARTS[c.charCodeAt(0)] = 1;

/** Groups that belong to one telephone number, by what parts them. */
function extent(groups: Groups, g: number, plus: boolean): number {
  let digits = 0;
  let end = g;
  let last = g;
  for (; end < groups.count && end - g < 7; end++) {
    const before = groups.before[end] as number;
    if (end > g && PARTS[before] === 0 && !(before === 47 && end === g + 1)) break;
    digits += groups.lengths[end] as number;
    if (digits > (plus ? 15 : 16)) break;
    last = end + 1;
  }
  return last;
}

/** North American Numbering Plan: NXX-NXX-XXXX with any separators, the trunk or country code 1 before it or not. */
function isAmerican(groups: Groups, g: number, end: number, opened: boolean): boolean {
  let k = g;
  const { lengths, offsets, digits } = groups;
  if (end - k === 4 && lengths[k] === 1 && digits[offsets[k] as number] === 1) k++;
  if (end - k !== 3 || lengths[k] !== 3 || lengths[k + 1] !== 3 || lengths[k + 2] !== 4) return false;
  const area = offsets[k] as number;
  if ((digits[area] as number) < 2 || (digits[area + 3] as number) < 2) return false;
  if (digits[area + 1] === 1 && digits[area + 2] === 1) return false;
  const a = groups.before[k + 1] as number;
  const b = groups.before[k + 2] as number;
  if (opened || a === 41) return true;
  return a === b || (a === 32 && b === 45);
}

/** Dates and times are written with the same groups as short telephone numbers. */
function isCalendar(groups: Groups, g: number, end: number): boolean {
  const { lengths } = groups;
  if (end - g !== 3) return false;
  const a = lengths[g] as number;
  const b = lengths[g + 1] as number;
  const c = lengths[g + 2] as number;
  return (a === 4 && b <= 2 && c <= 2) || (a <= 2 && b <= 2 && c === 4);
}

/** The end of the number with an extension: x818, ext. 12. */
function withExtension(b: Uint8Array, end: number): number {
  let i = end;
  if (((CLASS[b[i] as number] as number) & SPACE) !== 0) i++;
  if (b[i] === 101 && b[i + 1] === 120 && b[i + 2] === 116) {
    i += 3;
    if (b[i] === 46) i++;
    if (b[i] === 32) i++;
  } else if (b[i] === 120) i++;
  else return end;
  const from = i;
  while (i - from < 7 && (CLASS[b[i] as number] as number) & DIGIT) i++;
  return i > from ? i : end;
}
