import type { Pass } from '../pass.ts';
import {
  BLANK,
  COLON_SIGN,
  COMMA,
  DOLLAR,
  HYPHEN,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LOW_LINE_SIGN,
  RIGHT_PARENTHESIS,
  SINGLE_QUOTE,
} from '../text/ascii.ts';
import { ALPHA, IDEOGRAPH, LETTER, LOWER, LOWERED, SYMBOL, UPPER } from '../text/bytes.ts';
import { byteAt, classAt, is, isAt, loweredAt } from '../text/read.ts';
import { foldedKey, type Label } from './classifier.ts';
import { afterLevel, ENABLES, isConfigured } from './configured-value.ts';
import { isCapital, isSnake } from './label-case.ts';
import { isKeyword } from './labels.ts';
import { afterTag, isQuote } from './markup-value.ts';
import { isBesideUser, isOffered } from './offered-value.ts';
import { secretValue } from './secret-value.ts';

/** Words between a label and its value in sentences. */
const VERBS = new Set(
  'is was are are: being as lautet ist war est es era sera e è to zu to: będzie byl jest é foi becomes equals reads jest är er είναι este je הוא היא هي هو la on este είναι ειναι hai है คือ è si becomes heter devient wird'
    .split(' ')
    .map(foldedKey),
);

const FILLING = new Set(
  (
    'for of to the a on in fur pour para per voor van der mijn pro dla do na von und set reset changed updated nueva neues new nuevo has been ' +
    'du des del della dello das dem der den die le la les el los il het een de da dos no em au aux zum zur im am till til i ' +
    'от для к на в ' +
    'k ke ku dla pentru fran bei bij ao al per su sur od u o za у до од при mea mein meu minha mio mia nase nasz'
  )
    .split(' ')
    .map(foldedKey),
);

/** Words that make the English `to` behind them say what the value is: not a password to remember. In Polish it is a verb. */
const CHANGES = new Set(['set', 'reset', 'changed', 'updated']);

/** For the first and last letter and the length of those words, 1: tells most words without a string. */
const LINKING = new Uint8Array(1 << 14);
for (const word of [...VERBS, ...FILLING])
  LINKING[linkingSlot(word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length)] = 1;

function linkingSlot(first: number, last: number, size: number): number {
  return ((first & 31) << 9) | ((last & 31) << 4) | (size & 15);
}

function mayLink(b: Uint8Array, from: number, to: number): boolean {
  return LINKING[linkingSlot(byteAt(b, from), byteAt(b, to - 1), to - from)] === 1;
}

/** Texts in which plain words behind a label may be its value. */
const FILES_OF_LOGINS = ['machine ', 'nmcli '];
/** Letters of the longest word that is passed over. */
const MAX_PASSED = 16;

/**
 * Whether a label that is a word of its own, from `from` to `to`, is followed by two plain words of which the first is no
 * value and leads to none: in `token refresh failed`, and in most sentences.
 */
export function isProse(pass: Pass, from: number, to: number): boolean {
  const { bytes: b, start } = pass.text;
  if (b[to] !== BLANK || byteAt(b, from - 1) > BLANK || !is(b, from, LOWER) || !is(b, to - 1, LOWER))
    return false;
  let end = to + 1;
  while (end - to <= MAX_PASSED && is(b, end, LOWER)) end++;
  if (end === to + 1 || b[end] !== BLANK || !is(b, end + 1, LOWER) || mayLink(b, to + 1, end)) return false;
  return (
    !isAt(b, from - ENABLES.length, ENABLES) &&
    !isOffered(b, from, to + 1) &&
    !FILES_OF_LOGINS.some((command) => isAt(b, start, command))
  );
}

/** The word from `from` to `to` in lower case; empty for one that cannot be any of those. */
function linkingWord(b: Uint8Array, from: number, to: number): string {
  if (!mayLink(b, from, to)) return '';
  let word = '';
  for (let k = from; k < to; k++) word += String.fromCharCode(loweredAt(b, k));
  return word;
}

/** Commands that set what the label names, whatever the value looks like: `aws configure set aws_secret_access_key v`. */
const CONFIGURES = 'configure set ';

/** What a sentence or a command says the value is. */
export function stated(pass: Pass, label: Label, from: number, to: number, at: number): number {
  const { bytes: b, start } = pass.text;
  if (b[from - 1] === DOLLAR) return 0; // a variable is read: X=$PASSWORD ./run
  if (isAt(b, from - CONFIGURES.length, CONFIGURES))
    return secretValue(pass, { tag: label.tag, kind: 'password' }, at, 'flag');
  if (isQuote(byteAt(b, at))) {
    const isLiteral =
      isCapital(b, from, to) ||
      isSnake(b, from, to) ||
      isFlag(b, from, at) ||
      isAt(b, start, 'mysqladmin ') ||
      isKeyword(b, from) ||
      isArgument(b, from, at);
    return secretValue(pass, label, at, isLiteral ? 'literal' : 'quoted');
  }
  if (isConfigured(b, from, to, at)) {
    // enable secret 0 v
    const own = isAt(b, from - ENABLES.length, ENABLES) ? { ...label, kind: 'password' as const } : label;
    return secretValue(pass, own, afterLevel(b, at), 'flag');
  }
  const inSentence = afterVerb(b, to, at);
  if (inSentence > 0) return sentenceValue(pass, label, inSentence);
  if (isOffered(b, from, at) || isBesideUser(b, from)) return secretValue(pass, label, at, 'sentence');
  if (isOtherScript(b, to, at)) return secretValue(pass, label, at, 'sentence');
  const isCertain = isFlag(b, from, at) || FILES_OF_LOGINS.some((command) => isAt(b, start, command));
  return secretValue(pass, label, at, isCertain ? 'flag' : 'bare');
}

