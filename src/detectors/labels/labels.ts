import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classOf,
  endsWith,
  IDEOGRAPH,
  LETTER,
  LOWERED,
  setOf,
  UNDERSCORE,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { classify, type Label, MAX_LABEL } from './classifier.ts';

const MAX_WORDS = 3;
export const MAX_VALUE = 256;
export const QUOTE = setOf('"\'`');
export const CLOSING = setOf('"\'`,;)]}<>&| \t\r\n');
CLOSING[0] = 1;
const SCHEMES = ['Bearer ', 'Basic ', 'Token ', 'bearer ', 'token '];

/**
 * The label that ends at `to`: an identifier, or up to three words ("Patient name", "API key"); null for none. A type
 * may stand between it and an equals sign (`apiKey: string = …`).
 */
export function labelBefore(pass: Pass, to: number, mayBeType = false): Label | null {
  const b = pass.text.bytes;
  let from = to;
  for (let words = 0; words < MAX_WORDS; words++) {
    const before = from;
    while (to - from < MAX_LABEL && isLabelByte(byteAt(b, from - 1))) from--;
    if (from === before || to - from < 2) return null;
    const label = classify(b, from, to);
    const member = label === null && words === 0 ? memberLabel(pass, from, to) : null;
    if (member !== null) return member;
    if (label !== null) {
      if (label.kind === 'token' && NO_TOKENS.some((word) => endsWith(b, from, word))) return null;
      pass.labelStart = from;
      pass.labelEnd = to;
      return label;
    }
    // a flag begins words of its own: New-ADUser -Name
    if ((b[from - 1] !== 32 && !isElision(b, from - 1)) || b[from] === Char.HYPHEN) return null;
    if (mayBeType && b[from - 2] === Char.COLON_SIGN) return labelBefore(pass, from - 2);
    from--;
  }
  return null;
}

/** Words before `token` in a sentence that make it a place in a list or the check of a form: page token. */
const NO_TOKENS = ['page ', 'continuation ', 'pagination ', 'csrf ', 'xsrf '];

/** The label in the last part of a name with dots, when it is a person or an address: m.nachname, user.surname. */
function memberLabel(pass: Pass, from: number, to: number): Label | null {
  const b = pass.text.bytes;
  let begin = to;
  while (begin > from && b[begin - 1] !== Char.FULL_STOP) begin--;
  if (begin === from || to - begin < 3) return null;
  const label = classify(b, begin, to);
  if (label === null || (label.kind !== 'person' && label.kind !== 'address')) return null;
  pass.labelStart = begin;
  pass.labelEnd = to;
  return label;
}

/** Whether the apostrophe joins two words of one label: parola d'ordine. */
function isElision(b: Uint8Array, at: number): boolean {
  return b[at] === Char.SINGLE_QUOTE && LOWERED[byteAt(b, at - 1)] === Char.LOWER_D && b[at - 2] === 32;
}

export function isLabelByte(c: number): boolean {
  return (
    (classOf(c) & (ALNUM | UNDERSCORE | LETTER | IDEOGRAPH)) !== 0 ||
    c === Char.HYPHEN ||
    c === Char.FULL_STOP
  );
}

export function schemeLength(b: Uint8Array, from: number): number {
  for (const scheme of SCHEMES) {
    let i = 0;
    while (i < scheme.length && b[from + i] === scheme.charCodeAt(i)) i++;
    if (i === scheme.length) return i;
  }
  return 0;
}

/** Whether the number of an insurance is that of a citizen: National Insurance number, Social Insurance Number. */
export function isCitizens(b: Uint8Array, from: number): boolean {
  return endsWith(b, from, 'national ') || endsWith(b, from, 'social ');
}

/** Whether the label only names something: the end of a path or of a type's name, a parameter that is read, a badge. */
export function isMention(b: Uint8Array, from: number, to: number): boolean {
  const before = byteAt(b, from - 1);
  const second = byteAt(b, from - 2);
  // flags of Windows: /password:…
  if (before === Char.SLASH && b[to] === Char.BLANK && isKeyword(b, from)) return false;
  if (before === Char.SLASH)
    return !(second === Char.BLANK && b[to] === Char.COLON_SIGN && byteAt(b, to + 1) > Char.BLANK);
  // std::password, params[:password], arn:…:secret:name; not profile::db::password: v, app:password: v
  if (before === Char.COLON_SIGN && b[to] === Char.COLON_SIGN && b[to + 1] === Char.BLANK) return false;
  if (before === Char.COLON_SIGN)
    return second === Char.COLON_SIGN || second === Char.LEFT_BRACKET || b[to] === Char.COLON_SIGN;
  // badge.svg?token=…
  return before === Char.QUESTION_MARK && second === 103 && b[from - 3] === 118 && b[from - 4] === 115;
}

/** Bytes before the colon of a keyword of Lisp, beside white space. */
const BEFORE_KEYWORD = setOf('{[(,');

/** Whether the label is a keyword of Lisp, or the name of one with a namespace: `{:password "v"}`, `:user/password "v"`. */
function isKeyword(b: Uint8Array, from: number): boolean {
  let i = from;
  if (b[i - 1] === Char.SLASH) {
    i--;
    while (from - i < MAX_LABEL && isLabelByte(byteAt(b, i - 1))) i--;
    if (i === from - 1) return false;
  }
  const before = byteAt(b, i - 2);
  return b[i - 1] === Char.COLON_SIGN && (before <= Char.BLANK || BEFORE_KEYWORD[before] === 1);
}

/** Whether the label is a verb more often than a name, so that it needs an operator: pass, t.pass, should_pass. */
export function isVerb(b: Uint8Array, from: number, to: number): boolean {
  if (!endsWith(b, to, 'pass')) return false;
  if (to - from === 4) return true;
  const before = byteAt(b, to - 5);
  // single-pass `encode2`; not --db-pass
  const isOwnWord = !(classOf(before) & ALPHA) && before !== 95 && b[from] !== Char.HYPHEN;
  return isOwnWord || (to - from === 11 && endsWith(b, to, 'should_pass'));
}

/** Where a word of an identifier in camel case ends. */
const JOINT = /(?<=[a-z])(?=[A-Z])/g;

/** Whether the value is the end of its own label: `#define SSL_TXT_kPSK "kPSK"`, `exports.Password = Password`. */
export function isOwnName(pass: Pass, from: number, text: string): boolean {
  const { labelStart, labelEnd } = pass;
  // none was read, or another one behind it
  if (labelEnd <= labelStart || labelEnd > from) return false;
  const label = pass.slice(labelStart, labelEnd);
  return label.endsWith(text) || isInCapitals(text, label);
}

/** Whether the label ends with the words of an identifier: `CHALLENGE_PASSWORD: "challengePassword"`. */
function isInCapitals(identifier: string, label: string): boolean {
  const words = identifier.replace(JOINT, '_');
  return words !== identifier && label.endsWith(words.toUpperCase());
}
