/**
 * The text that Claude Code shows the model in place of a tool's result. It ignores a replacement that does not have the form of
 * the tool's own result, so the form stays and only the values go. MCP results are not checked for their form: their
 * fields may be named by whoever wrote them, and are replaced as a whole.
 */
export function withheld(tool: string, response: unknown, notice: string): unknown {
  if (tool.startsWith('mcp__')) return [{ type: 'text', text: notice }];
  // An image or a PDF would have to stay a valid one: this tool also returns texts.
  if (tool === 'Read') {
    const file = { filePath: notice, content: notice, numLines: 1, startLine: 1, totalLines: 1 };
    return { type: 'text', file };
  }
  return emptied(response, notice);
}

function emptied(value: unknown, notice: string): unknown {
  switch (typeof value) {
    case 'string':
      return notice;
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      if (Array.isArray(value)) return value.slice(0, 1).map((item) => emptied(item, notice));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          name === 'type' && kind.test(String(inner)) ? inner : emptied(inner, notice),
        ]),
      );
  }
}

/** The words that tell the forms of a result apart. */
const kind = /^[a-z_]{1,20}$/;
