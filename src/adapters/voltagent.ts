import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';

// The used part of `@voltagent/core`.
interface Options {
  conversationId?: string | undefined;
  toolContext?: { abortSignal?: AbortSignal | undefined } | undefined;
  abortController?: AbortController | undefined;
}
interface Tool {
  name: string;
  execute?(args: unknown, options?: Options): unknown;
}

export interface VoltAgentOptions {
  /** The session of a call; default: the one named as the conversation, or else the session of the gate. */
  session?(options: Options): GateSession;
}

/** The same tools of VoltAgent: each call is evaluated before it runs, and its result before the model sees it. */
export function protectTools<T extends Tool>(
  gate: Gate,
  tools: readonly T[],
  { session = conversationOf }: VoltAgentOptions = {},
): T[] {
  return tools.map((tool) => {
    const execute = tool.execute?.bind(tool);
    if (!execute) return tool;
    const guarded: Tool['execute'] = (input: unknown, options: Options = {}) => {
      // Whatever else holds the arguments cannot change them between the evaluation and the call.
      const args = structuredClone(input);
      const signal = options.toolContext?.abortSignal ?? options.abortController?.signal;
      return gate.run({ tool: tool.name, input: args, ...session(options), signal }, () =>
        execute(args, options),
      );
    };
    return changed(tool, { execute: guarded } as Partial<T>);
  });
}

const conversationOf = ({ conversationId }: Options): GateSession =>
  conversationId === undefined ? {} : { externalSessionId: conversationId };
