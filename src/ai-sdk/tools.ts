import type { Tool, ToolSet } from 'ai';
import { shown, toolContent } from './content.ts';
import type { Evaluator } from './evaluator.ts';

type Execute = NonNullable<Tool['execute']>;

/**
 * The same tools, evaluated before they run, and their results before the model sees them. A tool that is stopped, or whose
 * result is, fails with AssizeStoppedError, whose message the model reads in place of the result. Tools without `execute`
 * run elsewhere, and must be evaluated there.
 */
export function guardTools<Tools extends ToolSet>(evaluator: Evaluator, tools: Tools): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => {
    const execute = tool.execute?.bind(tool) as Execute | undefined;
    return [
      name,
      execute
        ? {
            ...tool,
            execute: guard({ name, converts: tool.toModelOutput !== undefined, execute, evaluator }),
          }
        : tool,
    ] as const;
  });
  return Object.fromEntries(guarded) as Tools;
}

interface Guarded {
  name: string;
  /** Whether the model sees something else than the result. */
  converts: boolean;
  execute: Execute;
  evaluator: Evaluator;
}

function guard({ name, converts, execute, evaluator }: Guarded): Execute {
  const start = (input: unknown, { abortSignal }: Parameters<Execute>[1]) =>
    evaluator.action({ tool: name, arguments: input }, abortSignal);

  const succeeded = (of: string, result: unknown, signal: AbortSignal | undefined) => {
    const value = shown(result) ?? null;
    // What a conversion makes of it is evaluated by the middleware.
    const output = { type: typeof value === 'string' ? 'text' : 'json', value };
    const content = converts ? null : toolContent(name, output);
    return evaluator.result({ of, status: 'OK', input: { result: value }, content }, signal);
  };

  const failed = (of: string, error: unknown, signal: AbortSignal | undefined) => {
    const value = String(error);
    const content = toolContent(name, { type: 'error-text', value });
    return evaluator.result({ of, status: 'FAILED', input: { result: value }, content }, signal);
  };

  if (execute.constructor.name === 'AsyncGeneratorFunction') {
    return async function* (input, options) {
      const { abortSignal } = options;
      const of = await start(input, options);
      let last: unknown;
      try {
        for await (const step of execute(input, options) as AsyncIterable<unknown>) {
          last = step;
          yield step;
        }
      } catch (error) {
        await failed(of, error, abortSignal);
        throw error;
      }
      await succeeded(of, last, abortSignal);
    };
  }
  return async (input, options) => {
    const { abortSignal } = options;
    const of = await start(input, options);
    let result: unknown;
    try {
      result = await execute(input, options);
      if (isAsyncIterable(result)) result = await lastOf(result);
    } catch (error) {
      await failed(of, error, abortSignal);
      throw error;
    }
    await succeeded(of, result, abortSignal);
    return result;
  };
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** The result of a tool that returns several steps is the last one. */
async function lastOf(steps: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const step of steps) last = step;
  return last;
}
