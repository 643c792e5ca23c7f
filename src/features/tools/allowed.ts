import type { Evaluations } from '../../evaluate/evaluate.ts';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import type { IntegrationCaller } from '../../services/access/authentication.ts';
import type { AllowedTools, AllowedToolsRequest } from './schema.ts';

export interface ToolFinder {
  /** The tools that a session may call now, for a list of them that a model reads. Nothing is recorded. */
  findAllowed(
    caller: IntegrationCaller,
    request: AllowedToolsRequest,
    identityToken: string | null,
  ): Promise<AllowedTools>;
}

export const createToolFinder = (evaluations: Evaluations): ToolFinder => ({
  findAllowed: async (caller, { tools, ...session }, identityToken) => {
    const decided: AllowedTools['tools'] = [];
    // One after another: a list of tools must not keep the calls of others waiting.
    for (const { name, mcp } of tools) {
      const request = { input: { tool: name, arguments: {}, ...(mcp && { mcp }) }, ...session };
      const { data } = await evaluations.evaluate(caller, request, {
        transport: 'REST',
        redact: false,
        idempotencyKey: null,
        text: JSON.stringify(request),
        identityToken,
        previews: true,
      });
      const blocks = data.violations.filter(isBlock);
      const reason = blocks.map(({ message }) => message).join('; ');
      decided.push({ name, allowed: blocks.length === 0, reason: blocks.length === 0 ? null : reason });
    }
    return { tools: decided };
  },
});

export const isBlock = ({ mode, enforcementAction }: EvaluateResult['violations'][number]): boolean =>
  mode !== 'MONITOR' && enforcementAction === 'BLOCK';
