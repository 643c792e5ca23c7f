import { answer, formSecret } from '../commands/command-forms.ts';
import { foldedKey, isSecretKind, type Label, MAX_LABEL } from '../labels/classifier.ts';
import { isLabelByte, isMention, labelBefore, QUOTE } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import { spottedSpelling, spottedWord } from '../labels/trigger-words.ts';
import { hasDigit, isStrong } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { givenName } from '../people/person-value.ts';
import { insertedValues } from '../tables/inserted-rows.ts';
import {
  ALNUM,
  byteAt,
  classAt,
  DIGIT,
  IDEOGRAPH,
  is,
  isAt,
  LETTER,
  LOWER,
  loweredAt,
  SYMBOL,
  startOf,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { dottedEmail, spelledEmail } from '../tokens/email.ts';
import { hashAt } from '../tokens/password-hash.ts';
import { vendorToken } from '../tokens/vendor-tokens.ts';
import { isAbout, isProse } from './stated-value.ts';
import { storedValue, valueAfter } from './value-after.ts';

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
function spokenValue(pass: Pass, label: Label, from: number, to: number): number {
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
  const dot = startOf(b, to, LOWER, to - from);
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

/** The prompt that scripts of expect wait for: its first letter may be a capital. */
const PROMPT = 'assword:';

/** The header of HTTP that carries credentials. */
const HEADER = 'authorization';

/** The words before the name of a table: INSERT INTO, UPSERT INTO. */
const INTO = 'sert into ';

/** A label that is the end of many words. */
const SHORT = 'pw';

/** Second words of a label: parola d'ordine, pass phrase. */
const SECOND = [" d'ordine", ' phrase'];

/** The beginnings of AWS's access key ids, in lower case. */
const ACCESS_KEYS = ['akia', 'asia'];

/** Part of a spelled address: jane at example dot com. */
const DOT = ' dot ';

/** The first characters of `(at)`, `[at]` and `{at}`. */
const BRACKETS: readonly number[] = [Char.LEFT_PARENTHESIS, Char.LEFT_BRACKET, Char.LEFT_BRACE];

/** The secret whose label has the pair of letters at `at`. Returns where it ends, 0 when there is none. */
export function spottedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const word = spottedWord(b, at);
  if (word < pass.spottedEnd) return 0;
  if (isAt(b, word, '{ssha')) return hashAt(pass, word);
  if (isAt(b, word, DOT)) return dottedEmail(pass, word);
  // one in thirty has no digit, at which tokens are looked for
  if (ACCESS_KEYS.some((prefix) => isAt(b, word, prefix)))
    return is(b, word - 1, WORD) ? 0 : vendorToken(pass, word);
  if (BRACKETS.includes(byteAt(b, word))) return spelledEmail(pass, word);
  if (b[word - 1] === Char.DOUBLE_QUOTE && isAt(b, word, PROMPT)) return answer(pass, word + PROMPT.length);
  if (isAt(b, word, PROMPT)) return 0;
  if (isAt(b, word, 'auth') && !isAt(b, word - 6, 'master') && !isAt(b, word, HEADER))
    return formSecret(pass, spottedSpelling(), word);
  if (isAt(b, word, INTO)) {
    insertedValues(pass, word + INTO.length);
    return 0;
  }
  const form = formSecret(pass, spottedSpelling(), word);
  if (form !== 0) return form;
  if (isAt(b, word, SHORT) && !is(b, word + SHORT.length, ALNUM) && byteAt(b, word - 1) > Char.BLANK)
    return 0;
  let to = at;
  while (isLabelByte(byteAt(b, to)) && to - word < MAX_LABEL) to++;
  while (b[to - 1] === Char.FULL_STOP || b[to - 1] === Char.HYPHEN) to--;
  if (classAt(b, word) & IDEOGRAPH) {
    const spelling = spottedSpelling();
    to = word + spelling.length;
    if (pass.slice(word, to) !== spelling) return 0;
  }
  for (const words of SECOND) if (isAt(b, to, words)) to += words.length;
  pass.spottedEnd = to;
  const label = labelBefore(pass, to);
  if (label !== null && label.kind === 'person') return givenName(pass, label, to);
  if (label === null || !isSecretKind(label) || !pass.isOn(label.tag)) return 0;
  const from = pass.labelStart;
  if (isMention(b, from, to)) return b[from - 1] === Char.SLASH ? storedValue(pass, label, from, to) : 0;
  return (
    (!isProse(pass, from, to) && valueAfter(pass, label, from, to)) || spokenValue(pass, label, from, to)
  );
}
