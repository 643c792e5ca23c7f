import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { Scope } from '../../scope.ts';
import { decide, type GatewayDecision } from './decide.ts';

/** Text, or parts of several kinds. */
const message = Type.Object({ role: Type.String(), content: Type.Unknown() });

/** agentgateway's guardrail webhook (https://agentgateway.dev/docs/standalone/latest/llm/prompt-guards/webhooks/). */
const PromptGuardRequest = Type.Object({
  body: Type.Object({ messages: Type.Array(message) }),
});
const PromptGuardResponse = Type.Object({
  body: Type.Object({ choices: Type.Array(Type.Object({ message })) }),
});

/**
 * Passes when it has only a reason; rejects with a text and a status code; replaces what was sent with messages or choices of the
 * same form.
 */
const PromptGuardAction = Type.Object({
  action: Type.Object({
    reason: Type.String(),
    body: Type.Optional(Type.Unknown()),
    status_code: Type.Optional(Type.Integer()),
  }),
});

const config = { callers: 'integration', scope: 'evaluate' } as const;

/** The paths are agentgateway's: it is told a host only. It names no conversation, so there is no session. */
export function agentgatewayRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  app.post(
    '/request',
    { config, schema: { hide: true, body: PromptGuardRequest, response: { 200: PromptGuardAction } } },
    async (request) => {
      const { messages } = request.body.body;
      const decided = await decide(evaluations, request, { phase: 'PROMPT', input: { messages } });
      return actionOf(decided, messages, (masked) => ({ messages: masked }));
    },
  );

  app.post(
    '/response',
    { config, schema: { hide: true, body: PromptGuardResponse, response: { 200: PromptGuardAction } } },
    async (request) => {
      const messages = request.body.body.choices.map(({ message }) => message);
      const decided = await decide(evaluations, request, { input: { tool: 'model.output', messages } });
      return actionOf(decided, messages, (masked) => ({ choices: masked.map((message) => ({ message })) }));
    },
  );
}

/** `bodyOf`: masked messages in the form in which agentgateway sent them. */
function actionOf(
  { allowed, reason, masked }: GatewayDecision,
  messages: readonly unknown[],
  bodyOf: (masked: readonly unknown[]) => object,
) {
  if (!allowed) return { action: { reason, body: reason, status_code: 403 } };
  const passed = { reason: reason || 'allowed' };
  return masked === null || isDeepStrictEqual(masked.messages, messages)
    ? { action: passed }
    : { action: { ...passed, body: bodyOf(masked.messages as unknown[]) } };
}
