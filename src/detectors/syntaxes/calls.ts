import { secretWord, skipBlanks, wordEnd } from '../commands/command-flags.ts';
import { QUOTE } from '../labels/labels.ts';
import type { Pass } from '../pass.ts';
import { byteAt, isAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

/** Functions that take a user and a password as literals, and how many arguments stand before the password. */
const CALLS: readonly (readonly [name: string, before: number])[] = [
  ['login(', 1],
  ['auth(', 1],
  ['getconnection(', 2],
  ['new pdo(', 2],
  ['wifi.begin(', 1],
  ['mysqli(', 2],
  ['mysql.connect(', 2],
  ['mysqli_connect(', 2],
  ['dbi->connect(', 2],
  ['jwt.sign(', 1],
  ['jwt.encode(', 1],
  ['jwt.verify(', 1],
  ['jwt.decode(', 1],
  ['hmac(', 1],
  ['ftp(', 2],
];
const WRAPPED = 'some(';
/** 1 for the bytes that begin the name of one, in any case. */
const OPENS = new Uint8Array(256);
for (const [name] of CALLS)
  for (const c of [name.charAt(0), name.charAt(0).toUpperCase()]) OPENS[c.charCodeAt(0)] = 1;

/** The password among the literals of `login("bob", "v")`, `new PDO(url, 'bob', 'v')`, whose name is at `word`; the name's end, or 0. */
export function loginCall(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  if (byteAt(OPENS, byteAt(b, word)) === 0) return 0;
  const call = CALLS.find(([name]) => isAt(b, word, name));
  if (call === undefined) return 0;
  let at = skipBlanks(b, word + call[0].length);
  for (let argument = 0; argument < call[1]; argument++) {
    at = argumentEnd(b, at);
    if (b[at] !== Char.COMMA) return 0;
    at = skipBlanks(b, at + 1);
  }
  if (isAt(b, at, WRAPPED)) at += WRAPPED.length;
  // the user before the password is read as well
  return QUOTE[byteAt(b, at)] === 1 && secretWord(pass, at, null) !== 0 ? word + call[0].length : 0;
}

const MAX_ARGUMENT = 160;

/** Where an argument that is a literal or a name ends; the position itself for anything else. */
function argumentEnd(b: Uint8Array, at: number): number {
  if (b[at] === Char.LEFT_BRACE) return objectEnd(b, at);
  if (b[at] === Char.DOUBLE_QUOTE || b[at] === Char.SINGLE_QUOTE) return wordEnd(b, at);
  let i = at;
  while (i - at < MAX_ARGUMENT && byteAt(b, i) >= 46 && b[i] !== Char.LEFT_PARENTHESIS) i++;
  return i;
}

/** Where the object ends that begins at `at`, in one line; the position itself when it does not. */
function objectEnd(b: Uint8Array, at: number): number {
  for (let i = at; i - at < MAX_ARGUMENT && b[i] !== Char.LINE_FEED && b[i] !== 0; i++)
    if (b[i] === Char.RIGHT_BRACE) return i + 1;
  return at;
}
