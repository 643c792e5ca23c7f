import type { DigitCheck } from '../checks/check-digits.ts';
import { ownKey } from '../context/keys.ts';
import { NEGATIVE, UNIT } from '../context/words.ts';
import { BARE, CHECKSUM, type DigitForms, FORMATTED, type Rank } from '../kinds/kind.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, classAt, DIGIT, entry, intAt, is, isBreak, UPPER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { joinedDigits, opened } from '../tokens/letter-forms.ts';
import { mayBePlate, plate } from '../tokens/vehicle.ts';
import { closes, digitCount, hasWord, isAmount, isInRow, isTableRow, opens, rowGoesOn } from './bounds.ts';
import { flexibleCard, isBareCard } from './cards.ts';
import { degrees } from './coordinates.ts';
import { datedNumber } from './dates.ts';
import type { Groups } from './groups.ts';
import { dottedAddress, ip6, mac } from './network-addresses.ts';
import { phone, withExtension } from './phone.ts';
import { mayBeDay, wordedDate } from './worded-date.ts';

/** When a value of this form is reported: always, with a word near it or in strict mode, only with a word near it. */
type Alone = 'always' | 'strict' | 'named';

interface Form {
  tag: number;
  lengths: readonly number[];
  /** Separator before each group but the first; 0 for any of `- . space`, the same throughout. */
  separators: readonly number[];
  check: DigitCheck;
  rank: Rank;
  alone: Alone;
}

const ALONE: readonly Alone[] = ['always', 'strict', 'named'];
const GROUP = /(\d+)(\D?)/g;
const anything: DigitCheck = () => true;

function parse(spec: string): { lengths: number[]; separators: number[] } {
  const lengths: number[] = [];
  const separators: number[] = [];
  for (const [, length = '', separator = ''] of spec.matchAll(GROUP)) {
    lengths.push(Number(length));
    if (separator !== '') separators.push(separator === '~' ? 0 : separator.charCodeAt(0));
  }
  return { lengths, separators };
}

function formsOf(tag: string, digits: DigitForms): Form[] {
  const { check = anything, rank: lowest = CHECKSUM } = digits;
  return ALONE.flatMap((alone) =>
    (digits[alone]?.split('|') ?? []).map((spec) => {
      const { lengths, separators } = parse(spec);
      const rank = lowest === BARE && lengths.length > 1 ? FORMATTED : lowest;
      return { tag: tagId(tag), lengths, separators, check, rank, alone };
    }),
  );
}

const digital = kinds.flatMap(({ tag, digits = [] }) => digits.map((one) => ({ tag, digits: one })));

/** The digit groups of all kinds, in the order they are tried. */
const forms: readonly Form[] = [false, true].flatMap((yields) =>
  digital
    .filter(({ digits }) => (digits.yields ?? false) === yields)
    .flatMap(({ tag, digits }) => formsOf(tag, digits)),
);

/** Kinds of which some form is nothing but digits, so that only the nearest word tells which it is. */
const wordOnly: readonly number[] = digital
  .filter(({ digits }) => digits.rank === BARE)
  .map(({ tag }) => tagId(tag))
  .concat(tagId('PHONE_NUMBER'));

/** Group lengths above this are no number that is looked for. */
const MAX_LENGTH = 31;

/** Forms of the same groups: those that stand alone apart, because without a word near only they are tried. */
interface FormSet {
  all: readonly Form[];
  always: readonly Form[];
}

const NONE: FormSet = { all: [], always: [] };

/** Forms by their group lengths, one step a group, so that most sequences of numbers leave at the first step. */
class FormTrie {
  readonly #next: number[] = new Array(MAX_LENGTH + 1).fill(0);
  readonly #forms: FormSet[] = [NONE];
  readonly next: Int32Array;

