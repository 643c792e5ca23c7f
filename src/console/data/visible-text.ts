/** A part of a text: shown as it is, or a character that would be invisible or change what is around it. */
interface TextPart {
  text: string;
  isMark: boolean;
}

/**
 * Control and format characters, bidirectional overrides, lone surrogates and spaces that look like others: what could make
 * a text look like another one. New lines and tabs stay, because they are shown as what they are.
 */
const hidden =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|\p{Variation_Selector}|(?! )\p{Zs}/gu;

/** The parts of a text that agents sent, with what is invisible written out as its code point. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), isMark: false });
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    parts.push({ text: `U+${code}`, isMark: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMark: false });
  return parts;
}

/** The same as one text, for places that show no more than text, such as titles. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => (part.isMark ? `⟨${part.text}⟩` : part.text))
    .join('');
