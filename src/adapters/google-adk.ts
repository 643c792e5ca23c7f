import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';

// The used part of `@google/adk`.
interface Request {
  args: Record<string, unknown>;
  toolContext: { sessionId: string; abortSignal?: AbortSignal | undefined };
}
interface Tool {
  name: string;
  runAsync(request: Request): Promise<unknown>;
}
interface Toolset {
  getTools(context?: unknown): Promise<Tool[]>;
}

export interface GoogleAdkOptions {
  /** The session of a call; default: the one named as the session of the runner. */
  session?(context: Request['toolContext']): GateSession;
}

// The used part of a request to a model.
interface Declarations {
  functionDeclarations?: { name?: string }[] | undefined;
}
interface ModelRequest {
  config?: { tools?: object[] | undefined } | undefined;
}

/**
 * A `beforeModelCallback`: the model is offered the tools that policies do not block whatever their arguments are. Beside `protectTools`, which
 * evaluates the calls.
 */
export function hideBlockedTools(gate: Gate) {
  return async ({ context, request }: { context: { sessionId: string }; request: ModelRequest }) => {
    const lists = (request.config?.tools ?? []).filter(
      (tool): tool is Declarations => 'functionDeclarations' in tool,
    );
    const names = lists.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.flatMap(({ name }) => name ?? []),
    );
    if (names.length === 0) return undefined;
    const blocked = await gate.blockedTools(names, { externalSessionId: context.sessionId });
    for (const list of lists)
      list.functionDeclarations = list.functionDeclarations?.filter(({ name = '' }) => !blocked.has(name));
    return undefined;
  };
}

/** The same tools and toolsets: each call is evaluated before it runs, and its result before the model sees it. */
export function protectTools<T extends Tool | Toolset>(
  gate: Gate,
  tools: readonly T[],
  options: GoogleAdkOptions = {},
): T[] {
  const { session = ({ sessionId }) => ({ externalSessionId: sessionId }) } = options;
  const protectTool = (tool: Tool): Tool =>
    changed(tool, {
      runAsync({ args, toolContext, ...more }: Request) {
        // Whatever else holds the arguments cannot change them between the evaluation and the call.
        const evaluated = structuredClone(args);
        const request = { tool: tool.name, input: evaluated, ...session(toolContext) };
        return gate.run({ ...request, signal: toolContext.abortSignal }, () =>
          tool.runAsync({ ...more, args: evaluated, toolContext }),
        );
      },
    });
  const protectToolset = (toolset: Toolset): Toolset =>
    changed(toolset, {
      getTools: async (context: unknown) => protectTools(gate, await toolset.getTools(context), options),
    });
  return tools.map((tool) => ('getTools' in tool ? protectToolset(tool) : protectTool(tool)) as T);
}
