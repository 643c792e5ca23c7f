import type { ListedTool } from './judge.ts';
import { isJson, type Json } from './message.ts';

/** Tools that may not be called now are listed like the others, listed with the reason, or not listed. */
export type ToolList = 'all' | 'mark' | 'hide';

/** The tools of a response to `tools/list`, in its order; null for one that is none. */
export function listedTools(server: string, result: unknown): readonly ListedTool[] | null {
  if (!isJson(result) || !Array.isArray(result.tools)) return null;
  return result.tools.map((tool: unknown) => {
    const name = isJson(tool) && typeof tool.name === 'string' ? tool.name : '';
    return { name: `mcp__${server}__${name}`, mcp: { server, tool: name } };
  });
}

/** The result with the tools that a client gets to see. `reasons`: of each tool, null for one that may be called. */
export function shownList(result: Json, reasons: readonly (string | null)[], how: ToolList): Json {
  const tools = (result.tools as readonly unknown[]).flatMap((tool, at) => {
    const reason = reasons[at] ?? null;
    if (reason === null || !isJson(tool)) return [tool];
    if (how === 'hide') return [];
    const description = typeof tool.description === 'string' ? ` ${tool.description}` : '';
    return [{ ...tool, description: `[Assize blocks this tool now: ${reason}]${description}` }];
  });
  return { ...result, tools };
}
