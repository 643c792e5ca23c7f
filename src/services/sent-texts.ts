/**
 * JSON of long texts as they were sent, by the text. What is kept of a request is spelled anew, so that nothing gets into
 * the record which was not looked at, such as the first of two members of one name; but to spell a text of 100 KB takes
 * three times as long as to parse it, and its own spelling says the same.
 */
export type SentTexts = ReadonlyMap<string, RawJson>;

/** Of `JSON.rawJSON`: its text stands in the output as it is. */
interface RawJson {
  readonly rawJSON: string;
}

/** TypeScript does not describe these yet (https://github.com/tc39/proposal-json-parse-with-source). */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawJson;
};

/** Characters from which a text is long. */
const long = 4_096;
/**
 * Long texts are asked for while parsing, at a price for each member and level: only where there are few, which is known
 * from what lies outside of texts.
 */
const mostOutside = 2_048;
const charactersForQuote = 256;

/** `JSON.parse`, and the long texts of it. */
export function parseWithTexts(text: string): { value: unknown; texts: SentTexts } {
  const texts = new Map<string, RawJson>();
  if (!holdsLongTexts(text)) return { value: JSON.parse(text), texts };
  const value = json.parse(text, (_key, member, { source }) => {
    if (isLong(member) && source !== undefined) texts.set(member, json.rawJSON(source));
    return member;
  });
  return { value, texts };
}

/** `JSON.stringify`, but for long texts that were sent, which are not spelled again. */
export function stringifyWithTexts(value: unknown, texts: SentTexts): string {
  if (texts.size === 0) return JSON.stringify(value);
  return JSON.stringify(value, (_key, member) => (isLong(member) ? (texts.get(member) ?? member) : member));
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length >= long;

/** Whether it is JSON of little but long texts, in time that grows with its length alone. */
function holdsLongTexts(text: string): boolean {
  if (text.length < long) return false;
  let quotes = Math.floor(text.length / charactersForQuote);
  let outside = text.length;
  let start = -1;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (--quotes < 0) return false;
    if (start < 0) start = at;
    else if (!isEscaped(text, at)) {
      outside -= at - start;
      start = -1;
    }
  }
  return outside <= mostOutside;
}

function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text[first - 1] === '\\') first--;
  return (place - first) % 2 === 1;
}
