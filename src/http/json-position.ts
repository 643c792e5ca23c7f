export interface TextPosition {
  /** Both count from 1; the column in UTF-16 units. */
  line: number;
  column: number;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'next' | 'end';

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where `text`, which `JSON.parse` has refused, stops being JSON: `JSON.parse` itself does not always say. */
export function jsonErrorPosition(text: string): TextPosition {
  const before = text.slice(0, errorOffset(text));
  const line = before.split('\n').length;
  return { line, column: before.length - before.lastIndexOf('\n') };
}

function errorOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const char = text[at] as string;
    const opener = open.at(-1);
    const closes = (char === ']' && opener === '[') || (char === '}' && opener === '{');
    if (closes && (expected === 'next' || expected.endsWith(`or ${char}`))) {
      open.pop();
      expected = open.length > 0 ? 'next' : 'end';
      at++;
    } else if (expected === ':' || expected === 'next') {
      if (char !== (expected === ':' ? ':' : ',')) return at;
      expected = expected === 'next' && opener === '{' ? 'name' : 'value';
      at++;
    } else if (expected === 'end') {
      return at;
    } else if (char === '"') {
      const end = stringEnd(text, at);
      if (end.isBroken) return end.at;
      at = end.at;
      expected = expected.startsWith('name') ? ':' : open.length > 0 ? 'next' : 'end';
    } else if (expected.startsWith('name')) {
      return at;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expected = char === '{' ? 'name or }' : 'value or ]';
      at++;
    } else {
      scalar.lastIndex = at;
      if (!scalar.test(text)) return at;
      at = scalar.lastIndex;
      expected = open.length > 0 ? 'next' : 'end';
    }
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++;
  return at;
}

/** The place after the string that begins at `from`, or the first that cannot be part of it. */
function stringEnd(text: string, from: number): { at: number; isBroken: boolean } {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { at: at + 1, isBroken: false };
    if (code < 0x20) return { at, isBroken: true };
    if (code !== 0x5c) continue;
    escapeSequence.lastIndex = at;
    if (!escapeSequence.test(text)) return { at, isBroken: true };
    at = escapeSequence.lastIndex - 1;
  }
  return { at: text.length, isBroken: true };
}
