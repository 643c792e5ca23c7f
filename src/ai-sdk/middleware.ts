import type { LanguageModelMiddleware } from 'ai';
import { Output, type Params, type StreamPart, visible } from './content.ts';
import type { Judge } from './judge.ts';

export interface MiddlewareOptions {
  /**
   * When the parts of a streamed output leave: `held` until all of it was judged, or `live`, at once. Live, what is
   * stopped was seen already, and the stream ends with the error. Default `held`.
   */
  stream?: 'held' | 'live';
}

/** Under these names policies see what goes into a model, and what comes out. */
const [prompt, output] = ['model.prompt', 'model.output'] as const;

/**
 * Judges what is new in each prompt (messages of the user and of tools) before the model sees it, and what the model
 * says before anyone else does. A call that is stopped rejects with AssizeStoppedError.
 */
export function createMiddleware(
  judge: Judge,
  { stream = 'held' }: MiddlewareOptions,
): LanguageModelMiddleware {
  /** Messages that were let through: every step of an agent sends all of them again. */
  const passed = new Set<string>();

  async function judgePrompt({ prompt: messages, abortSignal }: Params, modelId: string): Promise<void> {
    const fresh = messages
      .filter(({ role }) => role === 'user' || role === 'tool')
      .map(visible)
      .filter((message) => !passed.has(JSON.stringify(message)));
    if (fresh.length === 0) return;
    await judge({ tool: prompt, modelId, messages: fresh }, abortSignal);
    for (const message of fresh) passed.add(JSON.stringify(message));
  }

  async function judgeOutput({ said }: Output, { abortSignal }: Params, modelId: string): Promise<void> {
    if (said) await judge({ tool: output, modelId, ...said }, abortSignal);
  }

  return {
    specificationVersion: 'v4',

    async wrapGenerate({ doGenerate, params, model: { modelId } }) {
      await judgePrompt(params, modelId);
      const result = await doGenerate();
      const said = new Output();
      for (const part of result.content) said.add(part);
      await judgeOutput(said, params, modelId);
      return result;
    },

    async wrapStream({ doStream, params, model: { modelId } }) {
      await judgePrompt(params, modelId);
      const result = await doStream();
      const said = new Output();
      const waiting: StreamPart[] = [];
      const judged = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          said.add(part);
          // The end of an output says that it stands: it never leaves unjudged.
          if (stream === 'held' || part.type === 'finish') waiting.push(part);
          else controller.enqueue(part);
        },
        async flush(controller) {
          await judgeOutput(said, params, modelId).then(
            () => {
              for (const part of waiting) controller.enqueue(part);
            },
            (error) => controller.enqueue({ type: 'error', error }),
          );
        },
      });
      return { ...result, stream: result.stream.pipeThrough(judged) };
    },
  };
}
