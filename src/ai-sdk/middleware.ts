import type { LanguageModelMiddleware } from 'ai';
import { AssizeStoppedError, type Gate, type GateRequest } from '../client/index.ts';
import { type Message, Output, type Params, type StreamPart, toolContent } from './content.ts';

export interface MiddlewareOptions {
  /**
   * When the parts of a streamed output are passed on: `held` until all of it was evaluated, or `live`, at once. With
   * `live`, what is stopped was seen already, and the stream ends with the error. Default `held`.
   */
  stream?: 'held' | 'live';
  /** The tools that the model is offered: all, or those that policies do not block whatever their arguments are. Default `all`. */
  tools?: 'all' | 'allowed';
}

/** The name under which policies see what a model says. */
const outputTool = 'model.output';

/**
 * Evaluates each new message of the user and each new tool result before the model sees it, and what the model says before
 * anyone else does. A stopped tool result is replaced with the reason; for any other stopped message, the call rejects with
 * AssizeStoppedError.
 */
export function createMiddleware(
  gate: Gate,
  { stream = 'held', tools = 'all' }: MiddlewareOptions,
): LanguageModelMiddleware {
  /** Why the model may not see a tool's result; null when it may. Rejects when nothing was decided. */
  const reasonAgainst = async (request: GateRequest): Promise<string | null> => {
    const result = await gate(request);
    if (result.error !== null) throw new AssizeStoppedError(result);
    return result.action === 'proceed' ? null : result.message;
  };

  async function evaluateMessage(
    message: Message,
    modelId: string,
    { abortSignal: signal }: Params,
  ): Promise<Message> {
    if (message.role === 'user') {
      const content = { role: message.role, content: message.content };
      const fields = { modelId, messages: [content] };
      await orThrow(gate({ phase: 'PROMPT', message: content, fields, signal }));
      return message;
    }
    if (message.role !== 'tool') return message;
    const parts: typeof message.content = [];
    for (const part of message.content) {
      if (part.type !== 'tool-result') {
        parts.push(part);
        continue;
      }
      const content = toolContent(part.toolName, part.output);
      const fields = { modelId, messages: [{ role: 'tool', content: [{ type: part.type, ...content }] }] };
      const reason = await reasonAgainst({ phase: 'PROMPT', message: content, fields, signal });
      parts.push(reason === null ? part : { ...part, output: { type: 'error-text', value: reason } });
    }
    return { ...message, content: parts };
  }

  async function evaluateOutput(
    { said, cost }: Output,
    { abortSignal }: Params,
    modelId: string,
  ): Promise<void> {
    if (!said) return;
    const fields = { tool: outputTool, modelId, ...said };
    await orThrow(gate({ fields, ...(cost && { cost }), signal: abortSignal }));
  }

  return {
    specificationVersion: 'v4',

    async transformParams({ params, model: { modelId } }) {
      const prompt: Message[] = [];
      for (const message of params.prompt) prompt.push(await evaluateMessage(message, modelId, params));
      return { ...(tools === 'allowed' ? await offered(gate, params) : params), prompt };
    },

    async wrapGenerate({ doGenerate, params, model: { modelId } }) {
      const result = await doGenerate();
      const said = new Output();
      for (const part of result.content) said.add(part);
      said.used(result.usage);
      await evaluateOutput(said, params, modelId);
      return result;
    },

    async wrapStream({ doStream, params, model: { modelId } }) {
      const result = await doStream();
      const said = new Output();
      const waiting: StreamPart[] = [];
      const evaluated = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          said.add(part);
          // The end of an output says that it is complete: it is never passed on before the evaluation.
          if (stream === 'held' || part.type === 'finish') waiting.push(part);
          else controller.enqueue(part);
        },
        async flush(controller) {
          await evaluateOutput(said, params, modelId).then(
            () => {
              for (const part of waiting) controller.enqueue(part);
            },
            (error) => controller.enqueue({ type: 'error', error }),
          );
        },
      });
      return { ...result, stream: result.stream.pipeThrough(evaluated) };
    },
  };
}

/** The tools that are not blocked now. One that the model must call stays, and is evaluated. */
async function offered(gate: Gate, params: Params): Promise<Params> {
  const { tools = [], toolChoice, ...others } = params;
  if (tools.length === 0) return params;
  const blocked = await gate.blockedTools(tools.map(({ name }) => name));
  const named = toolChoice?.type === 'tool' ? toolChoice.toolName : null;
  const left = tools.filter(({ name }) => name === named || !blocked.has(name));
  return left.length === 0 ? others : { ...params, tools: left };
}

async function orThrow(gate: ReturnType<Gate>): Promise<void> {
  const result = await gate;
  if (result.action !== 'proceed') throw new AssizeStoppedError(result);
}
