import type { Tool, ToolSet } from 'ai';
import type { Judge } from './judge.ts';

type Execute = NonNullable<Tool['execute']>;

/**
 * The same tools, judged before they run. What is stopped fails with AssizeStoppedError, whose message the model
 * reads as the error of its call. Tools without `execute` run elsewhere, and must be judged there.
 */
export function guardTools<Tools extends ToolSet>(judge: Judge, tools: Tools): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    return [
      name,
      execute ? { ...tool, execute: judged(name, execute.bind(tool) as Execute, judge) } : tool,
    ] as const;
  });
  return Object.fromEntries(guarded) as Tools;
}

function judged(name: string, execute: Execute, judge: Judge): Execute {
  const allow = (input: unknown, options: Parameters<Execute>[1]) =>
    judge({ tool: name, arguments: input }, options.abortSignal);

  if (execute.constructor.name === 'AsyncGeneratorFunction') {
    return async function* (input, options) {
      await allow(input, options);
      yield* execute(input, options) as AsyncIterable<unknown>;
    };
  }
  return async (input, options) => {
    await allow(input, options);
    const result: unknown = await execute(input, options);
    return isAsyncIterable(result) ? lastOf(result) : result;
  };
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Of a tool that answers in steps, the last one is its result. */
async function lastOf(steps: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const step of steps) last = step;
  return last;
}
