import { compilePattern, type Pattern } from '../cel/index.ts';

/** Compiles a pattern of JSON Schema, an ECMA-262 regular expression, for RE2, which takes linear time. Throws an `Error`. */
export function compileSchemaPattern(source: string): Pattern {
  const named = `the pattern "${source.length > 100 ? `${source.slice(0, 100)}…` : source}"`;
  if (source.length > mostCharacters) throw new Error(`${named} is longer than ${mostCharacters} characters`);
  let translated: string;
  try {
    translated = translate(source, isUnicode(source));
  } catch (error) {
    throw new Error(`${named} ${(error as Error).message}`);
  }
  const result = compilePattern(translated, {
    regexLength: 20 * mostCharacters,
    regexProgramSize: mostInstructions,
  });
  if (!result.ok) throw new Error(`${named} is ${result.message.replace(translated, source)}`);
  return result.pattern;
}

const mostCharacters = 2_000;
const mostInstructions = 1_000;

/** As JSON Schema asks for; else with the older syntax, in which more may be escaped, and a lone brace is itself. */
function isUnicode(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    try {
      new RegExp(source);
    } catch (error) {
      throw new Error(`is no regular expression: ${(error as Error).message}`);
    }
    return false;
  }
}

const everything = '\\x00-\\x{10FFFF}';
const space =
  '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const notSpace =
  '\\x00-\\x08\\x0E-\\x1F!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

/** One piece of a pattern in the syntax of RE2, and where the next one begins. A set cannot be the end of a range. */
interface Piece {
  text: string;
  end: number;
  isSet: boolean;
}

/** ECMA-262, already known to be valid, in the syntax of RE2. Throws what RE2 cannot do. */
function translate(source: string, unicode: boolean): string {
  let text = '';
  let at = 0;
  while (at < source.length) {
    const piece = pieceAt(source, at, unicode);
    text += piece.text;
    at = piece.end;
  }
  return text;
}

function pieceAt(source: string, at: number, unicode: boolean): Piece {
  const char = source.charAt(at);
  switch (char) {
    case '\\':
      return escapeAt(source, at, unicode, false);
    case '[':
      return classAt(source, at, unicode);
    case '(':
      return groupAt(source, at);
    case '.':
      return { text: '[^\\n\\r\\x{2028}\\x{2029}]', end: at + 1, isSet: true };
    case '{': {
      const [repeat] = /^\{\d+(?:,\d*)?\}/.exec(source.slice(at, at + 50)) ?? [];
      return { text: repeat ?? '\\{', end: at + (repeat?.length ?? 1), isSet: false };
    }
    case '}':
    case ']':
      return { text: `\\${char}`, end: at + 1, isSet: false };
    default:
      return { text: char, end: at + 1, isSet: false };
  }
}

function groupAt(source: string, at: number): Piece {
  if (source.charAt(at + 1) !== '?') return { text: '(?:', end: at + 1, isSet: false };
  const begin = source.slice(at + 2, at + 4);
  if (begin.startsWith(':')) return { text: '(?:', end: at + 3, isSet: false };
  if (/^(?:[=!]|<[=!])/.test(begin))
    throw new Error('looks ahead or behind, which cannot be compared in linear time');
  if (begin.startsWith('<')) return { text: '(?:', end: source.indexOf('>', at) + 1, isSet: false };
  throw new Error('has flags in a group, which are not supported');
}

function classAt(source: string, start: number, unicode: boolean): Piece {
  let at = start + 1;
  const isNegated = source.charAt(at) === '^';
  if (isNegated) at++;
  let inside = '';
  while (source.charAt(at) !== ']') {
    const from = memberAt(source, at, unicode);
    at = from.end;
    inside += from.text;
    if (source.charAt(at) !== '-' || source.charAt(at + 1) === ']') continue;
    const to = memberAt(source, at + 1, unicode);
    at = to.end;
    inside += `${from.isSet || to.isSet ? '\\-' : '-'}${to.text}`;
  }
  if (inside !== '') return { text: `[${isNegated ? '^' : ''}${inside}]`, end: at + 1, isSet: true };
  return { text: `[${isNegated ? '' : '^'}${everything}]`, end: at + 1, isSet: true };
}

