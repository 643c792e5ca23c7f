import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';

// What is used of `@langchain/core`.
interface Config {
  configurable?: { thread_id?: unknown } | undefined;
  signal?: AbortSignal | undefined;
}
interface Tool {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has arguments of its own
  invoke(input: any, config?: any): Promise<any>;
}

export interface LangGraphOptions {
  /** The session of a call; default: the one named as the thread (`thread_id`), or else the session of the gate. */
  session?(config: Config): GateSession;
}

/** The same tools, for a `ToolNode` or for nodes that call them: each call and its result is evaluated. */
export function protectTools<T extends Tool>(
  gate: Gate,
  tools: readonly T[],
  { session = threadOf }: LangGraphOptions = {},
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
      await action.returned(seen(returned));
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

/** Of a message, what the model sees and what the program does. */
function seen(returned: unknown): unknown {
  const { content, artifact } = (returned ?? {}) as { content?: unknown; artifact?: unknown };
  if (content === undefined) return returned;
  return artifact === undefined ? content : { content, artifact };
}

const threadOf = ({ configurable }: Config): GateSession =>
  configurable?.thread_id === undefined ? {} : { externalSessionId: String(configurable.thread_id) };
