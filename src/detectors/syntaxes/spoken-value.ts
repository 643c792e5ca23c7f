import { secretWord, skipBlanks } from '../commands/command-flags.ts';
import { foldedKey, type Label } from '../labels/classifier.ts';
import { QUOTE } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import { hasDigit, isStrong } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  byteAt,
  DIGIT,
  IDEOGRAPH,
  is,
  isAt,
  LETTER,
  LOWER,
  loweredAt,
  SYMBOL,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { isAbout } from './stated-value.ts';

/** How far behind a password's name a sentence still speaks of it, and before it. */
const AFTER = 96;
const MAX_VALUE = 40;
const MIN_VALUE = 6;
/** Words between the name and what links it with its value. */
const MAX_BETWEEN = 7;
const MAX_WORD = 10;
/** Letters of the longest ending of a file's name. */
const MAX_ENDING = 5;
/** Words right before what a sentence says something is, or is changed to. */
const LINKS = wordSet(
  "is was to now be it's its that's one's c'est auf ist lautet jetzt est à es a ahora è ora é agora para na jest teraz är nu er til till op naar с на теперь",
);
/** Words between a value and the name of what it is: X as the new password. */
const AS = wordSet("as is that's thats it's als ist comme est como es come è é jako jest som är er");
const ARTICLES = wordSet(
  'the a my our your new temp temporary current default das mein dein le la mon ton el mi tu su o a minha sua il il mia het mijn min nowe moje nya db wifi root admin login',
);
const MAX_ARTICLES = 4;
/** Bytes behind a value in a sentence. */
const ENDS: readonly number[] = [
  Char.COMMA,
  Char.FULL_STOP,
  Char.SEMICOLON,
  Char.EXCLAMATION_MARK,
  Char.QUESTION_MARK,
  Char.RIGHT_PARENTHESIS,
];

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(foldedKey));
}

/**
 * The password that a sentence gives farther from its name: "pw rotated, the new one is X", "the password we use is X",
 * "take X as the password". The name stands between `from` and `to`. Returns where to go on, or 0.
 */
export function spokenValue(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  if (label.kind !== 'password' || !isWord(b, from, to)) return 0;
  // the password policy, its hashing: what is said is said of these
  return (!isAbout(b, to + 1) && valueBehind(pass, label, to)) || (valueBefore(pass, label, from) ? to : 0);
}

/** Whether the name is a word of a sentence, and no part of a name in code. */
function isWord(b: Uint8Array, from: number, to: number): boolean {
  const before = byteAt(b, from - 1);
  const after = byteAt(b, to);
  if (before > Char.BLANK && before !== Char.SINGLE_QUOTE && !is(b, from - 1, IDEOGRAPH)) return false;
  return after === Char.BLANK || ENDS.includes(after) || after === Char.SINGLE_QUOTE || after <= Char.BLANK;
}

function valueBehind(pass: Pass, label: Label, to: number): number {
  const b = pass.text.bytes;
  let word = to;
  let words = 0;
  for (let i = to; i - to < AFTER && b[i] !== Char.LINE_FEED && b[i] !== 0 && b[i] !== Char.SEMICOLON; i++) {
    if (b[i] !== Char.BLANK) continue;
    if (words++ > MAX_BETWEEN) return 0;
    if (isLink(b, word, i) && isValue(b, i + 1)) {
      const end = secretValue(pass, label, i + 1, 'bare');
      if (end !== 0) return end;
    }
    word = i + 1;
  }
  return 0;
}

/** Whether the word between these places links a value with its name: a verb, or one that ends with a colon. */
function isLink(b: Uint8Array, from: number, to: number): boolean {
  const last = byteAt(b, to - 1);
  if (to === from) return false;
  if (last === Char.COLON_SIGN || last === Char.EQUALS_SIGN || last === Char.GREATER_THAN || last === SYMBOL)
    return true;
  // пароль от роутера v
  if (is(b, to - 1, LETTER)) return true;
  return LINKS.has(wordAt(b, from, to));
}

function wordAt(b: Uint8Array, from: number, to: number): string {
  if (to - from > MAX_WORD) return '';
  let word = '';
  for (let i = from; i < to; i++) word += String.fromCharCode(loweredAt(b, i));
  return word;
}

