import { BARE } from '../kinds/kind.ts';
import { classify, isSecretKind, type Label, labelEndings, MAX_LABEL } from '../labels/classifier.ts';
import { fieldLabel } from '../labels/field-labels.ts';
import { isLabelByte, labelBefore, QUOTE } from '../labels/labels.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { isFullName, PERSON_LABEL } from '../people/person-value.ts';
import {
  ALNUM,
  ALPHA,
  BLANK,
  byteAt,
  classAt,
  EQUALS_SIGN,
  FULL_STOP,
  GREATER_THAN,
  IDEOGRAPH,
  is,
  isAt,
  LESS_THAN,
  LETTER,
  LOWER_H,
  LOWER_T,
  SLASH,
  SPACE,
} from '../text/bytes.ts';

const MAX_GAP = 160;
const MAX_TEXT = 160;
const MAX_CAPTION = 16;
/** What a cell says that is the head of another column. */
const HEAD =
  /^(?:e-?mail|phone|mobile|address|city|country|state|status|role|type|date|action|total|id|no|age|company|department|position|title|notes?|value)$/i;

/**
 * The value in the element behind one whose text is a label: `<dt>Address</dt><dd>…</dd>`, `<td>Surname</td><td>…</td>`,
 * `<label>Surname</label><input value="…">`. The closing tag begins at `at`. Returns the byte behind its slash, or 0.
 */
function elementPair(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!labelEndings.fits(b, at)) return 0;
  const isName = isAt(b, at - 4, 'name') && b[at - 5] === GREATER_THAN;
  const label = isName ? PERSON_LABEL : labelBefore(pass, at);
  if (label === null || isSecretKind(label) || label.kind === 'seed' || !pass.isOn(label.tag)) return 0;
  if (!isName && !isWhole(b, pass.labelStart)) return 0;
  const from = nextText(b, at);
  if (from === 0) return 0;
  const quote = QUOTE[byteAt(b, from - 1)] === 1 ? byteAt(b, from - 1) : 0;
  let to = from;
  while (to - from < MAX_TEXT && byteAt(b, to) >= BLANK && b[to] !== (quote || LESS_THAN)) to++;
  if (b[to] !== (quote || LESS_THAN)) return 0;
  while (to > from && is(b, to - 1, SPACE)) to--;
  if (to - from < 3) return 0;
  const text = pass.slice(from, to);
  if (HEAD.test(text) || !isValue(pass, label, isName, at, to, text)) return 0;
  pass.found(label.tag, BARE, from, to);
  return at + 2;
}

/** Whether only other words of a caption stand before the label in its element. */
function isWhole(b: Uint8Array, from: number): boolean {
  let i = from;
  while (from - i < MAX_CAPTION && (isLabelByte(byteAt(b, i - 1)) || b[i - 1] === BLANK)) i--;
  return b[i - 1] === GREATER_THAN;
}

function isValue(pass: Pass, label: Label, isName: boolean, at: number, to: number, text: string): boolean {
  if (isName) return isFullName(pass, at - MAX_LABEL, to, text);
  return (
    isLabelled(label.kind, text, true) &&
    (label.kind !== 'person' || pass.setting.keys.get(text).label === null)
  );
}

/** Where the text of the element behind the closing tag at `at` begins, or the value of the field there; 0 for none. */
function nextText(b: Uint8Array, at: number): number {
  // a head is followed by heads
  const isHead = b[at + 2] === LOWER_T && b[at + 3] === LOWER_H;
  let i = at;
  for (let tags = 0; tags < 5; tags++) {
    const tag = i;
    while (b[i] !== GREATER_THAN && b[i] !== 0 && i - at < MAX_GAP) i++;
    if (b[i] !== GREATER_THAN) return 0;
    if (tags > 0 && isHead && b[tag + 1] === LOWER_T && b[tag + 2] === LOWER_H) return 0;
    if (isAt(b, tag, '<input') || isAt(b, tag, '<textarea')) return fieldValue(b, tag, i);
    if (tags > 0 && b[tag + 1] !== SLASH && !(classAt(b, tag + 1) & ALPHA)) return 0;
    i++;
    while (classAt(b, i) & SPACE && i - at < MAX_GAP) i++;
    if (b[i] !== LESS_THAN) return tags > 0 ? i : 0;
  }
  return 0;
}