function memberAt(source: string, at: number, unicode: boolean): Piece {
  if (source.charAt(at) === '\\') return escapeAt(source, at, unicode, true);
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
  return { text: literal(char), end: at + char.length, isSet: false };
}

const literal = (char: string): string => (/^[!-/:-@[-`{-~]$/.test(char) ? `\\${char}` : char);
const controls: Readonly<Record<string, string>> = { t: '\\t', n: '\\n', v: '\\v', f: '\\f', r: '\\r' };

function escapeAt(source: string, at: number, unicode: boolean, inClass: boolean): Piece {
  const char = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  const end = at + 1 + char.length;
  const one = (text: string, past = end): Piece => ({ text, end: past, isSet: false });
  const set = (text: string): Piece => ({ text, end, isSet: true });
  const rest = source.slice(end, end + 40);
  if (controls[char]) return one(controls[char]);
  switch (char) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return set(`\\${char}`);
    case 's':
    case 'S': {
      const members = char === 's' ? space : notSpace;
      return set(inClass ? members : `[${members}]`);
    }
    case 'b':
      return one(inClass ? '\\x08' : '\\b');
    case 'B':
      return one(inClass ? 'B' : '\\B');
    case 'c':
    case 'x':
    case 'u':
      return codeEscape(char, rest, unicode, end);
    case 'p':
    case 'P':
      return property(char, rest, unicode, end);
    case 'k':
      throw new Error('refers back to a group, which cannot be compared in linear time');
    default:
      if (char === '0' && !/^\d/.test(rest)) return one('\\x00');
      if (/\d/.test(char)) throw new Error('refers back to a group, which cannot be compared in linear time');
      return one(literal(char));
  }
}

const codePoint = (code: number): string => `\\x{${code.toString(16)}}`;

/** `\cA`, `\x41`, `\u0041`, `\ud83d\ude00` and `\u{41}`; incomplete ones are the letter itself. */
function codeEscape(char: string, rest: string, unicode: boolean, end: number): Piece {
  const piece = (code: number, length: number): Piece => ({
    text: codePoint(code),
    end: end + length,
    isSet: false,
  });
  if (char === 'c' && /^[A-Za-z]/.test(rest)) return piece(rest.charCodeAt(0) % 32, 1);
  const digits = { x: /^[0-9a-f]{2}/i, u: /^[0-9a-f]{4}/i }[char]?.exec(rest)?.[0];
  const pair = /^(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i.exec(char === 'u' ? rest : '');
  if (pair) {
    const [high = 0, low = 0] = pair.slice(1).map((text) => Number.parseInt(text, 16));
    return piece((high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000, 10);
  }
  if (digits) return piece(Number.parseInt(digits, 16), digits.length);
  const [braced, hex = ''] = /^\{([0-9a-f]+)\}/i.exec(char === 'u' ? rest : '') ?? [];
  if (braced && !unicode) throw new Error('has \\u{…}, but is no Unicode pattern');
  if (braced) return piece(Number.parseInt(hex, 16), braced.length);
  return { text: char === 'c' ? '\\\\c' : char, end, isSet: false };
}

/** The long names of general categories: RE2 knows the short ones. */
const categories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
  Unassigned: 'Cn',
};

function property(letter: string, rest: string, unicode: boolean, end: number): Piece {
  const [whole, name] = /^\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}/.exec(rest) ?? [];
  if (!unicode || whole === undefined || name === undefined)
    throw new Error(
      `has \\${letter}, but not as \\${letter}{…} with a category or script in a Unicode pattern`,
    );
  return { text: `\\${letter}{${categories[name] ?? name}}`, end: end + whole.length, isSet: true };
}
