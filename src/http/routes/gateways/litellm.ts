import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../../errors.ts';
import { readToolCall } from '../../../evaluate/action.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import { JsonObject } from '../../../schemas/values.ts';
import type { Scope } from '../../scope.ts';
import { decideEach, sessionNamed } from './decide.ts';

const optional = <T extends ReturnType<typeof Type.String>>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]));
const texts = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));
const objects = Type.Optional(Type.Union([Type.Array(JsonObject), Type.Null()]));

/**
 * LiteLLM's Generic Guardrail API (https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api). It is a beta: other
 * members are allowed.
 */
const GuardrailRequest = Type.Object({
  input_type: Type.Unsafe<'request' | 'response'>({ type: 'string', enum: ['request', 'response'] }),
  texts,
  images: texts,
  tools: objects,
  tool_calls: objects,
  structured_messages: objects,
  litellm_call_id: optional(Type.String()),
  litellm_trace_id: optional(Type.String()),
  model: optional(Type.String()),
});
type GuardrailRequest = Static<typeof GuardrailRequest>;

const actions = ['NONE', 'BLOCKED', 'GUARDRAIL_INTERVENED'] as const;

/** `texts`: what takes the place of the texts of the request, in their order. */
const GuardrailResponse = Type.Object({
  action: Type.Unsafe<(typeof actions)[number]>({ type: 'string', enum: actions }),
  blocked_reason: Type.Optional(Type.String()),
  texts: Type.Optional(Type.Array(Type.String())),
});

type Input = EvaluateRequest['input'];

/** Most calls in what a model says at once: each is an evaluation. */
const mostCalls = 100;

/**
 * The calls that a model asks for, as actions in the form in which adapters send theirs, so that one rule about a tool judges both.
 * `path`: where they are in the request. Throws
 * AppError for a call without a name, or with two, because no rule could see what it calls.
 */
export function actionsOf(calls: readonly object[], path: string): Input[] {
  if (calls.length > mostCalls)
    throw new AppError('invalid', `must not have more than ${mostCalls} calls`, { path });
  return calls.map((call, at) => readToolCall(call as Input, `${path}/${at}`));
}

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
