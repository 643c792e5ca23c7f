import type { Pass } from '../pass.ts';
import { namedPerson, opensLabel } from '../people/person-value.ts';
import { labelledValue } from '../syntaxes/labelled-value.ts';
import {
  ALNUM,
  afterBlanks,
  byteAt,
  classAt,
  is,
  isAt,
  LETTER,
  SPACE,
  UNDERSCORE,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { type Label, labelEndings, MAX_LABEL, mayEndWhole, wholeLabel } from './classifier.ts';
import { labelBefore, QUOTE } from './labels.ts';

/** Attributes that say what the value of a field is. */
const NAMES = 'name id key label autocomplete placeholder aria-label itemprop property for'.split(' ');
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
    while (end - from < MAX_LABEL && b[from - 1] !== quote && byteAt(b, from - 1) >= Char.BLANK) from--;
    if (b[from - 1] !== quote || b[from - 2] !== Char.EQUALS_SIGN) return null;
    i = from - 2;
    if (isNaming(b, i) && labelEndings.fits(b, end)) {
      const label = labelBefore(pass, end);
      if (label !== null && pass.labelStart >= from) return label;
    }
    const name = i;
    while (name - i < MAX_NAME && (is(b, i - 1, WORD) || b[i - 1] === Char.HYPHEN)) i--;
    if (i === name || !(classAt(b, i - 1) & SPACE)) return null;
  }
  return null;
}

/** Whether the name of an attribute that ends at `to` is one that says what a value is. */
function isNaming(b: Uint8Array, to: number): boolean {
  return NAMES.some((name) => isAt(b, to - name.length, name) && !is(b, to - name.length - 1, ALNUM));
}

/** Words of one such label. */
const MAX_WORDS = 3;
/**
 * The value of a label that counts only as a whole, whose sign is at `at`: `Tenant: Jane Doe`, `"account_holder" => "…"`,
 * `Location: 12 Main Street`. It ends at `to`. Returns where the value ends, or 0.
 */
export function wholeLabelled(pass: Pass, to: number, at: number): number {
  const b = pass.text.bytes;
  if (!mayEndWhole(b, to)) return 0;
  let from = to;
  for (let words = 0; words < MAX_WORDS; words++) {
    const before = from;
    while (to - from < MAX_LABEL && (is(b, from - 1, ALNUM | LETTER) || b[from - 1] === Char.LOW_LINE_SIGN))
      from--;
    if (from === before) return 0;
    const label = wholeLabel(b, from, to);
    if (label !== null && opensLabel(b, from)) {
      if (label.kind === 'person' || label.kind === 'party') return namedPerson(pass, from, at);
      return pass.isOn(label.tag) ? labelledValue(pass, label, at + 1) : 0;
    }
    if (b[from - 1] !== Char.BLANK) return 0;
    from--;
  }
  return 0;
}

const KEY = 'key';
/** Lines before the key in which its section is looked for, and their characters. */
const MAX_LINES = 6;
const MAX_LINE = 120;

/** Whether a line of YAML that only says `key:` stands in a section that tells of what: `jwt:`, `encryption:`, `algolia:`. It ends at `to`. */
export function isSectionKey(pass: Pass, to: number): boolean {
  const { bytes: b, start } = pass.text;
  const from = to - KEY.length;
  if (!isAt(b, from, KEY)) return false;
  let indent = from;
  while (b[indent - 1] === Char.BLANK) indent--;
  if (indent === from || b[indent - 1] !== Char.LINE_FEED) return false;
  let end = indent - 1;
  for (let lines = 0; lines < MAX_LINES && end > start; lines++) {
    let begin = end;
    while (begin > start && end - begin < MAX_LINE && b[begin - 1] !== Char.LINE_FEED) begin--;
    const name = afterBlanks(b, begin);
    if (name - begin < from - indent) return isSection(pass, b[name] === Char.HYPHEN ? name + 2 : name, end);
    end = begin - 1;
  }
  return false;
}

/** Whether the line is the name of a section of keys. */
function isSection(pass: Pass, from: number, end: number): boolean {
  const b = pass.text.bytes;
  let to = from;
  while (is(b, to, ALNUM | UNDERSCORE) || b[to] === Char.HYPHEN) to++;
  return (
    b[to] === Char.COLON_SIGN &&
    byteAt(b, end - 1) === Char.COLON_SIGN &&
    pass.setting.keys.get(pass.slice(from, to)).keyed
  );
}
