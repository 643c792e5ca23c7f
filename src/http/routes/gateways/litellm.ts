import { isDeepStrictEqual } from 'node:util';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import { GuardrailRequest, GuardrailResponse } from '../../../schemas/gateways/litellm.ts';
import type { Evaluations } from '../../../services/evaluations.ts';
import type { Scope } from '../../scope.ts';
import { decide, sessionNamed } from './decide.ts';

/** LiteLLM adds its own path to the `api_base` that it is given, which is `…/v1/guardrails/litellm`. */
export function litellmRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  app.post(
    '/guardrails/litellm/beta/litellm_basic_guardrail_api',
    {
      config: { callers: 'integration', scope: 'evaluate' },
      schema: { hide: true, body: GuardrailRequest, response: { 200: GuardrailResponse } },
    },
    async (request) => {
      const { allowed, reason, masked } = await decide(evaluations, request, requestOf(request.body));
      if (!allowed) return { action: 'BLOCKED' as const, blocked_reason: reason };
      const texts = masked?.texts as string[] | undefined;
      return texts === undefined || isDeepStrictEqual(texts, request.body.texts ?? [])
        ? { action: 'NONE' as const }
        : { action: 'GUARDRAIL_INTERVENED' as const, texts };
    },
  );
}

/** A request of a model is a PROMPT, with the `tools` that it is offered; what the model says is the action `model.output`, as in the AI SDK adapter. */
function requestOf(asked: GuardrailRequest): EvaluateRequest {
  const { input_type, texts, images, tools, tool_calls, model, litellm_trace_id, litellm_call_id } = asked;
  const content = {
    modelId: model ?? null,
    texts: texts ?? [],
    ...(images && images.length > 0 && { images }),
    ...(tools && tools.length > 0 && { tools }),
    ...(tool_calls && tool_calls.length > 0 && { toolCalls: tool_calls }),
  };
  const session = sessionNamed('litellm', litellm_trace_id ?? litellm_call_id);
  return input_type === 'request'
    ? { phase: 'PROMPT', input: content, ...session }
    : { input: { tool: 'model.output', ...content }, ...session };
}
