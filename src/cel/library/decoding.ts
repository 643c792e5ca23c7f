import { parseStrictly } from '../../json/parse.ts';
import { type Budget, spend } from '../budget.ts';
import { global, type Overload } from '../declaration.ts';
import { CelError, SPENT, TOO_DEEP } from '../error.ts';
import { types } from '../type.ts';

const { dyn, string } = types;

const NOT_JSON = new CelError(
  'invalid_argument',
  'json: the text is not JSON, or has a key twice in an object',
);
const NOT_BASE64 = new CelError(
  'invalid_argument',
  'base64.decode: the text is not base64 (RFC 4648) of a UTF-8 text',
);
const TOO_LONG = new CelError('budget_spent', 'a text of more than 65536 characters is not decoded');

const LONGEST = 65_536;
/** As deep as values are compared. */
const DEEPEST = 64;
// Measured: the slowest documents and texts take about 200 ns a character.
const STEPS_A_CHARACTER = 10;

const decoding =
  (decode: (text: string) => unknown) =>
  (budget: Budget, text: string): unknown => {
    if (text.length > LONGEST) return TOO_LONG;
    return spend(budget, STEPS_A_CHARACTER * text.length) ? decode(text) : SPENT;
  };

function json(text: string): unknown {
  if (nestsTooDeep(text)) return TOO_DEEP;
  try {
    return parseStrictly(text);
  } catch {
    return NOT_JSON;
  }
}

/** Read before parsing, because the parser of the platform recurses. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === BACKSLASH) at += 1;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (char === BRACE || char === BRACKET) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (char === BRACE + 2 || char === BRACKET + 2) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_URL = /^[A-Za-z0-9_-]*={0,2}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...ALPHABET].map((char, value) => [char, value] as const),
  ['-', 62],
  ['_', 63],
]);

/** In either alphabet, padded or not. Values that are no text are refused, because this profile has no bytes. */
function base64(text: string): string | CelError {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits.length < text.length;
  if (!BASE64.test(text) && !BASE64_URL.test(text)) return NOT_BASE64;
  if (digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return NOT_BASE64;
  let escaped = '';
  let bits = 0;
  let held = 0;
  for (const char of digits) {
    held = ((held << 6) | (VALUES.get(char) as number)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((held >> bits) & 255).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return NOT_BASE64;
  }
}

/** Texts inside of texts: agents pass JSON in strings, and hide addresses in base64. */
export const decodings: readonly Overload[] = [
  global('json', [string], dyn, decoding(json)),
  global('base64.decode', [string], string, decoding(base64)),
];
