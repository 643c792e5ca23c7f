import type { Evaluator, SeenTool, Stop } from './judge.ts';
import { isJson, type Json } from './message.ts';

/** Tools that may not be called now, or whose definition changed, are listed like the others, listed with the reason, or not listed. */
export type ToolList = 'all' | 'mark' | 'hide';

/** The tools that one server lists, with what the service says of them. */
export interface ToolLists {
  /** The result of `tools/list` as a client gets to see it; null when it may see it as it is. */
  shown(result: unknown): Promise<Json | null>;
  /**
   * Why a call of the tool may not be evaluated yet: the service compares its definition with the one that was seen first, and could not
   * be told of it until now. Null when it may.
   */
  unseen(tool: unknown): Promise<Stop | null>;
}

/** Definitions that could not be told, by the names of their tools; null for one that is too large to keep. */
export type Untold = Map<string, Json | null>;

const mostUntold = 1_000;
const longestUntold = 20_000;

/** Errors about the list itself. A server could cause them, so that a definition is read that nobody compared. */
const refusals: ReadonlySet<unknown> = new Set(['invalid', 'too_large', 'conflict', 'internal']);

export function createToolLists(
  evaluator: Pick<Evaluator, 'see'>,
  how: ToolList,
  log: (line: string) => void,
  untold: Untold = new Map(),
): ToolLists {
  function keep(tool: Json): void {
    const isSmall = JSON.stringify(tool).length <= longestUntold;
    if (untold.size <= mostUntold) untold.set(nameOf(tool), isSmall ? tool : null);
  }

  /** Null when nobody could be told. */
  async function tell(listed: readonly unknown[]): Promise<readonly SeenTool[] | null> {
    try {
      const seen = await evaluator.see(listed);
      if (untold.size > mostUntold) untold.clear();
      for (const tool of listed) untold.delete(nameOf(tool));
      for (const warning of warningsIn(listed, seen)) log(warning);
      return seen;
    } catch (error) {
      const { message = 'no response', code } = error as { message?: string; code?: unknown };
      // A client may call either of two tools with one name.
      for (const tool of listed) if (isJson(tool)) keep(tool);
      if (refusals.has(code)) {
        log(`the tools are not listed: ${message}`);
        const reason = `its list could not be compared: ${message}`;
        return listed.map(() => ({ allowed: true, held: true, reason, warnings: [] }));
      }
      log(`the tools are listed as they are: ${message}`);
      return null;
    }
  }

  return {
    async shown(result) {
      if (!isJson(result) || !Array.isArray(result.tools) || result.tools.length === 0) return null;
      const seen = await tell(result.tools);
      return seen === null || how === 'all' ? null : shownList(result, seen, how);
    },

    async unseen(tool) {
      if (untold.size > mostUntold)
        return { message: 'the tools of this server are not known', evaluation: null };
      const definition = untold.get(String(tool));
      if (definition === undefined) return null;
      try {
        if (definition === null) return notCompared;
        await evaluator.see([definition]);
        untold.delete(String(tool));
        return null;
      } catch {
        return notCompared;
      }
    },
  };
}

const notCompared: Stop = {
  message: 'not decided: nobody could compare the definition of the tool',
  evaluation: null,
};

const nameOf = (tool: unknown): string => (isJson(tool) ? String(tool.name) : '');

const warningsIn = (listed: readonly unknown[], seen: readonly SeenTool[]): string[] =>
  seen.flatMap(({ warnings }, at) =>
    warnings.map(
      ({ kind, part, excerpt }) =>
        `the ${part} of ${nameOf(listed[at])} seems to give the model orders (${kind}): ${excerpt}`,
    ),
  );

/** The list with the tools that a client gets to see; null when it is the same. A definition that changed is not read by a model. */
function shownList(result: Json, seen: readonly SeenTool[], how: 'mark' | 'hide'): Json | null {
  const listed = result.tools as readonly unknown[];
  const tools = listed.flatMap((tool, at) => {
    const { allowed, held, reason } = seen[at] ?? { allowed: false, held: true, reason: null };
    if (allowed && !held) return [tool];
    if (how === 'hide' || !isJson(tool)) return [];
    const why = `[Assize ${allowed ? 'holds' : 'blocks'} this tool now: ${reason ?? 'it is not known'}]`;
    if (held) return [{ name: tool.name, description: why, inputSchema: { type: 'object' } }];
    const description = typeof tool.description === 'string' ? ` ${tool.description}` : '';
    return [{ ...tool, description: `${why}${description}` }];
  });
  return tools.every((tool, at) => tool === listed[at]) && tools.length === listed.length
    ? null
    : { ...result, tools };
}
