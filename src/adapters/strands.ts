import type { Gate, GateSession } from '../client/index.ts';
import { changed } from './changed.ts';

// The used part of `@strands-agents/sdk`.
interface Context {
  toolUse: { name: string; input: unknown };
  cancelSignal: AbortSignal;
}
interface Result {
  status: 'success' | 'error';
  content: unknown;
}
interface Tool {
  name: string;
  stream(context: Context): AsyncGenerator<unknown, Result, undefined>;
}

export interface StrandsOptions<C> {
  /** The session of a call, such as one named in the agent's `invocationState`; default: the session of the gate. */
  session?(context: C): GateSession;
}

/** The same tools: each call is evaluated before it runs, and its result before the model sees it. */
export function protectTools<T extends Tool>(
  gate: Gate,
  tools: readonly T[],
  { session = () => ({}) }: StrandsOptions<Parameters<T['stream']>[0]> = {},
): T[] {
  return tools.map((tool) => {
    async function* stream(context: Context): AsyncGenerator<unknown, Result, undefined> {
      // Whatever else holds the arguments cannot change them between the evaluation and the call.
      const toolUse = structuredClone(context.toolUse);
      const request = { tool: tool.name, input: toolUse.input, signal: context.cancelSignal };
      const action = await gate.start({ ...request, ...session(context) });
      let result: Result;
      try {
        result = yield* tool.stream(changed(context, { toolUse }));
      } catch (error) {
        await action.threw(error);
        throw error;
      }
      if (result.status === 'error') await action.threw(JSON.stringify(result.content));
      else await action.returned(result.content);
      return result;
    }
    return changed(tool, { stream } as Partial<T>);
  });
}
