import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';

// The used part of `@mastra/core`.
interface Context {
  agent?: { threadId?: string | undefined } | undefined;
  abortSignal?: AbortSignal | undefined;
}
// The type of a method compares its parameters both ways, and that of a field does not: a tool takes its own input only.
interface Executes {
  execute(input: unknown, context: Context): unknown;
}
interface Tool {
  execute?: Executes['execute'] | undefined;
}

export interface MastraOptions {
  /** The session of a call; default: the one named as the memory's thread, or else the session of the gate. */
  session?(context: Context): GateSession;
}

/** The same tools of Mastra, by name: each call is evaluated before it runs, and its result before the model sees it. */
export function protectTools<Tools extends Record<string, Tool>>(
  gate: Gate,
  tools: Tools,
  { session = threadOf }: MastraOptions = {},
): Tools {
  const protect = (name: string, tool: Tool): Tool => {
    const execute = tool.execute?.bind(tool);
    if (!execute) return tool;
    return changed(tool, {
      execute(input: unknown, context: Context = {}) {
        // Whatever else holds the arguments cannot change them between the evaluation and the call.
        const args = structuredClone(input);
        const request = { tool: name, input: args, ...session(context), signal: context.abortSignal };
        return gate.run(request, () => execute(args, context));
      },
    });
  };
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, protect(name, tool)]),
  ) as Tools;
}

/**
 * One of the `inputProcessors` of an agent: its model is offered the tools that policies do not block whatever their arguments are. Beside
 * `protectTools`, which evaluates the calls.
 */
export const hideBlockedTools = (gate: Gate, session: GateSession = {}) => ({
  id: 'assize-tools',
  async processInputStep({ tools = {}, activeTools = Object.keys(tools) }: StepTools) {
    const blocked = await gate.blockedTools(activeTools, session);
    return { activeTools: activeTools.filter((name) => !blocked.has(name)) };
  },
});

interface StepTools {
  tools?: Record<string, unknown>;
  activeTools?: string[];
}

const threadOf = ({ agent }: Context): GateSession =>
  agent?.threadId === undefined ? {} : { externalSessionId: agent.threadId };
