import type { Pass } from '../pass.ts';
import {
  BLANK,
  COMMA,
  LEFT_PARENTHESIS,
  LOWER_O,
  LOWER_R,
  QUESTION_MARK,
  SEMICOLON,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { ALNUM, LOWERED, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, classOf } from '../text/read.ts';
import { givenWord } from './call-value.ts';
import type { Label } from './classifier.ts';
import { isQuote, MAX_TAG } from './markup-value.ts';
import { secretValue } from './secret-value.ts';

const MAX_NAME = 64;
/** Functions and types that take the secret itself, and words between a label and its value. */
const OPENING_WORD = new Set([
  'from',
  'of',
  'some',
  'just',
  'string',
  'str',
  'secret',
  'secretstr',
  'bytes',
  'b',
  'new',
  'make',
  'hash',
  'hashsync',
  'bcrypt',
  'encode',
  'encrypt',
  'digest',
  'sha1',
  'sha256',
  'sha512',
  'md5',
  'make_password',
  'hash_password',
  'password_hash',
  'generate_password_hash',
  'hashpassword',
  'hashpw',
  'unsafeplaintext',
  'plaintext',
  'quote',
  'trim',
  'value',
  'valueof',
]);

/** Functions whose second argument stands in when the variable that the first one names is not set. */
const WITH_DEFAULT = new Set([
  'getenv',
  'get',
  'getordefault',
  'getproperty',
  'env',
  'fetch',
  'config',
  'get_env',
  'getstring',
  'string',
]);

/** Encodings are arguments, not secrets: `password.encode('utf-8')`. */
const ENCODING =
  /^(?:utf-?(?:7|8|16|32)(?:-?[bl]e|-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-\d{1,2}|cp\d{3,4}|windows-\d{4}|hex|base64(?:url)?|binary)$/i;

/** The literal that stands in when a reference has no value (`env.X || "v"`), or that a call wraps: `String::from("v")`. */
export function fallback(pass: Pass, label: Label, at: number): number {
  if (at < pass.fallbackEnd) return 0;
  pass.fallbackEnd = at + MAX_TAG;
  const b = pass.text.bytes;
  let word = '';
  let i = at;
  for (; i - at < MAX_TAG; i++) {
    const c = byteAt(b, i);
    if (c < BLANK || c === SEMICOLON || c === COMMA) return 0;
    if (c === LEFT_PARENTHESIS && isQuote(byteAt(b, i + 1))) {
      if (OPENING_WORD.has(word) && !isEncoding(pass, i + 1))
        return secretValue(pass, label, i + 1, 'code') || givenWord(pass, label, i + 1);
      if (WITH_DEFAULT.has(word)) {
        const second = secondLiteral(b, i + 1);
        return second === 0 ? 0 : secretValue(pass, label, second, 'code') || givenWord(pass, label, second);
      }
    }
    if (isQuote(c) && b[i - 1] === BLANK) {
      const isOr =
        (b[i - 2] === VERTICAL_BAR && b[i - 3] === VERTICAL_BAR) ||
        (b[i - 2] === QUESTION_MARK && b[i - 3] === QUESTION_MARK) ||
        (b[i - 2] === LOWER_R && b[i - 3] === LOWER_O && b[i - 4] === BLANK);
      if (isOr) return secretValue(pass, label, i, 'code') || givenWord(pass, label, i);
    }
    word = classOf(c) & (ALNUM | UNDERSCORE) ? word + String.fromCharCode(byteAt(LOWERED, c)) : '';
  }
  return 0;
}

/** Whether the literal at `at` is the name of an encoding. */
function isEncoding(pass: Pass, at: number): boolean {
  const to = literalEnd(pass.text.bytes, at);
  return to !== 0 && ENCODING.test(pass.slice(at + 1, to));
}

/** Where the closing quote of the short literal at `at` is; 0 for none. */
function literalEnd(b: Uint8Array, at: number): number {
  let to = at + 1;
  while (to - at < MAX_NAME && byteAt(b, to) >= BLANK && b[to] !== b[at]) to++;
  return b[to] === b[at] ? to : 0;
}

/** Where the literal begins behind the literal at `at` and a comma; 0 for none. */
function secondLiteral(b: Uint8Array, at: number): number {
  const end = literalEnd(b, at);
  if (end === 0 || b[end + 1] !== COMMA) return 0;
  const second = end + (b[end + 2] === BLANK ? 3 : 2);
  return isQuote(byteAt(b, second)) ? second : 0;
}
