import type { LanguageModelMiddleware, ToolSet } from 'ai';
import { createJudge, type GuardOptions } from './judge.ts';
import { createMiddleware, type MiddlewareOptions } from './middleware.ts';
import { guardTools } from './tools.ts';

export { AssizeStoppedError, type GuardOptions } from './judge.ts';
export type { MiddlewareOptions } from './middleware.ts';

/** A guard is one conversation: what its middleware and its tools see is judged in one session. */
export interface AssizeGuard {
  /** For `wrapLanguageModel`. */
  middleware(options?: MiddlewareOptions): LanguageModelMiddleware;
  /** For `tools`. */
  tools<Tools extends ToolSet>(tools: Tools): Tools;
}

/** Puts the models and tools of the AI SDK (`ai`, version 7) under the policies of an integration. */
export function createAssizeGuard(options: GuardOptions): AssizeGuard {
  const judge = createJudge(options);
  return {
    middleware: (options = {}) => createMiddleware(judge, options),
    tools: (tools) => guardTools(judge, tools),
  };
}
