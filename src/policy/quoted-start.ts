const KEYED = /^\s*(?:- +)*[\w."-]+: +(["'].*?)\s*$/;
const FLOW = /[\w"]: +("(?:[^"\\]|\\.)*" *(?:in|==|!=|[+<>]|&&|\|\|)[^}]*)/;
const LONGEST = 200;

/**
 * What to write instead of a value that begins with a quote and goes on after the closing one, as in
 * `when: "PII" in dataTags`; null where that is not what is wrong. `offset`: where YAML found the mistake.
 */
export function quotedStartHint(source: string, offset: number): string | null {
  const start = source.lastIndexOf('\n', Math.max(offset - 1, 0)) + 1;
  const end = source.indexOf('\n', offset);
  const line = source.slice(start, end < 0 ? source.length : end);
  if (line.length > LONGEST) return null;
  const value =
    KEYED.exec(line)?.[1] ??
    FLOW.exec(line)?.[1]
      ?.replace(/,\s*\w+:.*$/, '')
      .trimEnd();
  if (value === undefined || endsAtQuote(value)) return null;
  return `YAML ends a value that begins with a quote at the next one: write '${value.replaceAll("'", "''")}'`;
}

/** Whether the closing quote is the last character, as in a quoted text. */
function endsAtQuote(value: string): boolean {
  const quote = value.charAt(0);
  for (let at = 1; at < value.length; at += 1) {
    if (quote === '"' && value[at] === '\\') at += 1;
    else if (value[at] === quote && value[at + 1] === quote && quote === "'") at += 1;
    else if (value[at] === quote) return at === value.length - 1;
  }
  return false;
}
