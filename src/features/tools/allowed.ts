import type { Evaluations } from '../../evaluate/evaluate.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { EvaluateRequest } from '../../schemas/evaluations.ts';
import type { IntegrationCaller } from '../../services/access/authentication.ts';
import type { AllowedTools, AllowedToolsRequest, SeenTools, SeenToolsRequest } from './schema.ts';
import type { ToolCatalogues } from './service.ts';

export interface ToolFinder {
  /** The tools that a session may call now, for a list of them that a model reads. Nothing is recorded. */
  findAllowed(
    caller: IntegrationCaller,
    request: AllowedToolsRequest,
    identityToken: string | null,
  ): Promise<AllowedTools>;
  /** The same about the tools that an MCP server lists, whose definitions are kept and compared with those that were seen before. */
  see(caller: IntegrationCaller, request: SeenToolsRequest, identityToken: string | null): Promise<SeenTools>;
}

export const createToolFinder = (
  evaluations: Evaluations,
  catalogues: Pick<ToolCatalogues, 'see'>,
): ToolFinder => ({
  async see(caller, { server, tools, ...session }, identityToken) {
    const seen = await catalogues.see(caller.integration.id, { server, tools });
    const decided: SeenTools['tools'] = [];
    for (const { name, tool, refused, held, warnings } of seen) {
      const request = { input: { tool: name, arguments: {}, mcp: { server, tool } }, ...session };
      const blocked =
        refused ?? (await stopOfEveryCall(evaluations, caller, request, { known: 'tool', identityToken }));
      decided.push({
        name,
        allowed: blocked === null,
        held: held !== null,
        reason: blocked ?? held,
        warnings: [...warnings],
      });
    }
    return { tools: decided };
  },

  findAllowed: async (caller, { tools, ...session }, identityToken) => {
    const decided: AllowedTools['tools'] = [];
    // One after another: a list of tools must not keep the calls of others waiting.
    for (const { name, mcp } of tools) {
      const request = { input: { tool: name, arguments: {}, ...(mcp && { mcp }) }, ...session };
      const reason = await stopOfEveryCall(evaluations, caller, request, { known: 'tool', identityToken });
      decided.push({ name, allowed: reason === null, reason });
    }
    return { tools: decided };
  },
});

/**
 * Why every call of the tool that the request names would be stopped, whatever else it has than is known; null when not every one would
 * be. A call that is held counts only where its target is known: a list of tools for a model shows those that a reviewer may approve.
 */
export async function stopOfEveryCall(
  evaluations: Evaluations,
  caller: IntegrationCaller,
  request: EvaluateRequest,
  { known, identityToken }: { known: 'tool' | 'target'; identityToken: string | null },
): Promise<string | null> {
  const { data } = await evaluations.evaluate(caller, request, {
    transport: 'REST',
    redact: false,
    idempotencyKey: null,
    text: stringifyJson(request),
    identityToken,
    previews: known,
  });
  // An approval or a grant may let a held call through; nothing lets a blocked one through.
  const isHeld = known === 'target' && !letsThrough(data.enforcementAction);
  const stops = data.violations.filter(
    ({ mode, enforcementAction }) =>
      mode !== 'MONITOR' &&
      (enforcementAction === 'BLOCK' || (isHeld && enforcementAction === 'APPROVAL_REQUIRED')),
  );
  return stops.length === 0 ? null : stops.map(({ message }) => message).join('; ');
}
