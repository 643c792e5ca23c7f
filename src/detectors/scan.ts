import { UNSCANNED } from './encoded/decoder.ts';
import { BARE } from './hits.ts';
import { numeral } from './numbers/numeral.ts';
import type { Pass } from './pass.ts';
import { aclUser } from './secrets/account-files.ts';
import { assignment } from './secrets/assignment.ts';
import { elementText } from './secrets/element-text.ts';
import { mayBeSpot } from './secrets/label-spots.ts';
import { namedColumns } from './secrets/named-columns.ts';
import { seedPhrase } from './secrets/seed-phrase.ts';
import { signature } from './secrets/signed-url.ts';
import { spottedSecret } from './secrets/spotted-secret.ts';
import { HYPHEN, LESS_THAN, PLUS, SLASH } from './text/ascii.ts';
import { WORD } from './text/bytes.ts';
import { isTelling } from './text/escapes.ts';
import { printableSize } from './text/quoted-printable.ts';
import { byteAt, is, unitAt } from './text/read.ts';
import {
  AFTER_DOT,
  AT,
  COLON,
  CONTROL,
  DASH,
  DOT,
  END,
  EQUALS,
  ESCAPE,
  KIND,
  LOW_LINE,
  NUMERAL,
  PAIR,
  SPOT,
} from './text/triggers.ts';
import { email } from './tokens/email.ts';
import { colon, dash, dot, lowLine } from './tokens/punctuated.ts';
import { encodedWithoutDigit } from './tokens/word.ts';
import { wholeText } from './whole-texts.ts';

/** Control characters from which on a text is binary data: that many, and one in that many characters. */
const MIN_CONTROLS = 8;
const BINARY_SHARE = 10;

/** Bytes below are control characters; the escape of terminals and what stands for other characters are not. */
const MAX_CONTROL = 27;

/**
 * Reads the text once, from left to right, and dispatches by what a byte may begin; `contexts` are what its JSON key says.
 */
export function scanText(pass: Pass, contexts: readonly number[]): void {
  const { bytes, pairs, start, end } = pass.text;
  pass.escapeCount = 0;
  if (nextTrigger(bytes, pairs, start) >= end) {
    namedColumns(pass);
    if (!seedPhrase(pass, start, end)) lastWord(pass, contexts);
    return;
  }
  pass.begin(contexts);
  wholeText(pass);
  namedColumns(pass);
  let floor = start;
  for (let i = start; ; ) {
    i = nextTrigger(bytes, pairs, i);
    if (i >= end) break;
    // Whatever a reader returns, the same byte is never read again.
    const next = Math.max(i + 1, readAt(pass, i, floor));
    // what was found is read: no word reaches back into it, nor into a number
    if (next > i + 1 || KIND[byteAt(bytes, i)] === NUMERAL) floor = next;
    i = next;
  }
  encodedWithoutDigit(pass, end);
  if (pass.controls > MIN_CONTROLS && pass.controls * BINARY_SHARE > end - start)
    pass.found(UNSCANNED, BARE, start, end);
}

/** Reads what the byte at `i` may begin or end, as far back as `floor`; returns where it ends, or the next byte. */
function readAt(pass: Pass, i: number, floor: number): number {
  const { bytes } = pass.text;
  const next = i + 1;
  switch (KIND[byteAt(bytes, i)]) {
    case END: // a zero in the text itself
    case CONTROL:
      pass.escaped(i);
      if (byteAt(bytes, i) < MAX_CONTROL) pass.controls++;
      return next;
    case NUMERAL:
      return numeral(pass, i, floor);
    case DOT:
      return AFTER_DOT[byteAt(bytes, next)] === 0 ? next : dot(pass, i, floor) || next;
    case COLON:
      return colon(pass, i) || next;
    case EQUALS:
      if (printableSize(bytes, i) > 0) pass.escaped(i);
      return signature(pass, i) || assignment(pass, i) || padded(pass, i) || next;
    case DASH:
      return dash(pass, i, floor) || next;
    case LOW_LINE:
      return lowLine(pass, i, floor) || next;
    case AT:
      return (isSign(byteAt(bytes, i - 1)) && aclUser(pass, i)) || email(pass, i);
    case ESCAPE:
      if (isTelling(bytes, i)) pass.escaped(i);
      return (
        (byteAt(bytes, next) === SLASH && byteAt(bytes, i) === LESS_THAN && elementText(pass, i)) || next
      );
    default: // a word that names a secret
      return spottedSecret(pass, i) || next;
  }
}

/** Reads what the last word of a text without any trigger may encode. */
function lastWord(pass: Pass, contexts: readonly number[]): void {
  const { bytes, end } = pass.text;
  if (!is(bytes, end - 1, WORD)) return;
  pass.begin(contexts);
  encodedWithoutDigit(pass, end);
}

/** The encoded text that the padding at `at` ends; returns where it ends, or 0. */
function padded(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  return is(b, at - 1, WORD) && !is(b, at + 1, WORD) ? encodedWithoutDigit(pass, at) : 0;
}

/** Whether a category of commands may follow it in a rule of Redis: +@all, -@write. */
function isSign(c: number): boolean {
  return c === PLUS || c === HYPHEN;
}

/** Position of the next byte from `i` at which something may begin; the zero after the text at the latest. */
function nextTrigger(bytes: Uint8Array, pairs: Uint16Array, i: number): number {
  if (KIND[byteAt(bytes, i)] !== 0) return i;
  for (let p = (i + 1) >> 1; ; p++) {
    let place = byteAt(PAIR, unitAt(pairs, p));
    // written out: a loop of one look each takes a third longer over prose
    while (place === 0) {
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
    }
    if (place <= SPOT) return 2 * p + place - 1;
    if (mayBeSpot(place - SPOT, byteAt(bytes, 2 * p - 1), byteAt(bytes, 2 * p + 2))) return 2 * p;
  }
}
