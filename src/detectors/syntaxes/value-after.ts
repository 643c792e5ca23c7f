import { secretWord } from '../commands/command-flags.ts';
import { answer } from '../commands/command-forms.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Label } from '../labels/classifier.ts';
import { isVerb, QUOTE } from '../labels/labels.ts';
import { mayBePlainPassword } from '../labels/plain-words.ts';
import { secretValue } from '../labels/secret-value.ts';
import { isStrong } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { tableColumn } from '../tables/table-columns.ts';
import { byteAt, endsWith, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { looksChosen } from '../tokens/randomness.ts';
import { saidValue, sentenceValue } from './stated-value.ts';
import {
  AFTER_VERB,
  ASSIGNED,
  BEFORE,
  BEHIND_EQUALS,
  FOLLOWING,
  SAID,
  SEPARATED,
  STATED,
  STORED,
  type Syntax,
  TYPED,
  UNQUOTED,
} from './syntaxes.ts';

/** Characters of the text before and behind a label that are read. */
const REACH_BEFORE = 240;
const REACH_AFTER = 320;
const PASSWORD = tagId('PASSWORD');

/** A label between two places of a text, and the text around it. */
class Place {
  readonly pass: Pass;
  readonly label: Label;
  readonly from: number;
  readonly to: number;
  #name: string | null = null;
  #before: string | null = null;

  constructor(pass: Pass, label: Label, from: number, to: number) {
    this.pass = pass;
    this.label = label;
    this.from = from;
    this.to = to;
  }

  get name(): string {
    this.#name ??= this.pass.plain(this.from, this.to);
    return this.#name;
  }

  get before(): string {
    this.#before ??= this.#readBefore();
    return this.#before;
  }

  /** With a byte that no text has in front where it is cut off. */
  #readBefore(): string {
    const { start } = this.pass.text;
    const from = Math.max(start, this.from - REACH_BEFORE);
    return (from === start ? '' : '\x01') + this.pass.plain(from, this.from);
  }
}

