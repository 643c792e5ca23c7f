import type { LanguageModelMiddleware, ToolSet } from 'ai';
import { createEvaluator, type GuardOptions } from './evaluator.ts';
import { createMiddleware, type MiddlewareOptions } from './middleware.ts';
import { guardTools } from './tools.ts';

export type { GuardOptions } from './evaluator.ts';
export type { MiddlewareOptions } from './middleware.ts';
export { AssizeStoppedError } from './stopped-error.ts';

/** A guard for one conversation: what its middleware and its tools see is evaluated in one session. */
export interface AssizeGuard {
  /** For `wrapLanguageModel`. */
  middleware(options?: MiddlewareOptions): LanguageModelMiddleware;
  /** For `tools`. */
  tools<Tools extends ToolSet>(tools: Tools): Tools;
}

/** Puts the models and tools of the AI SDK (`ai`, version 7) under the policies of an integration. */
export function createAssizeGuard(options: GuardOptions): AssizeGuard {
  const evaluator = createEvaluator(options);
  return {
    middleware: (options = {}) => createMiddleware(evaluator, options),
    tools: (tools) => guardTools(evaluator, tools),
  };
}
