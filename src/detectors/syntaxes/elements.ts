import { BARE } from '../kinds/kind.ts';
import { classify, isSecretKind, type Label, labelEndings, MAX_LABEL } from '../labels/classifier.ts';
import { fieldLabel } from '../labels/field-labels.ts';
import { QUOTE } from '../labels/labels.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { isFullName, PERSON_LABEL } from '../people/person-value.ts';
import { ALNUM, byteAt, endOf, IDEOGRAPH, is, isAt, LETTER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const MAX_TEXT = 160;
/** Tags that only call their text a name: of an element, of one with an attribute, of payments (ISO 20022). */
const NAMES = ['<name>', '"name">', "'name'>", '<nm>', ':name>', ':nm>'];
/** Fonts have a name of this kind, too. */
const FONTS = 'family>';

/**
 * The text of an element that its name calls the name, address or number of a person: `<LastName>Orlova</LastName>`, whose
 * closing tag begins at `at`. Returns the byte behind its slash, or 0.
 */
export function elementText(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  // most elements end with another one or a line
  if (!is(b, at - 1, ALNUM | LETTER | IDEOGRAPH) && b[at - 1] !== Char.FULL_STOP) return 0;
  const from = at + 2;
  const to = endOf(b, from, ALNUM, MAX_LABEL);
  if (b[to] !== Char.GREATER_THAN || to - from < 3 || isAt(b, from, FONTS)) return 0;
  const named = labelEndings.fits(b, to) ? classify(b, from, to) : null;
  const label = named ?? attributeLabel(pass, at);
  if (label === null) return namedByAttribute(pass, at) ? from : 0;
  if (isSecretKind(label) || label.kind === 'seed' || !pass.isOn(label.tag)) return 0;
  const start = textStart(b, at);
  if (b[start - 1] !== Char.GREATER_THAN) return 0;
  if (!isLabelled(label.kind, pass.slice(start, at), true)) return 0;
  pass.found(label.tag, BARE, start, at);
  return from;
}

/** Whether the text before `at` is a full name, in an element whose attribute only calls it a name: `<span itemprop="name">`. */
function namedByAttribute(pass: Pass, at: number): boolean {
  const b = pass.text.bytes;
  const start = textStart(b, at);
  if (b[start - 1] !== Char.GREATER_THAN || !NAMES.some((name) => isAt(b, start - name.length, name)))
    return false;
  if (!isFullName(pass, start - MAX_LABEL, at, pass.slice(start, at)) || !pass.isOn(PERSON_LABEL.tag))
    return false;
  pass.found(PERSON_LABEL.tag, BARE, start, at);
  return true;
}

/** Where the text of an element begins that ends at `at`, as far as it is looked at. */
function textStart(b: Uint8Array, at: number): number {
  let start = at;
  while (at - start < MAX_TEXT && b[start - 1] !== Char.GREATER_THAN && byteAt(b, start - 1) >= Char.BLANK)
    start--;
  return start;
}

/** The label in an attribute of the tag before the text that ends at `at`: `<span itemprop="streetAddress">…`. */
function attributeLabel(pass: Pass, at: number): Label | null {
  const b = pass.text.bytes;
  const start = textStart(b, at);
  return b[start - 1] === Char.GREATER_THAN && QUOTE[byteAt(b, start - 2)] === 1
    ? fieldLabel(pass, start - 1)
    : null;
}
