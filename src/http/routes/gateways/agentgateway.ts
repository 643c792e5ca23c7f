import { isDeepStrictEqual } from 'node:util';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import {
  PromptGuardAction,
  PromptGuardRequest,
  PromptGuardResponse,
} from '../../../schemas/gateways/agentgateway.ts';
import type { Scope } from '../../scope.ts';
import { decide, type GatewayDecision } from './decide.ts';

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