/** Where the value of a field begins, whose tag is between these places, or the text of one over several lines. */
function fieldValue(b: Uint8Array, from: number, to: number): number {
  if (b[from + 1] === LOWER_T) return to + 1;
  for (let i = from; i < to; i++) {
    if (b[i] !== EQUALS_SIGN || !isAt(b, i - 5, 'value') || is(b, i - 6, ALNUM)) continue;
    return QUOTE[byteAt(b, i + 1)] === 1 ? i + 2 : 0;
  }
  return 0;
}

/** Tags that only call their text a name: of an element, of one with an attribute, of payments (ISO 20022). */
const NAMES = ['<name>', '"name">', "'name'>", '<nm>', ':name>', ':nm>'];
/** What fonts have a name of too. */
const FONTS = 'family>';

/**
 * The text of an element that its name calls the name, address or number of a person: `<LastName>Orlova</LastName>`, whose
 * closing tag begins at `at`. Returns the byte behind its slash, or 0.
 */
export function elementText(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  // most elements end with another one or a line
  if (!is(b, at - 1, ALNUM | LETTER | IDEOGRAPH) && b[at - 1] !== FULL_STOP) return 0;
  return namedText(pass, at) || elementPair(pass, at);
}

/** The text of an element by its own name. */
function namedText(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const from = at + 2;
  let to = from;
  while (to - from < MAX_LABEL && is(b, to, ALNUM)) to++;
  if (b[to] !== GREATER_THAN || to - from < 3 || isAt(b, from, FONTS)) return 0;
  const named = labelEndings.fits(b, to) ? classify(b, from, to) : null;
  const label = named ?? attributeLabel(pass, at);
  if (label === null) return namedByAttribute(pass, at) ? from : 0;
  if (isSecretKind(label) || label.kind === 'seed' || !pass.isOn(label.tag)) return 0;
  const start = textStart(b, at);
  if (b[start - 1] !== GREATER_THAN) return 0;
  if (!isLabelled(label.kind, pass.slice(start, at), true)) return 0;
  pass.found(label.tag, BARE, start, at);
  return from;
}

/** Whether the text before `at` is a full name, in an element whose attribute only calls it a name: `<span itemprop="name">`. */
function namedByAttribute(pass: Pass, at: number): boolean {
  const b = pass.text.bytes;
  const start = textStart(b, at);
  if (b[start - 1] !== GREATER_THAN || !NAMES.some((name) => isAt(b, start - name.length, name)))
    return false;
  if (!isFullName(pass, start - MAX_LABEL, at, pass.slice(start, at)) || !pass.isOn(PERSON_LABEL.tag))
    return false;
  pass.found(PERSON_LABEL.tag, BARE, start, at);
  return true;
}

/** Where the text of an element begins that ends at `at`, as far as it is looked at. */
function textStart(b: Uint8Array, at: number): number {
  let start = at;
  while (at - start < MAX_TEXT && b[start - 1] !== GREATER_THAN && byteAt(b, start - 1) >= BLANK) start--;
  return start;
}

/** The label in an attribute of the tag before the text that ends at `at`: `<span itemprop="streetAddress">…`. */
function attributeLabel(pass: Pass, at: number): Label | null {
  const b = pass.text.bytes;
  const start = textStart(b, at);
  return b[start - 1] === GREATER_THAN && QUOTE[byteAt(b, start - 2)] === 1
    ? fieldLabel(pass, start - 1)
    : null;
}
