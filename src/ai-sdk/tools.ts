import type { Tool, ToolSet } from 'ai';
import { createGateRuns, type GateRuns } from '../client/gate-request.ts';
import type { Gate, GateResult, RunRequest } from '../client/index.ts';
import { toolContent } from './content.ts';

type Execute = NonNullable<Tool['execute']>;
type RunsOf = Approvals['runsOf'];

/**
 * The same tools, evaluated before they run, and their results before the model sees them. A tool that is stopped, or whose
 * result is, fails with AssizeStoppedError, whose message the model reads in place of the result. Tools without `execute`
 * run elsewhere, and must be evaluated there.
 */
export function guardTools<Tools extends ToolSet>(runsOf: RunsOf, tools: Tools): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(runsOf, name, tool)] as const);
  return Object.fromEntries(guarded) as Tools;
}

function guardTool<T extends ToolSet[string]>(runsOf: RunsOf, name: string, tool: T): T {
  const execute = tool.execute?.bind(tool) as Execute | undefined;
  if (!execute) return tool;
  const request = (input: unknown, { abortSignal }: Parameters<Execute>[1]): RunRequest => ({
    tool: name,
    input,
    signal: abortSignal,
    // The middleware evaluates the text that a conversion makes of the result.
    messageOf: tool.toModelOutput ? undefined : (value, status) => toolContent(name, outputOf(value, status)),
  });
  return { ...tool, execute: guarded(runsOf, execute, request) };
}

/** The part of a result that the model sees. */
function outputOf(value: unknown, status: 'OK' | 'FAILED'): object {
  if (status === 'FAILED') return { type: 'error-text', value };
  return { type: typeof value === 'string' ? 'text' : 'json', value: value ?? null };
}

function guarded(
  runsOf: RunsOf,
  execute: Execute,
  request: (...call: Parameters<Execute>) => RunRequest,
): Execute {
  if (execute.constructor.name !== 'AsyncGeneratorFunction') {
    return (...call) =>
      runsOf(call[1].toolCallId).run(request(...call), async () => lastOf(await execute(...call)));
  }
  return async function* (...call) {
    const action = await runsOf(call[1].toolCallId).start(request(...call));
    let last: unknown;
    try {
      for await (const step of execute(...call) as AsyncIterable<unknown>) {
        last = step;
        yield step;
      }
    } catch (error) {
      await action.threw(error);
      throw error;
    }
    await action.returned(last);
  };
}

/** The result of a tool that returns several steps is the last one. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const step of result as AsyncIterable<unknown>) last = step;
  return last;
}

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
