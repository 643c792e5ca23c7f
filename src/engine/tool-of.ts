/**
 * The tool an action uses: `input.tool`, else `input.toolName`, else `input.name` when `input.arguments` or
 * `input.args` stands beside it, else the target key. Only own, non-empty texts count: an input is a stranger's JSON.
 */
export function toolOf(input: Readonly<Record<string, unknown>>, targetKey: string): string {
  const text = (key: string) => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const isCall = Object.hasOwn(input, 'arguments') || Object.hasOwn(input, 'args');
  return text('tool') || text('toolName') || (isCall ? text('name') : '') || targetKey;
}
