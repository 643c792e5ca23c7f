import {
  PromptGuardAction,
  PromptGuardRequest,
  PromptGuardResponse,
} from '../../../schemas/gateways/agentgateway.ts';
import type { Evaluations } from '../../../services/evaluations.ts';
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
      return actionOf(await decide(evaluations, request, { phase: 'PROMPT', input: { messages } }));
    },
  );

  app.post(
    '/response',
    { config, schema: { hide: true, body: PromptGuardResponse, response: { 200: PromptGuardAction } } },
    async (request) => {
      const messages = request.body.body.choices.map(({ message }) => message);
      return actionOf(await decide(evaluations, request, { input: { tool: 'model.output', messages } }));
    },
  );
}

const actionOf = ({ allowed, reason }: GatewayDecision) => ({
  action: allowed ? { reason: reason || 'allowed' } : { reason, body: reason, status_code: 403 },
});