/** Particles of a script without spaces: パスワードは. */
const PARTICLES = /^[\xc0-\xfe]{1,3}/;
/** Signs that close the label: a quote, a bracket, emphasis, ${PASSWORD}    v. */
const CLOSING = /^["'`]?\]?(?:\}(?= {2}))?(?:\*{1,5}["'`]?)?/;
const REMARK = /^[ \t]+\([A-Za-z ]{1,31}\)(?=:)/;
const IN_GAP = /^[ \t]{0,32}/;
const CLOSES_FIELD = setOf('"\'`]');
/** Bytes that may end the head of a column. */
const HEAD_END = setOf('\n\r,;|)');
/** Bytes of operators between a label and its value. */
const OPERATOR = setOf(':=?.|+<>!-&');
/** Bytes with which an operator goes on behind an equals sign. */
const GOES_ON = setOf(':=>');

/** The secret that the label between `from` and `to` names, whatever the language puts between them. Returns its end, or 0. */
export function valueAfter(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  const place = new Place(pass, label, from, to);
  let rest = pass.plain(to, to + REACH_AFTER);
  let at = to;
  const skip = (size: number): void => {
    at += size;
    rest = rest.slice(size);
  };
  const given = valueBy(place, BEFORE, at, rest, false);
  if (given > 0) return given;
  const particles = PARTICLES.exec(rest)?.[0].length ?? 0;
  if (particles > 0) {
    skip(particles);
    const spoken = /^ ?(?=[A-Za-z0-9])/.exec(rest);
    if (spoken !== null) return secretValue(pass, label, at + spoken[0].length, 'sentence');
  }
  if (rest.charCodeAt(0) === Char.BACKSLASH && QUOTE[byteAt(b, at + 1)] === 1) skip(1);
  const quoted = QUOTE[byteAt(b, at)] === 1 && QUOTE[byteAt(b, from - 1)] === 1;
  const typed = CLOSES_FIELD[byteAt(b, at)] === 1 ? valueBy(place, TYPED, at, rest, quoted) : 0;
  if (typed > 0) return typed;
  skip(CLOSING.exec(rest)?.[0].length ?? 0);
  const gap = IN_GAP.exec(rest)?.[0].length ?? 0;
  if (isVerb(b, from, to)) {
    if (OPERATOR[byteAt(b, at + gap)] === 0)
      return Math.max(0, valueBy(place, AFTER_VERB, at, rest, quoted)) || chosenWord(place, at, gap);
  } else {
    const column = headedColumn(pass, from, at, gap);
    if (column !== 0) return column;
  }
  const remark = REMARK.exec(rest)?.[0].length ?? 0;
  const separated = remark > 0 ? undefined : SEPARATED[rest.charAt(gap) === '\r' ? '\n' : rest.charAt(gap)];
  if (separated !== undefined) {
    const value = valueBy(place, separated, at, rest, quoted);
    if (value !== NONE) return value;
  }
  skip(remark);
  if (remark > 0 || OPERATOR[byteAt(b, at + gap)] === 1) {
    const asked = prompted(place, at, rest);
    if (asked !== NONE) return asked;
    const isEqual =
      remark === 0 && b[at + gap] === Char.EQUALS_SIGN && GOES_ON[byteAt(b, at + gap + 1)] === 0;
    const assigned = valueBy(place, isEqual ? BEHIND_EQUALS : ASSIGNED, at, rest, quoted);
    if (assigned !== NONE) return assigned;
  }
  const following = valueBy(place, FOLLOWING, at, rest, quoted);
  if (following !== NONE) return following;
  const stated = valueBy(
    place,
    remark > 0 || QUOTE[byteAt(b, at + gap)] === 1 ? STATED : UNQUOTED,
    at,
    rest,
    quoted,
  );
  if (stated !== NONE) return stated;
  return saidValue(pass, label, from, to, at + gap) ?? Math.max(0, valueBy(place, SAID, at, rest, quoted));
}

/** The secret that a command keeps under a path whose last part is the label from `from` to `to`. Returns where it ends, or 0. */
export function storedValue(pass: Pass, label: Label, from: number, to: number): number {
  return Math.max(
    0,
    valueBy(new Place(pass, label, from, to), STORED, to, pass.plain(to, to + REACH_AFTER), false),
  );
}

/** No syntax decides: the next ones are tried. */
const NONE = -1;

/** The value in the first of these syntaxes that the text has: its end, 0 when that has no value, `NONE` when the text has none of them. */
function valueBy(
  place: Place,
  syntaxes: readonly Syntax[],
  at: number,
  rest: string,
  quoted: boolean,
): number {
  for (const syntax of syntaxes) {
    if (syntax.quoted === true && !quoted) continue;
    if (syntax.of !== undefined && (syntax.of === 'password') !== (place.label.kind === 'password')) continue;
    const { follows, has } = syntax;
    if (follows !== undefined && !endsWith(place.pass.text.bytes, place.from, follows)) continue;
    if (has !== undefined && !rest.includes(has)) continue;
    const matched = syntax.after.exec(rest);
    if (matched === null || (syntax.name !== undefined && !syntax.name.test(place.name))) continue;
    const before = syntax.before === undefined ? null : syntax.before.exec(place.before);
    if (before === null && syntax.before !== undefined) continue;
    const value =
      before !== null && syntax.isBefore === true
        ? place.from - place.before.length + before.index + before[0].length
        : at + matched[0].length;
    const end = valueAt(place, syntax, value);
    if (end > 0) return syntax.isBefore === true ? place.from : end;
    if (syntax.or === undefined) return 0;
    if (syntax.or !== 'next') return Math.max(0, valueBy(place, syntax.or, at, rest, quoted));
  }
  return NONE;
}

function valueAt({ pass, label }: Place, syntax: Syntax, at: number): number {
  const { sure } = syntax;
  const b = pass.text.bytes;
  if (sure === 'nothing' || (syntax.isStrong === true && !isStrong(b, at))) return 0;
  if (sure === 'told') return sentenceValue(pass, label, at);
  if (sure === 'argument') return secretWord(pass, at, null);
  if (sure === 'given') return secretValue(pass, label, at, 'code') || givenWord(pass, label, at);
  const tag = syntax.isPassword === true ? PASSWORD : label.tag;
  const own: Label = syntax.isPassword || syntax.isAny ? { tag, kind: 'password' } : label;
  if (!pass.isOn(tag)) return 0;
  const isQuoted = QUOTE[byteAt(b, at)] === 1;
  return secretValue(pass, own, at, typeof sure === 'string' ? sure : sure[isQuoted ? 0 : 1]);
}

/** A literal that is a plain word: the name of the function says that it is the value. */
function givenWord(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let to = at + 1;
  while ((byteAt(b, to) > 96 && byteAt(b, to) < 123) || b[to] === Char.HYPHEN) to++;
  return b[to] === b[at] && mayBePlainPassword(pass.slice(at + 1, to))
    ? secretValue(pass, label, at, 'literal')
    : 0;
}

const MAX_CHOSEN = 64;

/** A word behind "pass" that is made up as passwords are: SSID Attic, pass Lak3house-guest. */
function chosenWord({ pass, label }: Place, at: number, gap: number): number {
  const b = pass.text.bytes;
  let to = at + gap;
  while (byteAt(b, to) > Char.BLANK && to - at < MAX_CHOSEN) to++;
  while (b[to - 1] === Char.COMMA || b[to - 1] === Char.FULL_STOP) to--;
  return gap > 0 && looksChosen(b, at + gap, to) ? secretValue(pass, label, at + gap, 'bare') : 0;
}

/** The value in the column of a table whose head is the label: a tab, or a byte that may end a head, follows it. */
function headedColumn(pass: Pass, from: number, at: number, gap: number): number {
  const b = pass.text.bytes;
  if (b[at] === Char.TAB) return tableColumn(pass, from, at);
  return HEAD_END[byteAt(b, at + gap)] === 1 ? tableColumn(pass, from, at + gap) : 0;
}

/** A colon, and the quote that closes the literal in which the label stands: "password:", read -p "Password: " PW. */
const PROMPT = /^[ \t]{0,32}:(["'`]|[ \t]{1,32}(["'`])(?=[\0- ),;]|$))/;
/** The line up to the label, of which the last literal is open. */
const OPEN = /(?:^|\n)[^"'`\n]*(?:(?:(?<=\w)'(?=\w)|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)[^"'`\n]*)*(["'`])[^\n]*$/;
const REACH_LINE = 100;

/** The answer that expect sends behind the prompt that ends with the label: `NONE` when the label ends no prompt. */
function prompted(place: Place, at: number, rest: string): number {
  const prompt = PROMPT.exec(rest);
  const { pass, from } = place;
  const b = pass.text.bytes;
  if (prompt === null || QUOTE[byteAt(b, at - 1)] === 1) return NONE;
  const quote = prompt[1]?.at(-1) ?? '';
  const opening = byteAt(b, from - 1);
  if (opening !== quote.charCodeAt(0) && OPEN.exec(place.before.slice(-REACH_LINE))?.[1] !== quote)
    return NONE;
  return opening === Char.DOUBLE_QUOTE ? answer(pass, at + prompt[0].length) : 0;
}
