import { SourceFault } from './fault.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };
const ESCAPE = /\\(?:([0-3][0-7]{2})|([xXuU])([0-9a-fA-F]*)|([\s\S]?))/g;

/** The text a string literal stands for. `start` is where `body` begins in the source, for messages. */
export function unescapeText(body: string, start: number): string {
  let out = '';
  let done = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(body); match !== null; match = ESCAPE.exec(body)) {
    out += body.slice(done, match.index);
    const [whole, octal, letter, digits = '', simple = ''] = match;
    const at = { start: start + match.index, end: start + match.index + whole.length };
    if (octal !== undefined) out += String.fromCodePoint(Number.parseInt(octal, 8));
    else if (letter !== undefined) {
      const length = HEX_DIGITS[letter] as number;
      out += codePoint(letter, digits.slice(0, length), length, at);
      // The expression takes every hexadecimal digit there is; those past the escape are text.
      ESCAPE.lastIndex -= Math.max(digits.length - length, 0);
    } else {
      const plain = Object.hasOwn(SIMPLE, simple) ? SIMPLE[simple] : undefined;
      if (plain === undefined) throw invalid(whole, at);
      out += plain;
    }
    done = ESCAPE.lastIndex;
  }
  return out + body.slice(done);
}

function codePoint(
  letter: string,
  digits: string,
  length: number,
  at: { start: number; end: number },
): string {
  const code = Number.parseInt(digits, 16);
  // Half a surrogate pair is not a character, and text holding one cannot be written as UTF-8.
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  if (digits.length < length || !isCharacter) throw invalid(`\\${letter}${digits}`, at);
  return String.fromCodePoint(code);
}

function invalid(found: string, at: { start: number; end: number }): SourceFault {
  const hint = 'a backslash is written \\\\; in a regular expression use a raw string: r"\\d+"';
  return new SourceFault('invalid_literal', `"${found}" is not an escape sequence`, at, hint);
}
