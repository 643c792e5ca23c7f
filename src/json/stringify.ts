/** TypeScript does not describe it yet (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** `JSON.stringify` of a JSON value that may hold bigints: they are written as integers, digit for digit. */
export function stringifyJson(value: unknown): string {
  try {
    // Throws on a bigint. Hardly any value holds one, and a replacer makes it three times as slow.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_key, member) => exactJson(member));
  }
}

/** A replacer's result for one member: what JSON.stringify writes as the exact digits of a bigint. */
export const exactJson = (member: unknown): unknown =>
  typeof member === 'bigint' ? rawJSON(member.toString()) : member;
