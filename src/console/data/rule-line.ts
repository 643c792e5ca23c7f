/** The line of a policy document, from 0, that gives a rule its id; -1 when there is none. */
export function lineOfRule(document: string, ruleId: string): number {
  if (ruleId === '') return -1;
  const lines = document.split('\n');
  const from = Math.max(
    0,
    lines.findIndex((line) => /^\s*["']?rules["']?\s*:/.test(line)),
  );
  const escaped = ruleId.replace(/[^\w-]/g, '\\$&');
  const id = new RegExp(`(?:^|[\\s{,-])["']?id["']?\\s*:\\s*["']?${escaped}["']?\\s*(?:$|[,}#])`);
  const found = lines.slice(from).findIndex((line) => id.test(line));
  return found < 0 ? -1 : from + found;
}