  constructor(all: readonly Form[]) {
    for (const form of all) this.#add(form);
    this.next = Int32Array.from(this.#next);
  }

  at(node: number): FormSet {
    return this.#forms[node] as FormSet;
  }

  #add(form: Form): void {
    let node = 0;
    for (const length of form.lengths) {
      const slot = node * (MAX_LENGTH + 1) + length;
      if (this.#next[slot] === 0) {
        this.#next[slot] = this.#forms.length;
        this.#forms.push(NONE);
        for (let i = 0; i <= MAX_LENGTH; i++) this.#next.push(0);
      }
      node = entry(this.#next, slot);
    }
    const { all, always } = this.at(node);
    this.#forms[node] = { all: [...all, form], always: form.alone === 'always' ? [...always, form] : always };
  }
}

const trie = new FormTrie(forms);

const BIRTH = tagId('DATE_OF_BIRTH');
const SSN = tagId('US_SSN');
const ITIN = tagId('US_ITIN');
const CARD = tagId('CREDIT_CARD');
/** Digits of the shortest thing that any group begins: an address such as 1.1.1.1. */
const MIN_DIGITS = 4;
/** Digits of the shortest form and telephone number, and of the shortest card. */
const MIN_FORM = 6;
/** Digits of what needs no word: a telephone number with a plus. */
const MIN_NAMELESS = 8;
const MIN_CARD = 13;
/** Digits of the numbers that only a word and a checksum tell, however they are grouped. */
const MIN_JOINED = 9;
const MAX_JOINED = 14;
/** Digits of the shortest date: 3/5/84. */
const MIN_DATE = 4;

/** Reads the number that begins at `at` with all groups that stand with it; returns where it ends. */
export function numbers(pass: Pass, at: number): number {
  const { groups } = pass;
  groups.read(pass.text.bytes, at);
  const total = intAt(groups.offsets, groups.count);
  if (groups.count > 1) {
    // 00:11:22:33:44:55 and 2345:425:2ca1::1 begin with digits only
    const hex = hexAddress(pass, byteAt(groups.before, 1), groups.endOf(0));
    if (hex !== 0) return hex;
    if (total < MIN_FORM) {
      if (total >= MIN_DIGITS) {
        shortAddress(pass);
        if (groups.count === 3 && pass.isOn(BIRTH)) datedNumber(pass, 0); // 3/5/84
      }
      return lastGroup(pass);
    }
  }
  if (isRow(groups)) return groups.end;
  if (groups.count > 1 && total >= MIN_JOINED && total <= MAX_JOINED && isJoined(pass, total))
    return groups.end;
  // too short for anything: no words need to be read
  if (groups.end - intAt(groups.starts, 0) < MIN_DIGITS) return lastGroup(pass);
  for (let g = 0; g < groups.count && groups.end - intAt(groups.starts, g) >= MIN_DIGITS; )
    g = group(pass, g);
  return lastGroup(pass);
}

/** Whether the groups, one digit each or in an unusual way, are one number of the kind whose word stands right before them. */
function isJoined(pass: Pass, total: number): boolean {
  const { groups } = pass;
  const from = intAt(groups.starts, 0);
  const isOneByOne = groups.count === total;
  for (let g = 1; g < groups.count; g++) {
    if (groups.before[g] !== groups.before[1] || (!isOneByOne && groups.lengths[g] === 1)) return false;
  }
  if (groups.before[1] === Char.TAB || isBreak(groups.before[1])) return false; // the next cell or line
  if (!pass.context.any(from) || !closes(pass, groups.count)) return false;
  const shape = groups.lengths.subarray(0, groups.count).join('-');
  return joinedForms(pass, { digits: groups.digits, count: total, shape }, from, groups.end);
}

/** Reads the letters behind the last group: a date, or the end of a group's word; returns where it ends. */
function lastGroup(pass: Pass): number {
  const { groups } = pass;
  const g = groups.count - 1;
  const from = intAt(groups.starts, g);
  const mayBeDate = g > 0 && groups.end - from < 3 && pass.isOn(BIRTH);
  const dated =
    mayBeDate && mayBeDay(pass.text.bytes, from, groups.end) ? wordedDate(pass, from, groups.end) : 0;
  return Math.max(dated, groups.reach, groups.end);
}

/** An identifier with letters, after a separator, before or after the digits of group `g`. */
function lettered(pass: Pass, g: number): void {
  const { groups } = pass;
  const from = intAt(groups.starts, g);
  const to = groups.endOf(g);
  const end =
    joinedDigits(pass, from, to) ||
    opened(pass, from, intAt(groups.lengths, g)) ||
    (mayBePlate(pass.text.bytes, from, to) ? plate(pass, from, to) : 0);
  if (end > groups.reach) groups.reach = end;
}

function hexAddress(pass: Pass, separator: number, at: number): number {
  if (separator === Char.BLANK || separator === Char.SLASH) return 0;
  const b = pass.text.bytes;
  if ((b[at + 3] === separator || b[at + 5] === separator) && separator !== Char.LINE_FEED) {
    const end = mac(pass, at);
    if (end !== 0) return end;
  }
  return separator === Char.COLON_SIGN ? ip6(pass, at) : 0;
}

/** Whether all groups are alike: a longer row of them than any number has is a list. */
function isRow({ lengths, before, count }: Groups): boolean {
  if (count <= (lengths[0] === 1 ? 19 : 10)) return false;
  for (let g = 1; g < count; g++) {
    if (lengths[g] !== lengths[0] || before[g] !== before[1]) return false;
  }
  return true;
}

/** Few digits are at most an address: 1.1.1.1. */
function shortAddress(pass: Pass): void {
  for (let g = 0; g + 4 <= pass.groups.count; g++) if (opens(pass, g) && dottedAddress(pass, g) > g) break;
}

/** Tries every kind of number that may begin with group `g`; returns the group to go on with. */
function group(pass: Pass, g: number): number {
  const { groups } = pass;
  lettered(pass, g);
  if (!opens(pass, g) || isNameless(pass)) return g + 1;
  const dotted = dottedAddress(pass, g);
  if (dotted > g) return dotted;
  const place = groups.before[g + 1] === Char.FULL_STOP ? degrees(pass, g) : g;
  if (place > g) return place;
  const left = digitCount(pass, g, groups.count);
  if (left >= MIN_NAMELESS || (left >= MIN_FORM && hasWord(pass))) {
    const matched = matchForms(pass, g);
    // what has the separators of another kind is no telephone number; bare digits may be either
    const phoned = matched > g + 1 ? g : phone(pass, g);
    if (matched > g || phoned > g) return Math.max(matched, phoned);
    const card = left < MIN_CARD ? g : flexibleCard(pass, g);
    if (card > g) return card;
  }
  const dated = left >= MIN_DATE && pass.isOn(BIRTH) ? datedNumber(pass, g) : g;
  return dated > g ? dated : g + 1;
}

/** Whether the number is one group that is something only by a word, a plus or an extension, and has none. */
function isNameless(pass: Pass): boolean {
  const { groups, text } = pass;
  const size = intAt(groups.lengths, 0);
  if (groups.count > 1 || size >= MIN_CARD || byteAt(groups.before, 0) === Char.PLUS) return false;
  if (trie.at(intAt(trie.next, size)).always.length > 0 || hasWord(pass)) return false;
  return withExtension(text.bytes, groups.end) === groups.end;
}

function matchForms(pass: Pass, g: number): number {
  const { groups } = pass;
  let node = 0;
  let end = g;
  let reported = g;
  while (end < groups.count) {
    const length = intAt(groups.lengths, end);
    if (length > MAX_LENGTH) break;
    node = intAt(trie.next, node * (MAX_LENGTH + 1) + length);
    if (node === 0) break;
    end++;
    const forms = trie.at(node);
    if (forms.all.length > 0 && closes(pass, end) && report(pass, g, end, forms)) reported = end;
  }
  return reported;
}

function report(pass: Pass, g: number, end: number, { all, always }: FormSet): boolean {
  let any = false;
  const from = intAt(pass.groups.starts, g);
  const to = pass.groups.endOf(end - 1);
  const offset = intAt(pass.groups.offsets, g);
  // words are cheaper to ask for than checks, and mostly there are none
  const isWhole = g === 0 && end === pass.groups.count;
  const named =
    hasWord(pass) && (pass.strict || isWhole || pass.context.any(from) || pass.context.anyAfter(to));
  const forms = named ? all : always;
  for (let f = 0; f < forms.length; f++) {
    const form = forms[f] as Form;
    if (!pass.isOn(form.tag) || !separated(pass, g, end, form)) continue;
    if (!form.check(pass.groups.digits, offset, digitCount(pass, g, end))) continue;
    if (!allowed(pass, form, from, end)) continue;
    if (form.lengths.length > 2 && isInRow(pass, g, end) && !pass.around(form.tag, from, to)) continue;
    if (form.tag === CARD && !isOneCard(pass, g, end, any)) continue;
    pass.found(form.tag, isCounter(pass, form, from, to) ? BARE : form.rank, from, to);
    any = true;
  }
  return any;
}

/** Digits that were pulled apart, and the digits of each group, as text: 3-2-4. */
export interface Run {
  digits: Uint8Array;
  count: number;
  shape: string;
}

/**
 * Reports digits that were pulled apart as the number that they are together; returns whether they are one. The word for its kind stands right
 * before it. Without a checksum the groups, as `shape` has them, are those of the kind.
 */
export function joinedForms(pass: Pass, { digits, count, shape }: Run, from: number, to: number): boolean {
  let any = false;
  for (const form of trie.at(intAt(trie.next, count)).all) {
    if (!pass.isOn(form.tag) || !pass.context.labels(form.tag, from) || !form.check(digits, 0, count))
      continue;
    const isUsual =
      !shape.includes('-') || forms.some((one) => one.tag === form.tag && one.lengths.join('-') === shape);
    if (form.rank !== CHECKSUM && !isUsual && shape.length !== 2 * count - 1) continue;
    pass.found(form.tag, form.rank, from, to);
    any = true;
  }
  return any;
}

function allowed(pass: Pass, form: Form, from: number, end: number): boolean {
  const to = pass.groups.endOf(end - 1);
  if (form.tag === CARD && form.lengths.length === 1 && !pass.strict) return isBareCard(pass, from, to);
  if (form.lengths.length > 1 && !pass.strict && isCell(pass, from, end) && !pass.around(form.tag, from, to))
    return false;
  if (form.alone === 'always') {
    if (form.tag === SSN && pass.text.bytes[from + 3] === Char.BLANK && isRowOrHouse(pass, from, to))
      return false;
    return pass.strict || !isCounter(pass, form, from, to);
  }
  if (form.alone === 'strict' && pass.strict) return true;
  if (form.rank === CHECKSUM) return pass.around(form.tag, from, to);
  if (isAmount(pass, end)) return false;
  if (!pass.context.any(from)) return pass.context.follows(form.tag, to);
  return pass.near(form.tag, from) && (form.rank !== BARE || isNearest(pass, form.tag, from));
}

/** Whether the last groups before `end` have white space before them as the cells of a table do. */
function isCell(pass: Pass, from: number, end: number): boolean {
  const { groups } = pass;
  const before = groups.before[end - 1];
  return before === Char.TAB || (before === Char.BLANK && isTableRow(pass, from, groups.endOf(end - 1)));
}

/** Whether the groups are no beginning of a longer row, nor (unless a word says so) what another kind claimed. */
function isOneCard(pass: Pass, g: number, end: number, isClaimed: boolean): boolean {
  const { groups } = pass;
  if (end - g > 1 && rowGoesOn(groups, end)) return false;
  return !isClaimed || pass.around(CARD, intAt(groups.starts, g), groups.endOf(end - 1));
}

/** Whether bare digits have the key of a counter, or its word right before them, and none of their own. */
function isCounter(pass: Pass, form: Form, from: number, to: number): boolean {
  if (form.alone !== 'always' || form.lengths.length > 1) return false;
  return pass.context.labels(NEGATIVE, from) && !pass.around(form.tag, from, to);
}

/**
 * Numbers in the groups of a social security number: in a row of others (the path of a drawing: 375 123 45 6789 18), and in addresses
 * (Suite 680 36 4022 Oakridge Lane).
 */
function isRowOrHouse(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  if (pass.near(SSN, from)) return false;
  const next = classAt(b, to + 1);
  if (b[from - 1] === Char.BLANK && is(b, from - 2, DIGIT)) return true;
  if (b[to] === Char.BLANK && (next & DIGIT) !== 0) return true;
  return pass.context.distance(UNIT, from) <= 3 || (b[to] === Char.BLANK && (next & UPPER) !== 0);
}

/** Whether no word of another kind that only a word tells apart is nearer: a passport after a social security number. */
function isNearest(pass: Pass, tag: number, from: number): boolean {
  const own = pass.context.distance(tag, from);
  const key = ownKey(pass.text.bytes, from);
  if (key > 0 && own > from - key) return false;
  const counter = pass.context.distance(NEGATIVE, from);
  // a number of any form is whatever the nearest word says
  if (!pass.strict && tag !== SSN && tag !== ITIN && counter >= 0 && counter < own) return false;
  return wordOnly.every((other) => pass.context.distance(other, from) >= own);
}

function separated(pass: Pass, g: number, end: number, form: Form): boolean {
  const { before } = pass.groups;
  for (let k = g + 1; k < end; k++) {
    const wanted = entry(form.separators, k - g - 1);
    const found = plain(byteAt(before, k));
    if (wanted === 0 ? found !== plain(byteAt(before, g + 1)) || !isCommon(found) : found !== wanted)
      return false;
  }
  return true;
}

/** A line break between groups counts as a space: values are wrapped. */
function plain(c: number): number {
  return c === Char.LINE_FEED || c === Char.CARRIAGE_RETURN ? Char.BLANK : c;
}

function isCommon(c: number): boolean {
  return c === Char.BLANK || c === Char.HYPHEN || c === Char.FULL_STOP || c === Char.TAB;
}
