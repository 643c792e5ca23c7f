import { tagId } from '../kinds/taxonomy.ts';
import { isSecretKind, type Label, labelEndings, MAX_LABEL } from '../labels/classifier.ts';
import { fieldLabel, isSectionKey, wholeLabelled } from '../labels/field-labels.ts';
import { isCitizens, isLabelByte, isMention, labelBefore, QUOTE } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import { namedPerson } from '../people/person-value.ts';
import { ALNUM, afterBlanks, byteAt, classOf, endsWith, is, isAt, SPACE, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { labelledValue } from './labelled-value.ts';
import { slashedPair } from './stated-value.ts';
import { valueAfter } from './value-after.ts';

const MAX_NESTED = 2;
/** Names that people and things have alike, the longest first. */
const NAMES =
  'displayname|display_name|display name|membername|member_name|clientname|client_name|name'.split('|');
/** Attributes that hold the value of a field. */
const VALUES = ['value', 'defaultvalue'];
const PASSWORD: Label = { tag: tagId('PASSWORD'), kind: 'password' };

/** A value assigned to a label by the colon, equals sign or bracket at `at`; returns where it ends, or 0. */
export function assignment(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (
    at - to < 4 &&
    (QUOTE[byteAt(b, to - 1)] === 1 || b[to - 1] === Char.BLANK || b[to - 1] === Char.RIGHT_BRACKET)
  )
    to--;
  if (isAt(b, to - 3, ' is')) to -= 3; // my recovery phrase is: …
  if (b[to - 1] === Char.RIGHT_PARENTHESIS) to = remarkStart(b, to);
  if (!labelEndings.fits(b, to)) return 0;
  const own = labelBefore(pass, to, b[at] === Char.EQUALS_SIGN);
  if (own !== null && (own.kind === 'secret' || own.kind === 'username')) {
    const second = slashedPair(b, at);
    // the user before it is read as well
    if (second !== 0 && pass.isOn(PASSWORD.tag))
      return secretValue(pass, PASSWORD, second, 'sentence') === 0 ? 0 : at + 1;
  }
  if (own !== null && isSecretKind(own)) return unspotted(pass, own);
  const paired = own === null ? pairedLabel(pass, to) : null;
  if (paired !== null && pass.isOn(paired.tag))
    return isSecretKind(paired)
      ? secretValue(pass, paired, afterBlanks(b, at + 1), 'line')
      : labelledValue(pass, paired, at + 1);
  if (own === null && b[at] === Char.EQUALS_SIGN && isQuery(b, to))
    return labelledValue(pass, QUERY_KEY, at + 1);
  const name =
    own === null && endsWith(b, to, 'name') ? NAMES.find((word) => isWord(b, to, word)) : undefined;
  if (name !== undefined) return namedPerson(pass, to - name.length, at);
  if (own === null && b[at] === Char.COLON_SIGN && isSectionKey(pass, to))
    return labelledValue(pass, SECTION_KEY, at + 1);
  if (own === null) return wholeLabelled(pass, to, at);
  if (!pass.isOn(own.tag)) return 0;
  if (own.kind === 'identifier' && isCitizens(b, pass.labelStart)) return 0;
  // a=b=c=…: each might be the label of all that follows
  pass.nestedValues = at < pass.valueEnd ? pass.nestedValues + 1 : 0;
  return pass.nestedValues > MAX_NESTED ? 0 : labelledValue(pass, own, at + 1);
}

/** Where the label ends before the remark in parentheses that ends at `to`: Full name (as in passport): …; `to` for none. */
function remarkStart(b: Uint8Array, to: number): number {
  let i = to - 2;
  while (to - i < MAX_LABEL && (isLabelByte(byteAt(b, i)) || b[i] === Char.BLANK)) i--;
  return b[i] === Char.LEFT_PARENTHESIS && b[i - 1] === Char.BLANK ? i - 1 : to;
}

const QUERY_KEY: Label = { tag: tagId('API_KEY'), kind: 'token' };
const SECTION_KEY: Label = { tag: QUERY_KEY.tag, kind: 'key' };
const QUERY_KEYS = ['key', 'app_key'];

/** Whether the parameter of a URL that ends at `to` is one that services take their keys in: `?key=…`. */
function isQuery(b: Uint8Array, to: number): boolean {
  return QUERY_KEYS.some((name) => {
    const before = byteAt(b, to - name.length - 1);
    return (before === Char.QUESTION_MARK || before === Char.AMPERSAND) && isWord(b, to, name);
  });
}

const SHORT = 'pw';
const PALAU = 'PW';
const REACH = 120;
/** A key of two letters, its value, and what parts rows; a name of letters, and such a key behind it. */
const ROW_BEFORE =
  /(?<![A-Za-z])(?!ID|DB|UN|IP)[A-Z]{2}["'`]?\s?(?:=>|[:=])\s?["'`[{][^\n]{2,80}[\s,;]+["'`]?$/;
const ROW_BEHIND =
  /^["'`]?\s?(?:=>|[:=])\s?[\s[{]*["'`][\p{L}\p{M} .'\u2019()-]{2,40}["'`][\s\]},;]+["'`]?(?!ID|DB|UN|IP)[A-Z]{2}["'`]?\s?(?:=>|[:=])/u;
const NAME_BEHIND = /^["'`]?\s?(?:=>|[:=])\s?[\s[{]*["'`][\p{L}\p{M} .'\u2019()-]{2,40}["'`]/u;

/** Whether the label is the end of letters among signs (3rxPw:5p), or the code of a country in a list of them: "PT": "Portugal", "PW": "Palau". */
function isNoPassword(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  const next = byteAt(b, to + 1);
  if (to - from > SHORT.length && b[to] === Char.COLON_SIGN && next > Char.BLANK && QUOTE[next] === 0)
    return endsWith(b, to, SHORT) && is(b, to - 3, ALNUM);
  if (to - from !== PALAU.length || pass.slice(from, to) !== PALAU) return false;
  const { start, end } = pass.text;
  const behind = pass.slice(to, Math.min(end, to + REACH));
  return (
    ROW_BEHIND.test(behind) ||
    (NAME_BEHIND.test(behind) && ROW_BEFORE.test(pass.slice(Math.max(start, from - REACH), from)))
  );
}

/** The secret after a label that was just read, unless its name was spotted before: then its value was read there. */
function unspotted(pass: Pass, label: Label): number {
  if (
    pass.labelEnd === pass.spottedEnd ||
    !pass.isOn(label.tag) ||
    isMention(pass.text.bytes, pass.labelStart, pass.labelEnd)
  )
    return 0;
  pass.spottedEnd = pass.labelEnd;
  if (isNoPassword(pass, pass.labelStart, pass.labelEnd)) return 0;
  return valueAfter(pass, label, pass.labelStart, pass.labelEnd);
}

/** The label of a value whose name stands before it: `key="password" value="…"`, `name: DB_PASSWORD` and a line `value: …`. */
function pairedLabel(pass: Pass, to: number): Label | null {
  const b = pass.text.bytes;
  for (const attribute of VALUES)
    if (isWord(b, to, attribute)) {
      const label = fieldLabel(pass, to - attribute.length);
      if (label !== null) return label.kind === 'seed' ? null : label;
    }
  if (!isWord(b, to, 'value')) return null;
  let end = to - 5;
  while (to - end < MAX_LABEL && isGap(byteAt(b, end - 1))) end--;
  let from = end;
  while (end - from < MAX_LABEL && isLabelByte(byteAt(b, from - 1))) from--;
  let key = from;
  while (from - key < 5 && isGap(byteAt(b, key - 1))) key--;
  if (!isWord(b, key, 'name') && !isWord(b, key, 'key')) return null;
  const label = labelBefore(pass, end);
  return label !== null && isSecretKind(label) ? label : null;
}

/** Bytes between a name and the word before it, or the value behind it. */
function isGap(c: number): boolean {
  return (classOf(c) & SPACE) !== 0 || GAP[c] === 1;
}
const GAP = setOf('"\'`:=,');

function isWord(b: Uint8Array, to: number, word: string): boolean {
  return endsWith(b, to, word) && !is(b, to - word.length - 1, ALNUM);
}

/** The value of a command-line flag (`--api-key x`) whose name begins at `at`; returns where it ends, or 0. */
export function flag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (to - at < MAX_LABEL && isLabelByte(byteAt(b, to))) to++;
  return b[to] === Char.BLANK && b[to + 1] !== Char.HYPHEN ? assignment(pass, to) : 0;
}
