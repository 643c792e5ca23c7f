import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, CLASS, LOWERED, SPACE, UNDERSCORE } from '../text/bytes.ts';
import { jwt } from './jwt.ts';
import { MAX_LABEL } from './label-cache.ts';
import { mayEndLabel } from './label-endings.ts';
import type { Label } from './label-rules.ts';
import { isLabelled, isSecret } from './label-value.ts';
import { vendorToken } from './vendor-match.ts';

const MAX_WORDS = 3;
const MAX_VALUE = 256;
const MAX_NESTED = 2;

const QUOTE = new Uint8Array(256);
for (const c of '"\'`') QUOTE[c.charCodeAt(0)] = 1;
const CLOSING = new Uint8Array(256);
for (const c of '"\'`,;)]}<>&| \t\r\n') CLOSING[c.charCodeAt(0)] = 1;
CLOSING[0] = 1;
const SCHEMES = ['Bearer ', 'Basic ', 'Token ', 'bearer ', 'token '];

/** A value assigned to a label by the colon, equals sign or bracket at `at`; answers where it ends, or 0. */
export function assignment(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (at - to < 4 && (QUOTE[b[to - 1] as number] === 1 || b[to - 1] === 32 || b[to - 1] === 93)) to--;
  if (!mayEndLabel(b[to - 2] as number, b[to - 1] as number)) return 0;
  const label = labelBefore(pass, to, b[at] === 61) ?? pairedLabel(pass, to);
  if (label === null || !pass.isOn(label.tag)) return 0;
  // a=b=c=…: each might be the label of all that follows
  pass.nestedValues = at < pass.valueEnd ? pass.nestedValues + 1 : 0;
  return pass.nestedValues > MAX_NESTED ? 0 : labelledValue(pass, label, at + 1);
}

/**
 * The label that ends at `to`: an identifier, or up to three words ("Patient name", "API key"); null for none. A type
 * may stand between it and an equals sign (`apiKey: string = …`).
 */
export function labelBefore(pass: Pass, to: number, mayBeType = false): Label | null {
  const b = pass.text.bytes;
  let from = to;
  for (let words = 0; words < MAX_WORDS; words++) {
    const before = from;
    while (to - from < MAX_LABEL && isLabelByte(b[from - 1] as number)) from--;
    if (from === before || to - from < 2) return null;
    const label = pass.setting.labels.get(b, from, to);
    if (label !== null) return label;
    if (b[from - 1] !== 32) return null;
    if (mayBeType && b[from - 2] === 58) return labelBefore(pass, from - 2);
    from--;
  }
  return null;
}

/** The label of a value whose name stands before it: `key="password" value="…"`, `name: DB_PASSWORD` and a line `value: …`. */
function pairedLabel(pass: Pass, to: number): Label | null {
  const b = pass.text.bytes;
  if (!isWord(b, to, 'value')) return null;
  let end = to - 5;
  while (to - end < MAX_LABEL && isGap(b[end - 1] as number)) end--;
  let from = end;
  while (end - from < MAX_LABEL && isLabelByte(b[from - 1] as number)) from--;
  let key = from;
  while (from - key < 5 && isGap(b[key - 1] as number)) key--;
  if (!isWord(b, key, 'name') && !isWord(b, key, 'key')) return null;
  const label = labelBefore(pass, end);
  return label !== null && isSecretKind(label) ? label : null;
}

/** Bytes between a name and the word before it, or the value behind it. */
function isGap(c: number): boolean {
  return ((CLASS[c] as number) & SPACE) !== 0 || QUOTE[c] === 1 || c === 58 || c === 61 || c === 44;
}

function isWord(b: Uint8Array, to: number, word: string): boolean {
  for (let i = 1; i <= word.length; i++)
    if (LOWERED[b[to - i] as number] !== word.charCodeAt(word.length - i)) return false;
  return !((CLASS[b[to - word.length - 1] as number] as number) & ALNUM);
}

export function isSecretKind({ kind }: Label): boolean {
  return kind === 'password' || kind === 'secret' || kind === 'token';
}

/** The value of a command-line flag (`--api-key x`) whose name begins at `at`; answers where it ends, or 0. */
export function flag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (to - at < MAX_LABEL && isLabelByte(b[to] as number)) to++;
  return b[to] === 32 && b[to + 1] !== 45 ? assignment(pass, to) : 0;
}

function isLabelByte(c: number): boolean {
  return ((CLASS[c] as number) & (ALNUM | UNDERSCORE)) !== 0 || c === 45 || c === 46;
}

/** The value that begins after a label and its operator; answers where it ends, or 0. */
export function labelledValue(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let from = at;
  while (
    from - at < 6 &&
    (b[from] === 32 || b[from] === 61 || b[from] === 62 || b[from] === 58 || b[from] === 9)
  )
    from++;
  const quoted = QUOTE[b[from] as number] === 1;
  const quote = b[from] as number;
  if (quoted) from++;
  from += schemeLength(b, from);
  const known = vendorToken(pass, from) || jwt(pass, from);
  if (known !== 0) return known;
  const isText = label.kind === 'person' || label.kind === 'address';
  let to = from;
  while (to - from < MAX_VALUE && !closesValue(b[to] as number, quoted, quote, isText)) to++;
  pass.valueEnd = to;
  if (to - from < 3 || to > pass.text.end) return 0;
  if (!quoted && b[to - 1] === 46) to--;
  if (isText) while (to > from && (CLASS[b[to - 1] as number] as number) & SPACE) to--;
  const text = pass.slice(from, to);
  if (!isLabelled(label.kind, text, quoted)) return 0;
  if (isSecretKind(label) && (b[to] === 40 || !isSecret(label.kind, b, from, to, quoted))) return 0;
  pass.found(label.tag, BARE, from, to);
  return to;
}

function closesValue(c: number, quoted: boolean, quote: number, isText: boolean): boolean {
  if (c === 0 || c === 10) return true;
  if (quoted) return c === quote;
  return isText ? c === 44 || c === 59 || c === 124 || c === 9 : CLOSING[c] === 1 || c === 40;
}

function schemeLength(b: Uint8Array, from: number): number {
  for (const scheme of SCHEMES) {
    let i = 0;
    while (i < scheme.length && b[from + i] === scheme.charCodeAt(i)) i++;
    if (i === scheme.length) return i;
  }
  return 0;
}

/** The whole text as the value of its JSON key; answers whether it is one. */
export function keyedValue(pass: Pass, label: Label): boolean {
  const { bytes, start, end } = pass.text;
  let [from, to] = [start, end];
  while (from < to && (CLASS[bytes[from] as number] as number) & SPACE) from++;
  while (to > from && (CLASS[bytes[to - 1] as number] as number) & SPACE) to--;
  from += schemeLength(bytes, from);
  if (to - from < 3 || to - from > MAX_VALUE || !isLabelled(label.kind, pass.slice(from, to), true))
    return false;
  if (isSecretKind(label) && !isSecret(label.kind, bytes, from, to, true)) return false;
  pass.found(label.tag, BARE, from, to);
  return true;
}
