/** ECMAScript 2026 has these; browsers that do not have them yet round. */
interface ExactJson {
  rawJSON?(text: string): unknown;
  isRawJSON?(value: unknown): boolean;
}
const exact = JSON as JSON & ExactJson;

/** Digits that a double always holds. */
const safeDigits = 15;

/** Whether a value stands for a number that a double cannot hold. `JSON.stringify` writes it as it was sent. */
export const isExactNumber = (value: unknown): boolean => exact.isRawJSON?.(value) ?? false;

/** Parses JSON without rounding numbers: people decide by what they read, and the agent acts by what was sent. */
export function parseExactly(text: string): unknown {
  if (!exact.rawJSON || !/\d[\d.]{15}/.test(text)) return JSON.parse(text);
  const keep = (_: string, value: unknown, context?: { source?: string }): unknown => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || source.length <= safeDigits) return value;
    return String(value) === source ? value : exact.rawJSON?.(source);
  };
  return JSON.parse(text, keep);
}
