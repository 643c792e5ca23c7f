import type { Pass } from '../pass.ts';
import {
  COMMA,
  DOUBLE_QUOTE,
  LEFT_BRACE,
  LEFT_PARENTHESIS,
  LINE_FEED,
  RIGHT_BRACE,
  SINGLE_QUOTE,
} from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import { secretWord, skipBlanks, wordEnd } from './command-words.ts';
import { hasDigit } from './expressions.ts';
import { isStrong } from './label-value.ts';
import { isQuote } from './markup-value.ts';

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
const CONNECT = 'connect(';
/** Arguments of such a call that are read. */
const MAX_ARGUMENTS = 6;
const WRAPPED = 'some(';
/** 1 for the bytes that begin the name of one, in any case. */
const OPENS = new Uint8Array(256);
for (const [name] of [...CALLS, [CONNECT] as const])
  for (const c of [name.charAt(0), name.charAt(0).toUpperCase()]) OPENS[c.charCodeAt(0)] = 1;

/** The password among the literals of `login("bob", "v")`, `new PDO(url, 'bob', 'v')`, whose name is at `word`; the name's end, or 0. */
export function loginCall(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  if (byteAt(OPENS, byteAt(b, word)) === 0) return 0;
  const call = CALLS.find(([name]) => isAt(b, word, name));
  if (call === undefined && isAt(b, word, LOGIN)) return procedure(pass, word);
  if (call === undefined) return isAt(b, word, CONNECT) ? connected(pass, word + CONNECT.length) : 0;
  let at = skipBlanks(b, word + call[0].length);
  for (let argument = 0; argument < call[1]; argument++) {
    at = argumentEnd(b, at);
    if (b[at] !== COMMA) return 0;
    at = skipBlanks(b, at + 1);
  }
  if (isAt(b, at, WRAPPED)) at += WRAPPED.length;
  // the user before the password is read as well
  return isQuote(byteAt(b, at)) && secretWord(pass, at, null) !== 0 ? word + call[0].length : 0;
}

/**
 * The literal behind another one, from the third argument of a call on, that looks like a password alone: `connect("host", 22, "ops",
 * "v")`. Returns where the call's name ends, or 0.
 */
function connected(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let at = skipBlanks(b, from);
  let isBehind = false;
  for (let argument = 0; argument < MAX_ARGUMENTS; argument++) {
    const isLiteral = isQuote(byteAt(b, at));
    const end = argumentEnd(b, at);
    if (isLiteral && isBehind && argument > 1 && isStrong(b, at + 1) && hasDigit(b, at, end))
      return secretWord(pass, at, null) === 0 ? 0 : from;
    isBehind = isLiteral;
    if (end === at || b[end] !== COMMA) return 0;
    at = skipBlanks(b, end + 1);
  }
  return 0;
}

const LOGIN = 'login ';
/** Procedures of SQL Server that make logins, and the argument that is the password. */
const PROCEDURES: readonly (readonly [name: string, argument: number])[] = [
  ['sp_add', 1],
  ['sp_addlinkedsrv', 4],
];

/** `EXEC sp_addlogin 'svc', 'v'`, of which "login" is at `word`. Returns where that ends, or 0. */
function procedure(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  const known = PROCEDURES.find(([name]) => isAt(b, word - name.length, name));
  if (known === undefined) return 0;
  let at = skipBlanks(b, word + LOGIN.length);
  for (let argument = 0; argument < known[1]; argument++) {
    at = argumentEnd(b, at);
    if (b[at - 1] === COMMA) at--; // a literal ends at its quote, a name with the comma behind it
    if (b[at] !== COMMA) return 0;
    at = skipBlanks(b, at + 1);
  }
  return isQuote(byteAt(b, at)) && secretWord(pass, at, null) !== 0 ? word + LOGIN.length : 0;
}

const MAX_ARGUMENT = 160;

/** Where an argument that is a literal or a name ends; the position itself for anything else. */
function argumentEnd(b: Uint8Array, at: number): number {
  if (b[at] === LEFT_BRACE) return objectEnd(b, at);
  if (b[at] === DOUBLE_QUOTE || b[at] === SINGLE_QUOTE) return wordEnd(b, at);
  let i = at;
  while (i - at < MAX_ARGUMENT && byteAt(b, i) >= 46 && b[i] !== LEFT_PARENTHESIS) i++;
  return i;
}

/** Where the object ends that begins at `at`, in one line; the position itself when it does not. */
function objectEnd(b: Uint8Array, at: number): number {
  for (let i = at; i - at < MAX_ARGUMENT && b[i] !== LINE_FEED && b[i] !== 0; i++)
    if (b[i] === RIGHT_BRACE) return i + 1;
  return at;
}
