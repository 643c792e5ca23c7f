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
  tool_calls: objects,
  litellm_call_id: optional(Type.String()),
  litellm_trace_id: optional(Type.String()),
  model: optional(Type.String()),
});
export type GuardrailRequest = Static<typeof GuardrailRequest>;

export const GuardrailResponse = Type.Object({
  action: Type.Unsafe<'NONE' | 'BLOCKED'>({ type: 'string', enum: ['NONE', 'BLOCKED'] }),
  blocked_reason: Type.Optional(Type.String()),
});
