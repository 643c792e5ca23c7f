import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { BLANK, COMMA, LEFT_PARENTHESIS } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';
import type { Label } from './classifier.ts';
import { isLabelled } from './label-value.ts';
import { isQuote } from './markup-value.ts';

const MAX_NAME = 64;

/**
 * The name that a method is given whose own name is the label that ends at `to`, or that is the name before it:
 * `setFirstName("Jane")`, `put("firstName", "Jane")`. Returns its end, or 0.
 */
export function givenName(pass: Pass, label: Label, to: number): number {
  const b = pass.text.bytes;
  let at = to + 1;
  // without a space they are the arguments of a call only in parentheses: "firstName","Department" may be heads of columns
  const isPair =
    isQuote(byteAt(b, to)) &&
    b[at] === COMMA &&
    (b[at + 1] === BLANK || b[pass.labelStart - 2] === LEFT_PARENTHESIS);
  if (isPair) at = skipBlanks(b, at + 1);
  else if (b[to] !== LEFT_PARENTHESIS) return 0;
  const quote = byteAt(b, at);
  if (!isQuote(quote) || !pass.isOn(label.tag)) return 0;
  const from = at + 1;
  let end = from;
  while (end - from < MAX_NAME && byteAt(b, end) >= BLANK && b[end] !== quote) end++;
  const text = pass.slice(from, end);
  if (b[end] !== quote || !isLabelled('person', text, true) || pass.setting.keys.get(text).label !== null)
    return 0;
  pass.found(label.tag, BARE, from, end);
  return end;
}

function skipBlanks(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === BLANK && i - at < 4) i++;
  return i;
}
