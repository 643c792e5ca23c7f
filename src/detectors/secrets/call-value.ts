import type { Pass } from '../pass.ts';
import { BACKTICK, COMMA, HYPHEN, LEFT_PARENTHESIS } from '../text/ascii.ts';
import { ALNUM, LOWER, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import type { Label } from './label-rules.ts';
import { isQuote, literal, skipSpace } from './markup-value.ts';
import { mayBePlainPassword } from './plain-words.ts';
import { secretValue } from './secret-value.ts';
import { isCapital, isVariable } from './stated-value.ts';

/** Names of functions that take something else than the secret: they read or check it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;

/** Names of functions that take the secret, and of those that take a name and a value. */
const WRITES = /(?:^|[._-])(?:set|with|use|change|update|store|save|put)_?[A-Z_]/i;
const PUTS = [
  'put',
  'set',
  'setproperty',
  'setenv',
  'setheader',
  'addheader',
  'setitem',
  'set_item',
  'store',
  'save',
];
const MAX_FUNCTION = 12;

/** The literal in the call of a function that the label from `from` to `to` names: `set_password("v")`, `PASSWORD('v')`. */
export function callArgument(pass: Pass, label: Label, from: number, to: number): number {
  const name = pass.slice(from, to);
  if (READS.test(name)) return 0;
  if (isCapital(pass.text.bytes, from, to)) return constant(pass, label, to + 1);
  return literal(pass, label, to + 1) || (WRITES.test(name) ? givenWord(pass, label, to + 1) : 0);
}

/** The literal after the quoted name of a secret: `("DB_PASSWORD", "v")`; the name of a variable takes any text. */
export function secondArgument(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] === BACKTICK || b[to + 1] !== COMMA) return 0;
  const at = skipSpace(b, to + 2);
  const isConstant = isVariable(b, from, to) || isAt(b, from - 9, 'values (') || isAt(b, from - 8, 'values(');
  if (isConstant) return constant(pass, label, at);
  return literal(pass, label, at) || (isPut(b, from - 2) ? givenWord(pass, label, at) : 0);
}

/** Whether the parenthesis at `at` opens the arguments of a function that takes a name and a value: `.put("password", "v")`. */
function isPut(b: Uint8Array, at: number): boolean {
  if (b[at] !== LEFT_PARENTHESIS) return false;
  let start = at;
  while (at - start <= MAX_FUNCTION && is(b, start - 1, ALNUM | UNDERSCORE)) start--;
  return PUTS.some((name) => at - start === name.length && isAt(b, start, name));
}

/** A literal that is a plain word: the name of the function says that it is the value. */
export function givenWord(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  const from = skipSpace(b, at) + 1;
  if (!isQuote(byteAt(b, from - 1))) return 0;
  let to = from;
  while (is(b, to, LOWER) || b[to] === HYPHEN) to++;
  return b[to] === b[from - 1] && mayBePlainPassword(pass.slice(from, to))
    ? secretValue(pass, label, from - 1, 'literal')
    : 0;
}

/** A literal that is no expression: any text counts. */
function constant(pass: Pass, label: Label, at: number): number {
  const i = skipSpace(pass.text.bytes, at);
  return isQuote(byteAt(pass.text.bytes, i)) ? secretValue(pass, label, i, 'literal') : 0;
}

/** `define(name, "v")` */
export function defined(pass: Pass, label: Label, from: number, at: number): number {
  return isAt(pass.text.bytes, from - 7, 'define(') ? constant(pass, label, at + 1) : 0;
}