/** Whether the word at `at` is one that nobody writes but as a password, and ends as words of sentences do. */
function isValue(b: Uint8Array, at: number): boolean {
  let to = at;
  while (to - at <= MAX_VALUE && byteAt(b, to) > Char.BLANK) to++;
  let end = to;
  while (end > at && (ENDS.includes(byteAt(b, end - 1)) || QUOTE[byteAt(b, end - 1)] === 1)) end--;
  if (end - at < MIN_VALUE || end - at > MAX_VALUE || isFile(b, at, end)) return false;
  return hasDigit(b, at, end) && isStrong(b, at);
}

/** Whether the word ends as names of files do, or has a version in it: UserForm2.tsx, Argon2id-v1.3. */
function isFile(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if (b[i] === Char.FULL_STOP && is(b, i - 1, DIGIT) && is(b, i + 1, DIGIT)) return true;
  let dot = to;
  while (dot > from && is(b, dot - 1, LOWER)) dot--;
  return b[dot - 1] === Char.FULL_STOP && to > dot && to - dot <= MAX_ENDING;
}

/** Whether a value stands before the name, behind which a word says that it is one. */
function valueBefore(pass: Pass, label: Label, from: number): boolean {
  const b = pass.text.bytes;
  let end = from - 1;
  for (let words = 0; words <= MAX_ARTICLES && b[end] === Char.BLANK; words++) {
    let begin = end;
    while (end - begin <= MAX_WORD && byteAt(b, begin - 1) > Char.BLANK) begin--;
    const word = wordAt(b, begin, end);
    const isLast = AS.has(word);
    if (!isLast && !ARTICLES.has(word)) return false;
    end = begin - 1;
    if (!isLast) continue;
    if (b[end - 2] === Char.BLANK && !is(b, end - 1, ALNUM)) end -= 2; // "X" - that's the new password
    let at = end;
    while (end - at <= MAX_VALUE && byteAt(b, at - 1) > Char.BLANK) at--;
    if (b[end] !== Char.BLANK || !isValue(b, QUOTE[byteAt(b, at)] === 1 ? at + 1 : at)) return false;
    return secretValue(pass, label, at, QUOTE[byteAt(b, at)] === 1 ? 'quoted' : 'bare') !== 0;
  }
  return false;
}

const MAX_PATH = 128;
/** How far behind the name of a parameter its value may be given. */
const MAX_FLAGS = 80;
/** Words of commands after which a key stands, with its value behind it. */
const WRITES = [' put', ' set', ' mk', ' create', ' update', ' upsert'];
/** Flags after which a name stands, and those that give its value. */
const NAMES = ['--name', '--key', '--secret-id', '--secret-name'];
const VALUES = ['--value', '--secret-string', '--data'];

/**
 * The secret that a command keeps under a path whose last part is the label from `from` to `to`: `consul kv put
 * app/db/password v`, `etcdctl put /app/token v`, `aws ssm put-parameter --name /app/db/password --value v`. Returns where
 * it ends, or 0.
 */
export function storedValue(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  let path = from;
  while (from - path < MAX_PATH && byteAt(b, path - 1) > Char.BLANK && QUOTE[byteAt(b, path - 1)] !== 1)
    path--;
  if (QUOTE[byteAt(b, path - 1)] === 1) path--;
  if (b[path - 1] !== Char.BLANK && b[path - 1] !== Char.EQUALS_SIGN) return 0;
  const before = path - 1;
  const at = QUOTE[byteAt(b, to)] === 1 ? to + 1 : to;
  if (b[at] !== Char.BLANK) return 0;
  if (WRITES.some((word) => isAt(b, before - word.length, word))) {
    const value = skipBlanks(b, at);
    return b[value] === Char.HYPHEN || b[value] === Char.AT_SIGN
      ? 0
      : secretValue(pass, label, value, 'flag');
  }
  return NAMES.some((flag) => isAt(b, before - flag.length, flag)) ? valueFlag(pass, at) : 0;
}

/** The argument of the flag that gives the value, behind `at` in the same command. */
function valueFlag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < MAX_FLAGS && byteAt(b, i) >= Char.BLANK; i++) {
    if (b[i] !== Char.HYPHEN || b[i - 1] !== Char.BLANK) continue;
    for (const flag of VALUES)
      if (isAt(b, i, flag) && (b[i + flag.length] === Char.BLANK || b[i + flag.length] === Char.EQUALS_SIGN))
        return secretWord(pass, i + flag.length + 1, null);
  }
  return 0;
}
