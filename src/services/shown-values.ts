import type { Detector } from '../detectors/index.ts';
import type { RequestContent } from './request-content.ts';

/** A message shows far less of a value than this, and so much of it is masked before it is cut. */
const mostCharacters = 4_096;
/**
 * Values that are looked for in all messages of one evaluation: some 20 ms, while everybody waits. A request may have 100,000 values,
 * and its policies hundreds of messages. Text beyond that is not shown at all.
 */
const mostLookUps = 50_000;
/** What scanning a text is worth. */
const lookUpsPerScan = 500;
const notShown = '[NOT SHOWN]';
/** A shorter value is masked only where it stands alone: it may be part of any word. */
const leastInWords = 6;

/**
 * Masks what a rendered message shows of a request: the values that were detected in it, wherever the rule took them
 * from, and whatever is detected in the shown text itself.
 */
export function createShownValues(
  detector: Detector,
  content: Pick<RequestContent, 'values'>,
): (text: string) => string {
  let left = mostLookUps;
  return (text) => {
    left -= content.values.length + lookUpsPerScan;
    if (left < 0) return notShown;
    let shown = text.slice(0, mostCharacters);
    for (const [value, mask] of content.values) {
      shown = replaced(shown, value, mask);
      if (mayBeEscaped.test(value)) shown = replaced(shown, JSON.stringify(value).slice(1, -1), mask);
    }
    return detector.scan(shown).redacted() as string;
  };
}

/** What JSON.stringify may spell otherwise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const mayBeEscaped = /["\\\u0000-\u001f\ud800-\udfff]/;

const wordCharacter = /[\p{L}\p{N}]/u;

function replaced(text: string, value: string, mask: string): string {
  // An empty value would be found again at the same place, for ever.
  if (value === '' || !text.includes(value)) return text;
  if (value.length >= leastInWords) return text.replaceAll(value, () => mask);
  let result = '';
  let from = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, from)) {
    const end = at + value.length;
    const isAlone = !wordCharacter.test(text[at - 1] ?? ' ') && !wordCharacter.test(text[end] ?? ' ');
    result += text.slice(from, at) + (isAlone ? mask : value);
    from = end;
  }
  return result + text.slice(from);
}
