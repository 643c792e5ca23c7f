import { isDeepStrictEqual } from 'node:util';

/** A list that is stored as JSON text, or as null when it is empty. */
export const parseList = <T>(text: string | null): T[] => (text === null ? [] : (JSON.parse(text) as T[]));

/** Whether a change may be made: each field that its caller read is still as it was. Null expects that there is nothing. */
export const isAsExpected = <T extends object>(
  found: T | null | undefined,
  expected: Partial<T> | null | undefined,
): boolean => {
  if (expected === undefined) return true;
  if (expected === null || !found) return expected === (found ?? null);
  return (Object.keys(expected) as (keyof T)[]).every((field) =>
    isDeepStrictEqual(found[field], expected[field]),
  );
};
