import { BARE } from '../kinds/kind.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  afterBlanks,
  byteAt,
  classAt,
  classOf,
  endOf,
  IDEOGRAPH,
  is,
  isAt,
  SPACE,
  UNDERSCORE,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { hashAt } from '../tokens/password-hash.ts';
import { jwt } from '../tokens/private-keys.ts';
import { vendorToken } from '../tokens/vendor-tokens.ts';
import type { Label } from './classifier.ts';
import { CLOSING, isOwnName, MAX_VALUE, QUOTE, schemeLength } from './labels.ts';
import { isCaption, isFiller, isTranslation, mayBeGivenPassword, mayBePlainPassword } from './plain-words.ts';
import { hasDigit, isCode, isLabelled, isPath, isSecret, isStrong, isType } from './value-gates.ts';

/** Whether nothing but a full stop follows. */
function endsText({ text: { bytes: b, end } }: Pass, to: number): boolean {
  return to >= end || (b[to] === Char.FULL_STOP && to + 1 >= end);
}

function endsLine({ text: { bytes: b, end } }: Pass, to: number): boolean {
  let i = afterBlanks(b, to);
  if (b[i] === 13) i++;
  if (i >= end || (b[i] === Char.HASH_SIGN && i > to)) return true; // key: value # remark
  if (b[i] !== Char.LINE_FEED) return false;
  while (classAt(b, i) & SPACE) i++;
  return b[i] !== Char.RIGHT_BRACE;
}

/** Words that begin another clause after the value. */
const CLAUSES = (
  ' to log| to sign| to access| to connect| to get| to unlock| until | and my | and the | y mi | und mein| et mon | et ma | e il mio | e meu |' +
  ' e minha | en mijn | i moj| och min| og min'
).split('|');

/** Whether a sentence, clause or line ends after the word. */
function endsSentence({ text: { bytes: b, end } }: Pass, to: number): boolean {
  const c = byteAt(b, to);
  if (to >= end || c === Char.LINE_FEED || c === Char.COMMA || classOf(c) & IDEOGRAPH) return true;
  if (c === Char.BLANK && classAt(b, to + 1) & IDEOGRAPH) return true; // letmein 입니다
  if (c === Char.BLANK) return CLAUSES.some((words) => isAt(b, to, words));
  return (c === Char.FULL_STOP && (classAt(b, to + 1) & SPACE || to + 1 >= end)) as boolean;
}

/**
 * How the surroundings of a value describe it. `literal`: it is one. `setting`: `NAME=value`, an element. `line`: the rest of a
 * line. `flag`: the argument of a command. `sentence`: after a verb. `said`: a quotation after one. `quoted`: any other one in prose. `code`: it may as well
 * be an expression. `bare`: only a space stands between.
 */
export type Certainty =
  | 'literal'
  | 'setting'
  | 'line'
  | 'flag'
  | 'sentence'
  | 'said'
  | 'quoted'
  | 'code'
  | 'bare';

/** A path, as the variable PWD has one, or that of a file with the value: ./password.txt. */
export const PATH = /^(?:~|\.{0,2})(?:\/[\w.@-]+)+\/?$/;

/** Values inside each other that are tried. */
const MAX_NESTED = 2;

