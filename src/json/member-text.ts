/**
 * The text of a member of a JSON object, as it was sent; null when it is not there. `text` must be valid JSON of an
 * object without duplicate keys; for any other, the result is arbitrary or a SyntaxError.
 */
export function memberText(text: string, name: string): string | null {
  let at = text.indexOf('{') + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === '}') return null;
    if (text[at] === ',') {
      at++;
      continue;
    }
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const colon = text.indexOf(':', keyEnd);
    // A text that is not an object would otherwise be read from its start again, for ever.
    if (colon < 0) throw new SyntaxError('not a JSON object');
    const start = skipSpace(text, colon + 1);
    at = endOfValue(text, start);
    if (key === name) return text.slice(start, at).trimEnd();
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \t\n\r'.includes(text[at] as string)) at++;
  return at;
}

/** The place after the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth--;
    }
    if (char === ',' && depth === 0) return at;
    at++;
  }
  return at;
}
