import type { LanguageModelMiddleware } from 'ai';
import { type Message, Output, type Params, type StreamPart, shown, toolContent } from './content.ts';
import type { Evaluator } from './evaluator.ts';
import { AssizeStoppedError } from './stopped-error.ts';

export interface MiddlewareOptions {
  /**
   * When the parts of a streamed output are passed on: `held` until all of it was evaluated, or `live`, at once. With
   * `live`, what is stopped was seen already, and the stream ends with the error. Default `held`.
   */
  stream?: 'held' | 'live';
}

/** The name under which policies see what a model says. */
const outputTool = 'model.output';

/**
 * Evaluates each new message of the user and each new tool result before the model sees it, and what the model says before
 * anyone else does. A stopped tool result is replaced with the reason; for any other stopped message, the call rejects with
 * AssizeStoppedError.
 */
export function createMiddleware(
  evaluator: Evaluator,
  { stream = 'held' }: MiddlewareOptions,
): LanguageModelMiddleware {
  async function evaluateMessage(
    message: Message,
    modelId: string,
    { abortSignal }: Params,
  ): Promise<Message> {
    const evaluate = (content: unknown, messages: unknown[]) =>
      evaluator.content(content, { modelId, messages }, abortSignal);
    if (message.role === 'user') {
      const content = shown({ role: message.role, content: message.content });
      await evaluate(content, [content]);
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
      try {
        await evaluate(content, [{ role: 'tool', content: [{ type: part.type, ...content }] }]);
        parts.push(part);
      } catch (error) {
        if (!(error instanceof AssizeStoppedError)) throw error;
        parts.push({ ...part, output: { type: 'error-text', value: error.message } });
      }
    }
    return { ...message, content: parts };
  }

  async function evaluateOutput({ said }: Output, { abortSignal }: Params, modelId: string): Promise<void> {
    if (said) await evaluator.action({ tool: outputTool, modelId, ...said }, abortSignal);
  }

  return {
    specificationVersion: 'v4',

    async transformParams({ params, model: { modelId } }) {
      const prompt: Message[] = [];
      for (const message of params.prompt) prompt.push(await evaluateMessage(message, modelId, params));
      return { ...params, prompt };
    },

    async wrapGenerate({ doGenerate, params, model: { modelId } }) {
      const result = await doGenerate();
      const said = new Output();
      for (const part of result.content) said.add(part);
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
