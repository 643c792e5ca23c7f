import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import { GuardrailRequest, GuardrailResponse } from '../../../schemas/gateways/litellm.ts';
import type { Scope } from '../../scope.ts';
import { decideEach, sessionNamed } from './decide.ts';
import { actionsOf } from './tool-calls.ts';

/** LiteLLM adds its own path to the `api_base` that it is given, which is `…/v1/guardrails/litellm`. */
export function litellmRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  app.post(
    '/guardrails/litellm/beta/litellm_basic_guardrail_api',
    {
      config: { callers: 'integration', scope: 'evaluate' },
      schema: { hide: true, body: GuardrailRequest, response: { 200: GuardrailResponse } },
    },
    async (request) => {
      const { allowed, reason, masked } = await decideEach(evaluations, request, requestsOf(request.body));
      if (!allowed) return { action: 'BLOCKED' as const, blocked_reason: reason };
      const texts = masked?.texts as string[] | undefined;
      return texts === undefined || isDeepStrictEqual(texts, request.body.texts ?? [])
        ? { action: 'NONE' as const }
        : { action: 'GUARDRAIL_INTERVENED' as const, texts };
    },
  );
}

const readable = 'send texts, images, tools, tool_calls or structured_messages';

/**
 * A request of a model is a PROMPT, with the `tools` that it is offered. What the model says is the action `model.output`, as in the
 * AI SDK adapter, and then each tool that it calls is an action.
 */
function requestsOf(asked: GuardrailRequest): [EvaluateRequest, ...EvaluateRequest[]] {
  const { input_type, texts, images, tools, tool_calls, structured_messages, model } = asked;
  const content = {
    modelId: model ?? null,
    texts: texts ?? [],
    ...(images && images.length > 0 && { images }),
    ...(tools && tools.length > 0 && { tools }),
    ...(tool_calls && tool_calls.length > 0 && { toolCalls: tool_calls }),
    ...(structured_messages &&
      structured_messages.length > 0 && { messages: without(structured_messages, new Set(texts)) }),
  };
  const read = [texts, images, tools, tool_calls, structured_messages];
  if (read.every((one) => !one || one.length === 0))
    throw new AppError('invalid', `has nothing that can be judged: ${readable}`, { path: '/texts' });
  const session = sessionNamed('litellm', asked.litellm_trace_id ?? asked.litellm_call_id);
  if (input_type === 'request') return [{ phase: 'PROMPT', input: content, ...session }];
  const calls = actionsOf(tool_calls ?? [], '/tool_calls').map((input) => ({ input, ...session }));
  return [{ input: { tool: 'model.output', ...content }, ...session }, ...calls];
}

/**
 * The messages with null for each of the texts, which are evaluated already. LiteLLM takes no texts from some members, such as
 * `function_call`.
 */
function without(value: unknown, texts: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return texts.has(value) ? null : value;
  if (Array.isArray(value)) return value.map((one) => without(one, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, texts)]));
}