/** The secret that begins at `at`, perhaps in quotes. Returns where it ends, 0 when it is none. */
export function secretValue(pass: Pass, label: Label, at: number, certainty: Certainty): number {
  if (at < pass.valueEnd && pass.nestedValues >= MAX_NESTED) return 0;
  const b = pass.text.bytes;
  let from = at;
  if (isPrefixed(b, from)) from++;
  while (b[from] === Char.BACKSLASH && (QUOTE[byteAt(b, from + 1)] === 1 || b[from + 1] === Char.BACKSLASH))
    from++;
  const quote = byteAt(b, from);
  const quoted = QUOTE[quote] === 1;
  if (quoted) from++;
  if (quoted && b[from] === quote && b[from + 1] === quote) from += 2; // """
  from += schemeLength(b, from);
  const known =
    vendorToken(pass, from) || jwt(pass, from) || (mayBeHash(byteAt(b, from)) ? hashAt(pass, from) : 0);
  if (known !== 0) return known;
  const to = valueEnd(pass, from, quoted ? quote : 0, certainty);
  if (to - from < 3 || to > pass.text.end) return 0;
  // the name of the next member: {"name": "DB_PASSWORD", "valueFrom": …}
  if (quote === Char.DOUBLE_QUOTE && b[to] === quote && b[to + 1] === Char.COLON_SIGN) return 0;
  // a=b=c=…: each might be the label of all that follows
  pass.nestedValues = from < pass.valueEnd ? pass.nestedValues + 1 : 0;
  if (pass.nestedValues > MAX_NESTED) return 0;
  pass.valueEnd = to;
  // what is no secret mostly is told by its bytes; only then is it worth a string
  if ((!quoted || label.kind !== 'password') && opensBracket(byteAt(b, to))) return 0;
  if (label.kind !== 'password' && !isRandom(label, b, from, to, quoted, certainty)) return 0;
  if (!quoted && certainty === 'bare' && !isStrong(b, from) && !hasDigit(b, from, to)) return 0;
  const text = pass.slice(from, to);
  if (!isLabelled(label.kind, text, quoted)) return 0;
  if (label.kind === 'password' && !isPassword(pass, from, to, quoted, certainty, text)) return 0;
  // results of checks have this name too: "pass": "Links have a name"
  const isPass = pass.labelEnd - pass.labelStart === 'pass'.length;
  if (quoted && label.kind === 'password' && (isTranslation(text) || (isPass && isCaption(text)))) return 0;
  if (isFiller(text) || PATH.test(text)) return 0;
  if (isReference(b, to, text) || isOwnName(pass, from, text)) return 0;
  return pass.found(label.tag, BARE, from, to);
}

/** Whether it is the role of a reference in reStructuredText: :type passphrase: :py:data:`bytes`. */
function isReference(b: Uint8Array, to: number, text: string): boolean {
  return b[to] === Char.COLON_SIGN && b[to + 1] === Char.BACKTICK && /^(?::[a-z]+)+$/.test(text);
}

/** Whether a value that is no password looks drawn, and unquoted is no expression. */
function isRandom(
  { kind }: Label,
  b: Uint8Array,
  from: number,
  to: number,
  quoted: boolean,
  certainty: Certainty,
): boolean {
  if (!quoted && certainty === 'bare' && (to - from < 16 || !hasDigit(b, from, to))) return false;
  if (!isSecret(kind, b, from, to, quoted)) return false;
  return quoted || certainty === 'setting' || !(isCode(b, from, to, byteAt(b, to)) || isType(b, from, to));
}

function opensBracket(c: number): boolean {
  return c === Char.LEFT_PARENTHESIS || c === Char.LEFT_BRACKET;
}

/** Whether the hash of a password may begin with this byte: a dollar sign or a brace. */
function mayBeHash(c: number): boolean {
  return c === 36 || c === Char.LEFT_BRACE;
}

/** A letter or sign before the quote of a literal: r"", b'', @"", N''. */
function isPrefixed(b: Uint8Array, at: number): boolean {
  const c = byteAt(b, at);
  return QUOTE[byteAt(b, at + 1)] === 1 && (c === 64 || (classOf(c) & ALNUM) !== 0);
}

function valueEnd(pass: Pass, from: number, quote: number, certainty: Certainty): number {
  const b = pass.text.bytes;
  let to = from;
  for (; to - from < MAX_VALUE; to++) {
    const c = byteAt(b, to);
    if (c === 0 || c === Char.LINE_FEED) break;
    if (quote !== 0) {
      if (c === quote) break;
      continue;
    }
    if (c === Char.AMPERSAND && certainty !== 'code' && !isParameter(b, to)) continue;
    if (CLOSING[c] === 1 || c === Char.LEFT_PARENTHESIS || c === Char.LEFT_BRACKET || c === Char.BACKSLASH)
      break;
    if (certainty === 'sentence' && to > from && classOf(c) & IDEOGRAPH) break;
  }
  if (quote !== 0) while (to > from && b[to - 1] === Char.BACKSLASH) to--;
  else while (to > from && isTrailing(byteAt(b, to - 1))) to--;
  return to;
}

/** Whether the ampersand begins the next parameter of a URL or form, or ends a command. */
function isParameter(b: Uint8Array, at: number): boolean {
  const i = endOf(b, at + 1, ALNUM | UNDERSCORE, 39);
  return i === at + 1 || b[i] === Char.EQUALS_SIGN;
}

