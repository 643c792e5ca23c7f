import { type Static, Type } from '@sinclair/typebox';
import { JsonObject } from '../values.ts';

const optional = <T extends ReturnType<typeof Type.String>>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]));
const texts = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));
const objects = Type.Optional(Type.Union([Type.Array(JsonObject), Type.Null()]));

/**
 * LiteLLM's Generic Guardrail API (https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api). It is a beta: other
 * members are allowed.
 */
export const GuardrailRequest = Type.Object({
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
export type GuardrailRequest = Static<typeof GuardrailRequest>;

const actions = ['NONE', 'BLOCKED', 'GUARDRAIL_INTERVENED'] as const;

/** `texts`: what takes the place of the texts of the request, in their order. */
export const GuardrailResponse = Type.Object({
  action: Type.Unsafe<(typeof actions)[number]>({ type: 'string', enum: actions }),
  blocked_reason: Type.Optional(Type.String()),
  texts: Type.Optional(Type.Array(Type.String())),
});
