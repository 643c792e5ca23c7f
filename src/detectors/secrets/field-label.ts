import type { Pass } from '../pass.ts';
import { BLANK, EQUALS_SIGN, HYPHEN } from '../text/ascii.ts';
import { ALNUM, SPACE, WORD } from '../text/bytes.ts';
import { byteAt, classAt, is, isAt } from '../text/read.ts';
import { type Label, labelEndings, MAX_LABEL } from './classifier.ts';
import { labelBefore, QUOTE } from './labels.ts';

/** Attributes that say what the value of a field is. */
const NAMES = [
  'name',
  'id',
  'key',
  'label',
  'autocomplete',
  'placeholder',
  'aria-label',
  'itemprop',
  'property',
  'for',
];
const MAX_ATTRIBUTES = 6;
const MAX_NAME = 16;

/**
 * The label in an attribute before the one whose name begins at `at`: `<input name="surname" type="text" value=…`,
 * `<TextField label="Full name" defaultValue=…`; null when no attribute of the tag is a label.
 */
export function fieldLabel(pass: Pass, at: number): Label | null {
  const b = pass.text.bytes;
  let i = at;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    while (at - i < 4 * MAX_LABEL && classAt(b, i - 1) & SPACE) i--;
    const end = i - 1;
    const quote = byteAt(b, end);
    if (QUOTE[quote] !== 1) return null;
    let from = end;
    while (end - from < MAX_LABEL && b[from - 1] !== quote && byteAt(b, from - 1) >= BLANK) from--;
    if (b[from - 1] !== quote || b[from - 2] !== EQUALS_SIGN) return null;
    i = from - 2;
    if (isNaming(b, i) && labelEndings.fits(b, end)) {
      const label = labelBefore(pass, end);
      if (label !== null && pass.labelStart >= from) return label;
    }
    const name = i;
    while (name - i < MAX_NAME && (is(b, i - 1, WORD) || b[i - 1] === HYPHEN)) i--;
    if (i === name || !(classAt(b, i - 1) & SPACE)) return null;
  }
  return null;
}

/** Whether the name of an attribute that ends at `to` is one that says what a value is. */
function isNaming(b: Uint8Array, to: number): boolean {
  return NAMES.some((name) => isAt(b, to - name.length, name) && !is(b, to - name.length - 1, ALNUM));
}