function isTrailing(c: number): boolean {
  return c === Char.FULL_STOP || c === Char.COMMA || c === Char.COLON_SIGN;
}

/** Whether there is a digit, or a sign that stands in no identifier. */
function hasSign(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (!(classOf(c) & (ALPHA | UNDERSCORE)) && c !== Char.HYPHEN && c !== Char.FULL_STOP) return true;
  }
  return false;
}

function isPassword(
  pass: Pass,
  from: number,
  to: number,
  quoted: boolean,
  certainty: Certainty,
  text: string,
): boolean {
  const b = pass.text.bytes;
  const next = byteAt(b, to);
  if (quoted && (certainty === 'quoted' || certainty === 'said')) {
    if (certainty === 'said' && mayBePlainPassword(text)) return true;
    return text.length > 4 && (hasDigit(b, from, to) || isStrong(b, from));
  }
  if (quoted && certainty === 'code' && (text.includes(' ') || !hasSign(b, from, to) || isPath(text)))
    return false;
  if (quoted) return !(text.includes('{') && text.includes('}')) && isSecret('password', b, from, to, true);
  if (certainty === 'bare' || certainty === 'sentence' || certainty === 'quoted') {
    if (
      certainty === 'bare'
        ? isStrong(b, from)
        : hasDigit(b, from, to) && isSecret('password', b, from, to, false)
    )
      return true;
    if (certainty === 'bare')
      return hasDigit(b, from, to) && /^[a-z0-9!]+$/i.test(text) && endsText(pass, to);
    const isNoun = isAt(b, from - 8, ' lautet ');
    return mayBePlainPassword(isNoun ? text.toLowerCase() : text) && endsSentence(pass, to);
  }
  const isConfigured = certainty !== 'code';
  if (isCode(b, from, to, next) || TYPED_ARRAY.test(text)) return false;
  if (isSecret('password', b, from, to, false)) return true;
  // words that dashes join are no names of code
  const isWords = mayBePlainPassword(text) || (text.includes('-') && mayBeGivenPassword(text));
  if (!isConfigured || !(isWords || isGiven(pass, from, certainty, text))) return false;
  if (certainty === 'line') return endsLine(pass, to);
  if (certainty === 'literal') return true;
  if (next === Char.COMMA) return isOption(b, from, to);
  return next !== Char.RIGHT_PARENTHESIS && next !== Char.RIGHT_BRACE;
}

const TYPED_ARRAY = /^(?:Big)?(?:Uint|Int|Float)\d{1,2}(?:Clamped)?Array$/;

/** Whether a word can be nothing but a value: an argument of a flag, the text of an element, what a variable in capitals or a parameter of a URL is set to. */
function isGiven(pass: Pass, from: number, certainty: Certainty, text: string): boolean {
  if (certainty !== 'flag' && certainty !== 'setting') return false;
  const b = pass.text.bytes;
  const before = byteAt(b, pass.labelStart - 1);
  const isSet =
    certainty === 'flag' ||
    b[from - 1] === Char.GREATER_THAN ||
    before === Char.LESS_THAN ||
    before === Char.GREATER_THAN ||
    before === Char.AMPERSAND ||
    before === Char.HYPHEN ||
    b[pass.labelStart] === Char.HYPHEN ||
    (is(b, pass.labelStart, UPPER) && is(b, pass.labelEnd - 1, UPPER));
  return isSet && mayBeGivenPassword(text);
}

const MAX_OPTIONS = 120;

/** Whether a value that a comma follows is one of several options, and no argument: `username=bob,password=v,uid=0`. */
function isOption(b: Uint8Array, from: number, to: number): boolean {
  let next = to + 1;
  while (is(b, next, ALNUM | UNDERSCORE) || b[next] === Char.FULL_STOP || b[next] === Char.HYPHEN) next++;
  let isNext = next > to + 1 && b[next] === Char.EQUALS_SIGN;
  for (let i = from - 1; from - i < MAX_OPTIONS && b[i] !== Char.LINE_FEED && b[i] !== 0; i--) {
    if (opensBracket(byteAt(b, i)) || b[i] === Char.LEFT_BRACE) return false;
    if (b[i] === Char.COMMA && byteAt(b, to + 1) > Char.BLANK) isNext ||= byteAt(b, i + 1) > Char.BLANK;
  }
  return isNext;
}