const MAX_WORDS = 7;
const MAX_WORD = 16;

/** Where the value begins in a sentence, behind a colon or a verb after the words from `at` on; 0 where there is none. */
function afterVerb(b: Uint8Array, to: number, at: number): number {
  let i = at;
  let linked = false;
  let changed = false;
  for (let words = 0; words < MAX_WORDS; words++) {
    const begin = i;
    i = afterLetters(b, i);
    if (i === begin || i - begin > MAX_WORD) return 0;
    const colon = afterColon(b, i, linked);
    const next = colon || i;
    if (b[next] !== BLANK) return 0;
    if (colon > 0) return next + 1;
    const word = linkingWord(b, begin, i);
    const isTo = word === 'to' && !changed && !isAt(b, to - 5, 'haslo') && !isQuote(byteAt(b, next + 1));
    const isOn = word === 'on' && !isAt(b, to - 8, 'salasana');
    if (VERBS.has(word) && !isTo && !isOn) return next + 1;
    changed = CHANGES.has(word);
    linked ||= FILLING.has(word);
    if (!linked) return 0;
    i++;
  }
  return 0;
}

function afterLetters(b: Uint8Array, at: number): number {
  let i = at;
  while (classAt(b, i) & (ALPHA | LETTER | IDEOGRAPH)) i++;
  return b[i] === 39 && classAt(b, i + 1) & ALPHA ? i + 2 : i; // d'accès
}

/** Behind a colon at `at`, or a link between spaces; 0 for neither. */
function afterColon(b: Uint8Array, at: number, linked: boolean): number {
  if (b[at] === COLON_SIGN) return at + 1;
  return b[at] === BLANK && isLink(byteAt(b, at + 1), byteAt(b, at + 2), linked) ? at + 2 : 0;
}

/** Whether the label is of another script than the word behind it, which is none of the sentence then: мой пароль letmein. */
function isOtherScript(b: Uint8Array, to: number, at: number): boolean {
  return (classAt(b, to - 1) & LETTER) !== 0 && (classAt(b, at) & ALPHA) !== 0;
}

const MAX_ARGUMENT = 64;

/** Whether a literal at `at` is the last of a list of options in SQL: `OPTIONS (user 'bob', password 'v')`. */
function isArgument(b: Uint8Array, from: number, at: number): boolean {
  if (b[at] !== SINGLE_QUOTE || !(b[from - 1] === LEFT_PARENTHESIS || b[from - 2] === COMMA)) return false;
  let end = at + 1;
  while (end - at < MAX_ARGUMENT && b[end] !== SINGLE_QUOTE && byteAt(b, end) > BLANK) end++;
  return b[end] === SINGLE_QUOTE && (b[end + 1] === RIGHT_PARENTHESIS || b[end + 1] === COMMA);
}

/** Whether a colon, a dash or an arrow between spaces goes before the value. */
function isLink(c: number, next: number, linked: boolean): boolean {
  if (c === HYPHEN) return linked && next === BLANK; // change your passphrase again - sorry
  return c === COLON_SIGN || (c === SYMBOL && next === BLANK);
}

export function sentenceValue(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === BLANK && i - at < 4) i++;
  if (b[i] === COLON_SIGN && b[i + 1] === BLANK) i += 2;
  if (b[i] === LESS_THAN) {
    const text = afterTag(b, i);
    return text > i ? secretValue(pass, label, text, 'setting') : 0;
  }
  return secretValue(pass, label, i, isQuote(byteAt(b, i)) ? 'said' : 'sentence');
}

/** Whether the label is a flag (`--password`, `-storepass`), a variable of a shell, or the keyword of a netrc. */
function isFlag(b: Uint8Array, from: number, at: number): boolean {
  if ((b[from - 1] === HYPHEN || b[from] === HYPHEN) && b[at - 1] === BLANK) return true;
  let capitals = false;
  for (let i = from; i < at - 1; i++) if (b[i] === LOW_LINE_SIGN) capitals = true;
  for (let i = from; i < at - 1; i++)
    if (classAt(b, i) & ALPHA && LOWERED[byteAt(b, i)] === b[i]) capitals = false;
  return capitals && classAt(b, from) !== 0 && (classAt(b, from) & UPPER) !== 0;
}
