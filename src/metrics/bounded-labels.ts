/**
 * Labels for the values of one series, at most `most` different ones: each series takes memory here and in whatever
 * collects them, for as long as the process runs. All further ones share the value `(other)`.
 */
export function boundedLabels<Name extends string>(
  names: readonly Name[],
  most: number,
): (values: readonly string[]) => Record<Name, string> {
  const seen = new Map<string, Record<Name, string>>();
  const labelsOf = (values: readonly string[]) =>
    Object.fromEntries(names.map((name, place) => [name, values[place]])) as Record<Name, string>;
  const other = labelsOf(names.map(() => '(other)'));
  return (values) => {
    const key = values.join('\0');
    const known = seen.get(key);
    if (known) return known;
    if (seen.size >= most) return other;
    const labels = labelsOf(values);
    seen.set(key, labels);
    return labels;
  };
}
