import { foldedKey, type Label } from '../labels/classifier.ts';
import { QUOTE } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classAt,
  endOf,
  IDEOGRAPH,
  is,
  isAt,
  LETTER,
  LOWER,
  loweredAt,
  SPACE,
  SYMBOL,
  startOf,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { CONNECTIVES, NOUNS } from './syntaxes.ts';

/** Verbs and prepositions after which a password is given to be used, and the words between them and its label. */
const USES = ['use', 'using', 'with', 'enter', 'type', 'try', 'mit', 'avec', 'con', 'com', 'met', 'z', 'med'];
const ARTICLES =
  'the a my your our this new same temporary initial default admin db database server wifi router vpn mail email account user guest shared root dem das le la el il o a het hasłem';
const BETWEEN = new Set(ARTICLES.split(' '));
/** Words that say what of a password is meant, not which one it is; and words of sentences behind it that are no password either. */
const ABOUT = new Set(NOUNS.split(' '));
const GOING_ON = new Set(CONNECTIVES.split(' '));
const MAX_OFFERED_WORDS = 4;
/** Phrases that may follow the word inside of the sentence. */
const PURPOSES = ' to log| to sign| to access| to connect| to get| to unlock| to open| to enter'.split('|');

/**
 * Whether a sentence gives the word at `at` to be used as a password, whose label is at `from`: log in with the password
 * letmein, use the db password hunter2 to log in.
 */
function isOffered(b: Uint8Array, from: number, at: number): boolean {
  const to = endOf(b, at, ALNUM);
  if (to === at || isNoun(b, at)) return false;
  if (b[to] === Char.BLANK && !PURPOSES.some((words) => isAt(b, to, words))) return false;
  let end = from - 1;
  for (let words = 0; words < MAX_OFFERED_WORDS && b[end] === Char.BLANK; words++) {
    const begin = startOf(b, end, ALPHA, MAX_WORD);
    const word = textOf(b, begin, end);
    if (USES.includes(word)) return true;
    if (!BETWEEN.has(word)) return false;
    end = begin - 1;
  }
  return false;
}

/** Whether the word at `at` says what of a password is meant, or goes on with the sentence: a password manager. */
function isNoun(b: Uint8Array, at: number): boolean {
  return isAbout(b, at) || GOING_ON.has(wordAt(b, at));
}

/** Whether the word at `at` says what of a password is meant: what follows is said of that. */
export function isAbout(b: Uint8Array, at: number): boolean {
  return ABOUT.has(wordAt(b, at));
}

function wordAt(b: Uint8Array, at: number): string {
  const to = endOf(b, at, ALNUM, MAX_WORD);
  return textOf(b, at, to);
}

/** Where the password of `creds: bob / v` begins, whose colon is at `at`; 0 for none. */
export function slashedPair(b: Uint8Array, at: number): number {
  if (b[at] !== Char.COLON_SIGN || b[at + 1] !== Char.BLANK) return 0;
  const user = at + 2;
  let i = user;
  while (i - user < 4 * MAX_WORD && byteAt(b, i) > Char.BLANK) i++;
  return i > user && isAt(b, i, ' / ') ? i + 3 : 0;
}

function textOf(b: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(byteAt(b, i) | 32);
  return text;
}

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
  if (
    b[to] !== Char.BLANK ||
    byteAt(b, from - 1) > Char.BLANK ||
    !is(b, from, LOWER) ||
    !is(b, to - 1, LOWER)
  )
    return false;
  const end = endOf(b, to + 1, LOWER, MAX_PASSED);
  if (end === to + 1 || b[end] !== Char.BLANK || !is(b, end + 1, LOWER) || mayLink(b, to + 1, end))
    return false;
  return (
    !isAt(b, from - 7, 'enable ') &&
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

/** The value that a sentence gives the label from `from` to `to`, behind the words at `at`; null where it is no sentence. */
export function saidValue(pass: Pass, label: Label, from: number, to: number, at: number): number | null {
  const b = pass.text.bytes;
  const inSentence = afterVerb(b, to, at);
  if (inSentence > 0) return sentenceValue(pass, label, inSentence);
  return isOffered(b, from, at) ? secretValue(pass, label, at, 'sentence') : null;
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
    if (b[next] !== Char.BLANK) return 0;
    if (colon > 0) return next + 1;
    const word = linkingWord(b, begin, i);
    const isTo = word === 'to' && !changed && !isAt(b, to - 5, 'haslo') && QUOTE[byteAt(b, next + 1)] !== 1;
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
  const i = endOf(b, at, ALPHA | LETTER | IDEOGRAPH);
  return b[i] === 39 && classAt(b, i + 1) & ALPHA ? i + 2 : i; // d'accès
}

/** Behind a colon at `at`, or a link between spaces; 0 for neither. */
function afterColon(b: Uint8Array, at: number, linked: boolean): number {
  if (b[at] === Char.COLON_SIGN) return at + 1;
  return b[at] === Char.BLANK && isLink(byteAt(b, at + 1), byteAt(b, at + 2), linked) ? at + 2 : 0;
}

/** Whether a colon, a dash or an arrow between spaces goes before the value. */
function isLink(c: number, next: number, linked: boolean): boolean {
  if (c === Char.HYPHEN) return linked && next === Char.BLANK; // change your passphrase again - sorry
  return c === Char.COLON_SIGN || (c === SYMBOL && next === Char.BLANK);
}

export function sentenceValue(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === Char.BLANK && i - at < 4) i++;
  if (b[i] === Char.COLON_SIGN && b[i + 1] === Char.BLANK) i += 2;
  if (b[i] === Char.LESS_THAN) {
    const text = behindEmphasis(b, i);
    return text > i ? secretValue(pass, label, text, 'setting') : 0;
  }
  return secretValue(pass, label, i, QUOTE[byteAt(b, i)] === 1 ? 'said' : 'sentence');
}

/** Letters of the longest tag of emphasis: strong. */
const MAX_EMPHASIS = 6;
const MAX_SPACE = 80;

/** Where the text behind a tag of emphasis at `at`, and white space behind it, begins; `at` when there is none. */
function behindEmphasis(b: Uint8Array, at: number): number {
  const name = b[at + 1] === Char.SLASH ? at + 2 : at + 1;
  const to = endOf(b, name, ALPHA, MAX_EMPHASIS);
  return to === name || b[to] !== Char.GREATER_THAN ? at : endOf(b, to + 1, SPACE, MAX_SPACE);
}
