import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALPHA, CLASS, DIGIT, LOWER, LOWERED, SPACE, UPPER } from '../text/bytes.ts';
import { assignment, isSecretKind, labelBefore, labelledValue } from './assignment.ts';
import type { Label } from './label-rules.ts';
import { isLabelled, isSecret } from './label-value.ts';

const PASSWORD: Label = { tag: tagId('PASSWORD'), kind: 'password' };
const MAX_TOKEN = 40;
const MAX_WORD = 16;
/** How far before "is" the word password may end: the password for the staging account is … */
const REACH = 40;

/** Words that a value may follow without a colon or equals sign. */
const PASSWORDS = new Set('password passwd pwd passphrase passcode passwort contrasena senha'.split(' '));
const NAMES = new Set([...PASSWORDS, 'key', 'token', 'secret', 'by']);
/** Last two letters of these words, and of "is" and "was": tells nearly every token that none stands before it. */
const ENDINGS = new Uint8Array(1024);
const NAME = 1;
const VERB = 2;
const pairOf = (x: number, y: number): number => ((x & 31) << 5) | (y & 31);
const mark = (word: string, kind: number): void => {
  const pair = pairOf(word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1));
  ENDINGS[pair] = (ENDINGS[pair] as number) | kind;
};
for (const word of NAMES) mark(word, NAME);
for (const word of ['is', 'was']) mark(word, VERB);
/** Bytes that end a token on its left. */
const OPENS = new Uint8Array(256);
for (const c of '\0\t\n\r "\'`<>()[]{},;=|') OPENS[c.charCodeAt(0)] = 1;
/** Bytes inside a password that are no word characters; what parts numbers, paths and addresses is not among them. */
const JOINS = new Uint8Array(256);
for (const c of '-@!#$%^&*+~?') JOINS[c.charCodeAt(0)] = 1;
const QUOTE = new Uint8Array(256);
for (const c of '"\'`') QUOTE[c.charCodeAt(0)] = 1;

/** Whether what stands before the word from `from` may name it: tells nearly every word that nothing does. */
export function mayBeNamed(b: Uint8Array, from: number): boolean {
  const c = b[from - 1] as number;
  const d = b[from - 2] as number;
  if (QUOTE[c] === 1) return d === 32 || d === 40;
  if (c === 45) return ((CLASS[d] as number) & ALPHA) !== 0; // else groups of digits
  if (c !== 32) return JOINS[c] === 1;
  const colon = d === 58 ? 1 : 0;
  return ENDINGS[pairOf(b[from - 3 - colon] as number, b[from - 2 - colon] as number)] !== 0;
}

/**
 * The word with a digit from `from`, when a sentence, a tag or a call names it: the password is hunter2; API key 8f14…;
 * <password>p@ss1; ('DB_PASSWORD', 'hunter2'); setPassword('hunter2'). Answers where the value ends, or 0.
 */
export function spoken(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const start = OPENS[b[from - 1] as number] === 1 ? from : tokenStart(pass, from);
  if (start === 0) return 0;
  if (b[start - 1] === 62) return start < from ? assignment(pass, start - 1) : 0;
  const quoted = QUOTE[b[start - 1] as number] === 1;
  const gap = start - (quoted ? 2 : 1);
  if (b[gap] !== 32) return quoted && b[gap] === 40 ? setter(pass, gap) : 0;
  if (b[gap - 1] === 44) return quoted ? argument(pass, gap - 1) : 0;
  const end = b[gap - 1] === 58 ? gap - 1 : gap;
  const ending = ENDINGS[pairOf(b[end - 2] as number, b[end - 1] as number)] as number;
  if (ending === 0) return 0;
  const verb = ending & VERB ? verbBefore(b, end) : 0;
  if (verb !== 0) return stated(pass, verb, start, quoted);
  if (end !== gap || !(ending & NAME) || !NAMES.has(wordBefore(b, end))) return 0;
  const label = labelBefore(pass, end);
  if (label === null || (label.kind === 'password' && !quoted && !isStrong(b, start))) return 0;
  return value(pass, label, start, quoted);
}

/** Where the token begins that the word from `from` goes on, each byte walked over once; 0 when it is none of these. */
function tokenStart(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (JOINS[b[from - 1] as number] === 0) return 0;
  const last = pass.spokenAt;
  pass.spokenAt = from;
  let start = from;
  while (from - start < MAX_TOKEN && OPENS[b[start - 1] as number] === 0) if (--start === last) return 0;
  return start;
}

