import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { BLANK, EQUALS_SIGN, LOW_LINE_SIGN } from '../text/ascii.ts';
import { ALNUM, LETTER } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { MAX_LABEL, wholeLabel } from './classifier.ts';
import { isLabelled } from './label-value.ts';
import { QUOTE } from './labels.ts';
import { isAmongPeople } from './people-nearby.ts';
import { namedPerson, opensLabel, PERSON_LABEL } from './person-value.ts';
import { labelledValue } from './value-under-label.ts';

/** Words of one such label. */
const MAX_WORDS = 3;
/** Letters of what is only called the first or the last name, and one more. */
const MAX_PART = 6;

/**
 * The value of a label that counts only as a whole, whose sign is at `at`: `Tenant: Jane Doe`, `"account_holder" => "…"`,
 * `Location: 12 Main Street`. It ends at `to`. Returns where the value ends, or 0.
 */
export function wholeLabelled(pass: Pass, to: number, at: number): number {
  const b = pass.text.bytes;
  let from = to;
  for (let words = 0; words < MAX_WORDS; words++) {
    const before = from;
    while (to - from < MAX_LABEL && (is(b, from - 1, ALNUM | LETTER) || b[from - 1] === LOW_LINE_SIGN))
      from--;
    if (from === before) return 0;
    const isPart = words === 0 && b[at] === EQUALS_SIGN && to - from < MAX_PART;
    const label = wholeLabel(b, from, to);
    if ((isPart || label !== null) && opensLabel(b, from)) {
      if (label?.kind === 'person' || label?.kind === 'party') return namedPerson(pass, from, at);
      if (label !== null) return pass.isOn(label.tag) ? labelledValue(pass, label, at + 1) : 0;
      if (isPart) return partOfName(pass, from, to, at);
    }
    if (b[from - 1] !== BLANK) return 0;
    from--;
  }
  return 0;
}

/** What names the other part of a name beside the one that is only called the first or the last. */
const OTHER_PARTS: readonly (readonly [name: string, other: RegExp])[] = [
  ['first', /\blast\s?=/i],
  ['last', /\bfirst\s?=/i],
];
const REACH = 64;
const MAX_NAME = 40;

/** A part of a name among arguments that give both and what people have: `Person(first="Jane", last="Doe", phone=…)`. */
function partOfName(pass: Pass, from: number, to: number, at: number): number {
  const b = pass.text.bytes;
  const part = OTHER_PARTS.find(([name]) => name.length === to - from && isAt(b, from, name));
  const quote = byteAt(b, at + 1);
  if (part === undefined || QUOTE[quote] !== 1 || !pass.isOn(PERSON_LABEL.tag)) return 0;
  const { start, end } = pass.text;
  if (!part[1].test(pass.slice(Math.max(start, from - REACH), Math.min(end, at + REACH)))) return 0;
  const value = at + 2;
  let stop = value;
  while (stop - value < MAX_NAME && byteAt(b, stop) >= BLANK && b[stop] !== quote) stop++;
  if (b[stop] !== quote || stop - value < 2) return 0;
  if (!isLabelled('person', pass.slice(value, stop), true) || !isAmongPeople(pass, from, stop)) return 0;
  pass.found(PERSON_LABEL.tag, BARE, value, stop);
  return stop;
}
