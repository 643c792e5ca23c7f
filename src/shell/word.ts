/** How sure the text of a word is: bits, 0 for a plain word. */
export type WordBits = number;
/** Part of it was quoted or escaped. */
export const QUOTED = 1;
/** Part of it is an expansion, which stands in the text as it was written: `$X`, `$(date)`. */
export const UNKNOWN = 2;
/** The expansion may be anything, with spaces and separators. `$HOME` and its like are not. */
export const UNSAFE = 4;
/** It has an unquoted `*`, `?` or `[`. */
export const GLOB = 8;
/** It has an unquoted `{`: `unbraced` says what it stands for. */
export const BRACED = 16;

/** Variables that hold one path or name, unless the text itself changes them. */
export const familiarVariables: ReadonlySet<string> = new Set([
  'HOME',
  'PWD',
  'OLDPWD',
  'USER',
  'LOGNAME',
  'UID',
  'EUID',
  'SHELL',
  'HOSTNAME',
  'TMPDIR',
  'PATH',
  'PPID',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'VIRTUAL_ENV',
  'JAVA_HOME',
  'ANDROID_HOME',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'NVM_DIR',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'CI',
  'GITHUB_WORKSPACE',
  'GITHUB_SHA',
  'GITHUB_REF_NAME',
  '?',
  '$',
  '!',
  '#',
  '-',
]);

// Unquoted braces, commas and dots of a word, until it is unbraced. Halves of surrogate pairs, which no well-formed text has alone.
export const OPEN = '\udc01';
export const COMMA = '\udc02';
export const CLOSE = '\udc03';
export const DOT = '\udc04';

const MARKS = /[\udc01-\udc04]/g;
const PLAIN: Readonly<Record<string, string>> = { [OPEN]: '{', [COMMA]: ',', [CLOSE]: '}', [DOT]: '.' };
export const unmarked = (text: string): string => text.replace(MARKS, (mark) => PLAIN[mark] as string);

const SEQUENCE =
  /^(?:(-?\d{1,9})\udc04\udc04(-?\d{1,9})|([A-Za-z])\udc04\udc04([A-Za-z]))(?:\udc04\udc04(-?\d{1,9}))?$/;

/** The words that braces stand for, as bash expands them; null when there are more than `most`. */
export function unbraced(text: string, most: number): string[] | null {
  const words = expand(text, most, 0);
  return words === null ? null : words.map(unmarked);
}

const DEEPEST = 24;

function expand(text: string, most: number, depth: number): string[] | null {
  if (depth > DEEPEST) return null;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, open + 1)) {
    const parts = partsAt(text, open);
    if (parts === null) continue;
    const before = unmarked(text.slice(0, open));
    const rest = expand(text.slice(parts.end), most, depth + 1);
    if (rest === null) return null;
    const words: string[] = [];
    for (const part of parts.parts) {
      const inner = parts.isSequence ? [part] : expand(part, most, depth + 1);
      if (inner === null || words.length + inner.length * rest.length > most) return null;
      for (const one of inner) for (const after of rest) words.push(before + one + after);
    }
    return words;
  }
  return [unmarked(text)];
}

/** The text between the brace and its match; null when the brace is literal. */
function partsAt(text: string, open: number): { parts: string[]; end: number; isSequence: boolean } | null {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === OPEN) depth += 1;
    else if (char === COMMA && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (char === CLOSE) {
      if (depth > 0) {
        depth -= 1;
        continue;
      }
      const last = text.slice(start, at);
      if (parts.length > 0) return { parts: [...parts, last], end: at + 1, isSequence: false };
      const sequence = SEQUENCE.exec(last);
      return sequence === null ? null : { parts: sequenceOf(sequence), end: at + 1, isSequence: true };
    }
  }
  return null;
}

const LONGEST_SEQUENCE = 1_000;

function sequenceOf([, from, to, first, last, by]: RegExpExecArray): string[] {
  const isLetters = first !== undefined;
  const start = isLetters ? first.charCodeAt(0) : Number(from);
  const end = isLetters ? (last as string).charCodeAt(0) : Number(to);
  const step = Math.abs(Number(by ?? 1)) || 1;
  const padded = !isLetters && [from, to].some((one) => /^-?0\d/.test(one as string));
  const width = padded ? Math.max((from as string).length, (to as string).length) : 0;
  const words: string[] = [];
  const count = Math.min(Math.floor(Math.abs(end - start) / step), LONGEST_SEQUENCE);
  for (let index = 0; index <= count; index += 1) {
    const value = start + (end < start ? -1 : 1) * step * index;
    words.push(isLetters ? String.fromCharCode(value) : padNumber(value, width));
  }
  return words;
}

const padNumber = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const ANSI = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))/gs;

/** The text of `$'…'` between its quotes. */
export function ansiText(text: string): string {
  const decoded = text.replace(ANSI, (whole, octal, hex, short, long, control, other) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31);
    if (other !== undefined) return ESCAPES[other] ?? whole;
    const code = Number.parseInt(hex ?? short ?? long, 16);
    return code > 0x10_ffff ? whole : String.fromCodePoint(code);
  });
  // The word ends at a NUL, which no argument can hold.
  const end = decoded.indexOf('\0');
  return (end < 0 ? decoded : decoded.slice(0, end)).toWellFormed();
}
