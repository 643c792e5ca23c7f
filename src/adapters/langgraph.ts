import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';
import { seenOf, sessionOfThread } from './langchain-messages.ts';

// The used part of `@langchain/core`.
interface Config {
  configurable?: { thread_id?: unknown } | undefined;
  signal?: AbortSignal | undefined;
}
interface Tool {
  name: string;
  invoke(input: unknown, config?: Config): Promise<unknown>;
}

export interface LangGraphOptions {
  /** The session of a call; default: the one named as the thread (`thread_id`), or else the session of the gate. */
  session?(config: Config): GateSession;
}

/** The same tools, for a `ToolNode` or for nodes that call them: each call and its result is evaluated. */
export function protectTools<T extends Tool>(
  gate: Gate,
  tools: readonly T[],
  { session = ({ configurable }) => sessionOfThread(configurable) }: LangGraphOptions = {},
): T[] {
  return tools.map((tool) => {
    async function invoke(input: unknown, config: Config = {}) {
      // Whatever else holds the arguments cannot change them between the evaluation and the call.
      const call = structuredClone(input);
      const request = {
        tool: tool.name,
        input: argumentsOf(call),
        ...session(config),
        signal: config.signal,
      };
      const action = await gate.start(request);
      let returned: unknown;
      try {
        returned = await tool.invoke(call, config);
      } catch (error) {
        await action.threw(error);
        throw error;
      }
      await action.returned(seenOf(returned));
      return returned;
    }
    return changed(tool, { invoke } as Partial<T>);
  });
}

/** A tool gets its arguments alone, or a whole call of a model. */
function argumentsOf(input: unknown): unknown {
  const call = input as { type?: unknown; args?: unknown } | null;
  return call?.type === 'tool_call' ? call.args : input;
}
