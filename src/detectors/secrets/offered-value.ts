import { BLANK, COLON_SIGN, COMMA } from '../text/ascii.ts';
import { ALNUM, ALPHA } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';

/** Verbs and prepositions after which a password is given to be used, and the words between them and its label. */
const USES = ['use', 'using', 'with', 'enter', 'type', 'try', 'mit', 'avec', 'con', 'com', 'met', 'z', 'med'];
const ARTICLES =
  'the a my your our this new same temporary initial default admin db database server wifi router vpn mail email account user guest shared root dem das le la el il o a het hasłem';
const BETWEEN = new Set(ARTICLES.split(' '));
/** Words that say what of a password is meant, not which one it is. */
const NOUNS = new Set(
  (
    'manager managers field fields prompt prompts reset resets hash hashes hashing policy policies authentication protection generator input form ' +
    'dialog file files store storage vault grant flow mode strength checker rule rules page box login auth attribute property column ' +
    'entry recovery encryption expiry expiration rotation complexity verification confirmation history change changes callback provider ' +
    'validation validator support access security credentials settings'
  ).split(' '),
);
/** Words of sentences behind it that are no password either. */
const CONNECTIVES = new Set('and or for from when is was in on of to if'.split(' '));
const MAX_WORDS = 4;
const MAX_WORD = 16;
/** What may follow the word inside of the sentence. */
const PURPOSES = [
  ' to log',
  ' to sign',
  ' to access',
  ' to connect',
  ' to get',
  ' to unlock',
  ' to open',
  ' to enter',
];

/**
 * Whether a sentence gives the word at `at` to be used as a password, whose label is at `from`: log in with the password
 * letmein, use the db password hunter2 to log in.
 */
export function isOffered(b: Uint8Array, from: number, at: number): boolean {
  let to = at;
  while (is(b, to, ALNUM)) to++;
  if (to === at || isNoun(b, at)) return false;
  if (b[to] === BLANK && !PURPOSES.some((words) => isAt(b, to, words))) return false;
  let end = from - 1;
  for (let words = 0; words < MAX_WORDS && b[end] === BLANK; words++) {
    let begin = end;
    while (end - begin < MAX_WORD && is(b, begin - 1, ALPHA)) begin--;
    const word = textOf(b, begin, end);
    if (USES.includes(word)) return true;
    if (!BETWEEN.has(word)) return false;
    end = begin - 1;
  }
  return false;
}

/** Whether the word at `at` says what of a password is meant, or goes on with the sentence: a password manager. */
export function isNoun(b: Uint8Array, at: number): boolean {
  return isAbout(b, at) || CONNECTIVES.has(wordAt(b, at));
}

/** Whether the word at `at` says what of a password is meant: what follows is said of that. */
export function isAbout(b: Uint8Array, at: number): boolean {
  return NOUNS.has(wordAt(b, at));
}

function wordAt(b: Uint8Array, at: number): string {
  let to = at;
  while (to - at < MAX_WORD && is(b, to, ALNUM)) to++;
  return textOf(b, at, to);
}

const USERS = ['user', 'username', 'login', 'account'];

/** Whether the user is named before the label: username bob, password letmein. */
export function isBesideUser(b: Uint8Array, from: number): boolean {
  let end = isAt(b, from - 5, ' and ')
    ? from - 5
    : b[from - 1] === BLANK && b[from - 2] === COMMA
      ? from - 2
      : 0;
  if (end === 0) return false;
  const stop = end - 2 * MAX_WORD;
  while (end > stop && byteAt(b, end - 1) > BLANK) end--;
  if (b[end - 1] !== BLANK) return false;
  return USERS.some((word) => isAt(b, end - 1 - word.length, word) && !is(b, end - 2 - word.length, ALNUM));
}

/** Where the password of `creds: bob / v` begins, whose colon is at `at`; 0 for none. */
export function slashedPair(b: Uint8Array, at: number): number {
  if (b[at] !== COLON_SIGN || b[at + 1] !== BLANK) return 0;
  const user = at + 2;
  let i = user;
  while (i - user < 4 * MAX_WORD && byteAt(b, i) > BLANK) i++;
  return i > user && isAt(b, i, ' / ') ? i + 3 : 0;
}

function textOf(b: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(byteAt(b, i) | 32);
  return text;
}
