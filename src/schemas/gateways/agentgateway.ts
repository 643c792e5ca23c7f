import { Type } from '@sinclair/typebox';

/** Text, or parts of several kinds. */
const message = Type.Object({ role: Type.String(), content: Type.Unknown() });

/** agentgateway's guardrail webhook (https://agentgateway.dev/docs/standalone/latest/llm/prompt-guards/webhooks/). */
export const PromptGuardRequest = Type.Object({
  body: Type.Object({ messages: Type.Array(message) }),
});
export const PromptGuardResponse = Type.Object({
  body: Type.Object({ choices: Type.Array(Type.Object({ message })) }),
});

/**
 * Passes when it has only a reason; rejects with a text and a status code; replaces what was sent with messages or choices of the
 * same form.
 */
export const PromptGuardAction = Type.Object({
  action: Type.Object({
    reason: Type.String(),
    body: Type.Optional(Type.Unknown()),
    status_code: Type.Optional(Type.Integer()),
  }),
});
