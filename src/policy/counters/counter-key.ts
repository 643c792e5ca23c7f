const longestText = 1_000;

/**
 * The key of a value that splits a counter, or that it counts among its distinct ones: equal values have one, different
 * ones never the same. Null for what cannot be one: a list, a map, null, NaN, a text of more than 1,000 characters.
 */
export function keyOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value.length > longestText ? null : `s${value}`;
    case 'number':
      return Number.isNaN(value) ? null : `n${value}`;
    case 'bigint':
      return `n${value}`;
    case 'boolean':
      return `b${value}`;
    default:
      return null;
  }
}
