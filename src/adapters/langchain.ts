import type { Gate, GateResult, GateSession } from '../client/index.ts';
import { seenOf, sessionOfThread } from './langchain-messages.ts';

// The used part of `langchain`.
interface ToolCallRequest {
  toolCall: { name: string; args: unknown; id?: string };
  tool: unknown;
  runtime: {
    configurable?: { thread_id?: unknown };
    interrupt?: ((value: unknown) => unknown) | undefined;
    signal?: AbortSignal | undefined;
  };
}

export interface LangChainOptions {
  /** The session of a call; default: the one named as the thread (`thread_id`), or else the session of the gate. */
  session?(request: ToolCallRequest): GateSession;
  /**
   * The fate of a held call: `reject` tells the model that it waits; `interrupt` pauses the graph until it is resumed, with
   * any value: what counts is the reviewer's decision. Default `reject`.
   */
  onHold?: 'reject' | 'interrupt';
}

/** `wrapToolCall` for a middleware of `createAgent` or for `ToolNode`: evaluates calls of tools and their results. */
export function wrapToolCall(gate: Gate, options: LangChainOptions = {}) {
  const { session = ({ runtime }) => sessionOfThread(runtime.configurable), onHold = 'reject' } = options;
  return async <Request extends ToolCallRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result> => {
    const { name } = request.toolCall;
    // Whatever else holds the arguments cannot change them between the evaluation and the call.
    const args = structuredClone(request.toolCall.args);
    const of = { ...session(request), signal: request.runtime.signal };
    const stopped = ({ message }: GateResult) => tell(message, request, handler);

    const started = await gate({ tool: name, input: args, ...of });
    if (started.action === 'hold' && onHold === 'interrupt') {
      const { message, reviewRequestId } = started;
      if (!request.runtime.interrupt) throw new Error('onHold: interrupt needs an agent with a checkpointer');
      request.runtime.interrupt({ tool: name, args, message, reviewRequestId });
    }
    if (started.action !== 'proceed' || started.evaluation === null) return stopped(started);
    const result = { phase: 'RESULT', resultOf: started.evaluation.evaluationRunId, ...of } as const;
    let returned: Result;
    try {
      returned = await handler({ ...request, toolCall: { ...request.toolCall, args } });
    } catch (error) {
      const failed = await gate({ ...result, status: 'FAILED', input: String(error) });
      if (failed.action !== 'proceed') return stopped(failed);
      throw error;
    }
    // A Command changes the state of the graph: its update has the messages.
    const { status, update } = returned as { status?: unknown; update?: unknown };
    const input = update ?? seenOf(returned);
    const shown = await gate({ ...result, status: status === 'error' ? 'FAILED' : 'OK', input });
    return shown.action === 'proceed' ? returned : stopped(shown);
  };
}

interface ModelRequest {
  tools: readonly object[];
  runtime: { configurable?: { thread_id?: unknown } };
}

/**
 * `wrapModelCall` for a middleware of `createAgent`: the model is offered the tools that policies do not block whatever their arguments are.
 * Beside `wrapToolCall`, which evaluates the calls.
 */
export function wrapModelCall(
  gate: Gate,
  {
    session = ({ runtime }) => sessionOfThread(runtime.configurable),
  }: { session?(request: ModelRequest): GateSession } = {},
) {
  return async <Request extends ModelRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result> => {
    const nameOf = (tool: object) => ('name' in tool ? String(tool.name) : null);
    const names = request.tools.flatMap((tool) => nameOf(tool) ?? []);
    const blocked = await gate.blockedTools(names, session(request));
    const tools = request.tools.filter((tool) => !blocked.has(nameOf(tool) ?? ''));
    return handler({ ...request, tools });
  };
}

/** A message of the agent's own class, made by its handler from a tool that only says why. */
async function tell<Request extends ToolCallRequest, Result>(
  message: string,
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
): Promise<Result> {
  const { name } = request.toolCall;
  const told = await handler({ ...request, tool: { name, invoke: async () => message } });
  return Object.assign(told as object, { status: 'error' }) as Result;
}