/** Position of the space before an "is" or "was" that ends at `end`, 0 for another word. */
function verbBefore(b: Uint8Array, end: number): number {
  if (b[end - 1] !== 115) return 0;
  if (b[end - 2] === 105) return b[end - 3] === 32 ? end - 3 : 0;
  return b[end - 2] === 97 && b[end - 3] === 119 && b[end - 4] === 32 ? end - 4 : 0;
}

/** The word in lower case that ends at `end`; empty for none, or a longer one than any that is asked for. */
function wordBefore(b: Uint8Array, end: number): string {
  let word = '';
  for (let i = end - 1; word.length <= MAX_WORD; i--) {
    if (!((CLASS[b[i] as number] as number) & ALPHA)) return word;
    word = String.fromCharCode(LOWERED[b[i] as number] as number) + word;
  }
  return '';
}

/** What a sentence says the value of the label before the verb at `verb` is. */
function stated(pass: Pass, verb: number, start: number, quoted: boolean): number {
  const b = pass.text.bytes;
  const isNamed =
    ((ENDINGS[pairOf(b[verb - 2] as number, b[verb - 1] as number)] as number) & NAME) !== 0 &&
    NAMES.has(wordBefore(b, verb));
  const label = (isNamed ? labelBefore(pass, verb) : null) ?? (isOwned(b, verb) ? PASSWORD : null);
  return label === null ? 0 : value(pass, label, start, quoted);
}

/** Whether "password for …", "password to …" or the like leads to the verb at `verb`. */
function isOwned(b: Uint8Array, verb: number): boolean {
  for (let i = verb - 1; verb - i < REACH; i--) {
    const c = b[i] as number;
    if (c === 44 || c === 46 || c === 59 || c < 32) return false; // another clause
    if (c === 32 && isLink(b, i) && PASSWORDS.has(wordBefore(b, i))) return true;
  }
  return false;
}

/** Whether ` for `, ` to `, ` of ` or ` on ` stands at `at`. */
function isLink(b: Uint8Array, at: number): boolean {
  const [x, y, z] = [b[at + 1], b[at + 2], b[at + 3]];
  if (x === 102) return y === 111 && z === 114 && b[at + 4] === 32;
  return z === 32 && ((x === 116 && y === 111) || (x === 111 && (y === 102 || y === 110)));
}

/** A quoted value after a quoted label and the comma at `comma`. */
function argument(pass: Pass, comma: number): number {
  if (QUOTE[pass.text.bytes[comma - 1] as number] === 0) return 0;
  const label = labelBefore(pass, comma - 1);
  return label !== null && isSecretKind(label) && pass.isOn(label.tag)
    ? labelledValue(pass, label, comma + 1)
    : 0;
}

/** A quoted value after the bracket at `bracket` of a method that sets it. */
function setter(pass: Pass, bracket: number): number {
  if (!wordBefore(pass.text.bytes, bracket).startsWith('set')) return 0;
  const label = labelBefore(pass, bracket);
  return label !== null && isSecretKind(label) && pass.isOn(label.tag)
    ? labelledValue(pass, label, bracket + 1)
    : 0;
}

/** The value at `start`: in quotes as any labelled one, else to the next space. */
function value(pass: Pass, label: Label, start: number, quoted: boolean): number {
  if (!isSecretKind(label) || !pass.isOn(label.tag)) return 0;
  if (quoted || label.kind !== 'password') return labelledValue(pass, label, start - (quoted ? 1 : 0));
  const { bytes: b, end } = pass.text;
  let to = start;
  while (to < end && to - start < 64 && !((CLASS[b[to] as number] as number) & SPACE)) to++;
  while (to > start && isTrailing(b[to - 1] as number)) to--;
  if (!isLabelled('password', pass.slice(start, to), false) || !isSecret('password', b, start, to, false))
    return 0;
  pass.found(label.tag, BARE, start, to);
  return to;
}

function isTrailing(c: number): boolean {
  return c === 46 || c === 44 || c === 59 || c === 41 || c === 34 || c === 39;
}

/** Whether the token at `start` has characters of three kinds: small and capital letters, digits, signs. */
function isStrong(b: Uint8Array, start: number): boolean {
  let bits = 0;
  for (let i = start; i - start < MAX_TOKEN && OPENS[b[i] as number] === 0; i++) {
    const cls = (CLASS[b[i] as number] as number) & (DIGIT | UPPER | LOWER);
    bits |= cls !== 0 || JOINING.includes(b[i] as number) ? cls : SPACE;
  }
  let kinds = 0;
  for (let left = bits; left !== 0; left &= left - 1) kinds++;
  return kinds > 2;
}

/** `. - _ / :`, which parts of names have between them too. */
const JOINING: readonly number[] = [46, 45, 95, 47, 58];
