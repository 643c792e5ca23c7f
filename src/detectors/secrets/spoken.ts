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
/** How far before "is" the word password may stand: the password for the staging account is … */
const REACH = 40;

/** Words that a value may follow without a colon or equals sign. */
const NAMES = new Set(
  'password passwd pwd passphrase passcode passwort contrasena senha key token secret by'.split(' '),
);
const VERBS = new Set(['is', 'was']);
/** Last letters of these words: tells nearly every token that none stands before it. */
const LAST = new Uint8Array(256);
for (const word of [...NAMES, ...VERBS, ':']) LAST[word.charCodeAt(word.length - 1)] = 1;
/** Bytes that end a token on its left. */
const OPENS = new Uint8Array(256);
for (const c of '\0\t\n\r "\'`<>()[]{},;=|') OPENS[c.charCodeAt(0)] = 1;
const QUOTE = new Uint8Array(256);
for (const c of '"\'`') QUOTE[c.charCodeAt(0)] = 1;

/**
 * The token with the digit at `at`, when a sentence, a tag or a call names it: the password is hunter2; API key 8f14…;
 * <password>p@ss1; ('DB_PASSWORD', 'hunter2'); setPassword('hunter2'). Answers where the value ends, or 0.
 */
export function spoken(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let start = at;
  while (at - start < MAX_TOKEN && OPENS[b[start - 1] as number] === 0) start--;
  if (start === pass.spokenAt) return 0;
  pass.spokenAt = start;
  if (b[start - 1] === 62) return start < at ? assignment(pass, start - 1) : 0;
  const quoted = QUOTE[b[start - 1] as number] === 1;
  const gap = start - (quoted ? 2 : 1);
  if (b[gap] !== 32) return quoted && b[gap] === 40 ? setter(pass, gap) : 0;
  if (quoted && b[gap - 1] === 44) return argument(pass, gap - 1);
  if (LAST[LOWERED[b[gap - 1] as number] as number] === 0) return 0;
  const end = b[gap - 1] === 58 ? gap - 1 : gap;
  const word = wordBefore(b, end);
  if (VERBS.has(word)) return stated(pass, end - word.length - 1, start, quoted);
  if (end !== gap || !NAMES.has(word)) return 0; // a label with its colon
  const label = labelBefore(pass, end);
  if (label === null || (label.kind === 'password' && !quoted && !isStrong(b, start))) return 0;
  return value(pass, label, start, quoted);
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

/** What a sentence says the value of the label before `verb` is. */
function stated(pass: Pass, verb: number, start: number, quoted: boolean): number {
  const b = pass.text.bytes;
  if (b[verb] !== 32) return 0;
  const named = NAMES.has(wordBefore(b, verb)) ? labelBefore(pass, verb) : null;
  const label = named ?? (isOwned(pass, verb) ? PASSWORD : null);
  return label === null ? 0 : value(pass, label, start, quoted);
}

/** Whether "password for …", "password to …" or the like leads to the verb. */
function isOwned(pass: Pass, verb: number): boolean {
  const distance = pass.context.distance(PASSWORD.tag, verb);
  if (distance < 4 || distance > REACH) return false;
  const b = pass.text.bytes;
  let end = verb - distance + 1;
  while (end < verb && (CLASS[b[end] as number] as number) & ALPHA) end++;
  for (let i = end; i < verb; i++) if (b[i] === 44 || b[i] === 46 || b[i] === 59) return false;
  const next = wordBefore(b, end);
  return next === 'for' || next === 'to' || next === 'of' || next === 'on';
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
