import { createGateRuns, type GateRuns } from '../client/gate-run.ts';
import type { Gate, GateResult } from '../client/index.ts';

interface ToolCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
}
type ApprovalStatus = undefined | { type: 'denied' | 'user-approval'; reason: string };

export interface Approvals {
  /** `toolApproval` of the AI SDK. */
  toolApproval(asked: { toolCall: ToolCall }): Promise<ApprovalStatus>;
  /** The runs of a call: one that `toolApproval` let through, with the same arguments, is not evaluated again. */
  runsOf(toolCallId: string): GateRuns;
}

/** Calls that were let through and did not run are dropped beyond this number: they are then evaluated when they run. */
const mostCalls = 1_000;

export function createApprovals(gate: Gate): Approvals {
  const letThrough = new Map<string, GateResult>();
  const nameOf = (id: string, tool: unknown, input: unknown) => JSON.stringify([id, tool, input]);

  return {
    async toolApproval({ toolCall: { toolCallId, toolName, input } }) {
      const result = await gate({ tool: toolName, input });
      if (result.action === 'hold') return { type: 'user-approval', reason: result.message };
      if (result.action !== 'proceed') return { type: 'denied', reason: result.message };
      letThrough.set(nameOf(toolCallId, toolName, input), result);
      for (const oldest of letThrough.keys()) {
        if (letThrough.size <= mostCalls) break;
        letThrough.delete(oldest);
      }
      return undefined;
    },

    runsOf: (toolCallId) =>
      createGateRuns(async (request) => {
        if (request.phase === 'RESULT') return gate(request);
        const name = nameOf(toolCallId, request.tool, request.input);
        const known = letThrough.get(name);
        letThrough.delete(name);
        request.signal?.throwIfAborted();
        return known ?? gate(request);
      }),
  };
}
