import type { Detector } from '../detectors/index.ts';
import type { RequestContent } from './request-content.ts';

/** A message shows far less of a value than this, and so much of it is masked before it is cut. */
const mostCharacters = 4_096;
/** A shorter value is masked only where it stands alone: it may be part of any word. */
const leastInWords = 6;

/**
 * Masks what a rendered message shows of a request: the values that were detected in it, wherever the rule took them
 * from, and whatever is detected in the shown text itself.
 */
export function createShownValues(
  detector: Detector,
  { values }: Pick<RequestContent, 'values'>,
): (text: string) => string {
  return (text) => {
    let shown = text.slice(0, mostCharacters);
    for (const [value, mask] of values) {
      shown = replaced(shown, value, mask);
      const escaped = JSON.stringify(value).slice(1, -1);
      if (escaped !== value) shown = replaced(shown, escaped, mask);
    }
    return detector.scan(shown).redacted() as string;
  };
}

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
