import type { Evaluations } from '../../evaluate/evaluate.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { EvaluateRequest } from '../../schemas/evaluations.ts';
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
      const reason = await blockOfEveryCall(evaluations, caller, request, identityToken);
      decided.push({ name, allowed: reason === null, reason });
    }
    return { tools: decided };
  },
});

/** Why every call of the tool that the request names would be blocked, whatever its arguments are; null when not every one would be. */
export async function blockOfEveryCall(
  evaluations: Evaluations,
  caller: IntegrationCaller,
  request: EvaluateRequest,
  identityToken: string | null,
): Promise<string | null> {
  const { data } = await evaluations.evaluate(caller, request, {
    transport: 'REST',
    redact: false,
    idempotencyKey: null,
    text: stringifyJson(request),
    identityToken,
    previews: true,
  });
  const blocks = data.violations.filter(
    ({ mode, enforcementAction }) => mode !== 'MONITOR' && enforcementAction === 'BLOCK',
  );
  return blocks.length === 0 ? null : blocks.map(({ message }) => message).join('; ');
}
