import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { BLANK, EQUALS_SIGN, GREATER_THAN, LESS_THAN, LOWER_H, LOWER_T, SLASH } from '../text/ascii.ts';
import { ALNUM, ALPHA, SPACE } from '../text/bytes.ts';
import { byteAt, classAt, is, isAt } from '../text/read.ts';
import { isSecretKind, type Label, labelEndings, MAX_LABEL } from './classifier.ts';
import { isLabelled } from './label-value.ts';
import { isLabelByte, labelBefore, QUOTE } from './labels.ts';
import { isFullName, PERSON_LABEL } from './person-value.ts';

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
export function elementPair(pass: Pass, at: number): number {
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
