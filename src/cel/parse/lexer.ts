import { SourceFault, type Span } from '../issue.ts';
import { isPair } from '../text-units.ts';

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
function unescapeText(body: string, start: number): string {
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

export interface Token extends Span {
  readonly kind: 'name' | 'quoted' | 'int' | 'double' | 'string' | 'operator' | 'end';
  /** The text of a name or an operator, the digits of a number, the value of a string. */
  readonly text: string;
}

// One sticky expression for everything without escapes; tried in this order, so longer forms come first.
const TOKEN = new RegExp(
  [
    /(?<space>[ \t\n\f\r]+|\/\/[^\n]*)/,
    /(?<string>[rRbB]{0,2}(?:"""|'''|"|'))/,
    /(?<double>(?:\d+\.\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+))/,
    /(?<int>0[xX][0-9a-fA-F]+|\d+)(?<unsigned>[uU]?)/,
    /(?<name>[A-Za-z_][A-Za-z0-9_]*)/,
    /`(?<quoted>[A-Za-z0-9_./ -]+)`/,
    /(?<operator>&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]{}])/,
  ]
    .map((part) => part.source)
    .join('|'),
  'y',
);

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    if (groups === undefined) throw unexpected(source, at);
    const start = at;
    at = TOKEN.lastIndex;
    if (groups.space !== undefined) continue;
    if (groups.string !== undefined) {
      const token = stringToken(source, start, groups.string);
      tokens.push(token);
      at = token.end;
    } else {
      tokens.push(plainToken(groups, start, at));
    }
  }
  tokens.push({ kind: 'end', text: 'the end', start: source.length, end: source.length });
  return tokens;
}

function plainToken(groups: Record<string, string | undefined>, start: number, end: number): Token {
  const kind = (['double', 'int', 'name', 'quoted', 'operator'] as const).find(
    (one) => groups[one] !== undefined,
  );
  if (kind === 'int' && groups.unsigned !== '') {
    const hint = 'leave the "u" away';
    throw new SourceFault(
      'unsupported',
      'unsigned integers are not part of this profile',
      { start, end },
      hint,
    );
  }
  return { kind, text: groups[kind as string], start, end } as Token;
}

function stringToken(source: string, start: number, opening: string): Token {
  const quote = opening.replace(/[rRbB]+/, '');
  const prefix = opening.slice(0, -quote.length).toLowerCase();
  const bodyStart = start + opening.length;
  const raw = prefix.includes('r');
  const bodyEnd = closing(source, { start, end: bodyStart }, quote, raw);
  const end = bodyEnd + quote.length;
  if (prefix.includes('b')) {
    throw new SourceFault(
      'unsupported',
      'bytes are not part of this profile',
      { start, end },
      'use a string',
    );
  }
  if (prefix.length > 1) throw unexpected(source, start);
  const body = source.slice(bodyStart, bodyEnd);
  return { kind: 'string', text: raw ? body : unescapeText(body, bodyStart), start, end };
}

/** The place of the closing quote. A raw string cannot contain its quote; others may escape it. */
function closing(source: string, opening: Span, quote: string, raw: boolean): number {
  for (let at = opening.end; at < source.length; at += 1) {
    if (source.startsWith(quote, at)) return at;
    const char = source[at];
    if (char === '\\' && !raw) at += 1;
    else if (quote.length === 1 && (char === '\n' || char === '\r')) break;
  }
  throw new SourceFault('syntax', 'a string is not closed', opening, `add ${quote} at its end`);
}

const INSTEAD: Readonly<Record<string, string>> = {
  '=': 'to compare, write ==',
  '&': 'for "and", write &&',
  '|': 'for "or", write ||',
  '`': 'a quoted field name is written `like-this`',
};

function unexpected(source: string, start: number): SourceFault {
  const found = source.slice(start, start + (isPair(source, start) ? 2 : 1));
  const at = { start, end: start + found.length };
  return new SourceFault('syntax', `unexpected character "${found}"`, at, INSTEAD[found]);
}
