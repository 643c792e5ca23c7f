import type { Gate, GateSession } from '../client/index.ts';
import { withheld } from './claude-withheld.ts';
import { createStartedCalls } from './started-calls.ts';

// What is used of `@anthropic-ai/claude-agent-sdk`.
interface Input {
  session_id: string;
  agent_id?: string;
}
interface ToolInput extends Input {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
}
// biome-ignore lint/suspicious/noExplicitAny: the SDK gives each hook the input of its event
type Hook = (input: any, id: string | undefined, options: { signal: AbortSignal }) => Promise<object>;
type Matchers = { hooks: Hook[]; timeout: number; onFailure: 'block' }[];

export interface ClaudeAgentOptions {
  /** The session of an event; default: the one named as the SDK's session. */
  session?(input: Input): GateSession;
  /** Seconds that all hooks of an event have; default 60. More is needed by a gate that waits for reviewers. */
  timeout?: number;
}

/** `hooks` for the options of `query`: evaluates prompts, calls of tools and their results. */
export function createHooks(gate: Gate, options: ClaudeAgentOptions = {}) {
  const { session = ({ session_id }) => ({ externalSessionId: session_id }), timeout = 60 } = options;
  const calls = createStartedCalls<string>();

  const prompt: Hook = async (input: Input & { prompt: string }, _, { signal }) => {
    const { action, message } = await gate({
      phase: 'PROMPT',
      input: input.prompt,
      ...session(input),
      signal,
    });
    return action === 'proceed' ? {} : { decision: 'block', reason: message };
  };

  const before: Hook = async (input: ToolInput, _, { signal }) => {
    const { tool_name: tool, tool_input, tool_use_id } = input;
    const decided = await gate({ tool, input: tool_input, ...session(input), signal });
    const run = decided.evaluation?.evaluationRunId;
    if (decided.action === 'proceed' && run !== undefined) {
      calls.put(gate, `${input.session_id} ${tool_use_id}`, run);
      return {};
    }
    return hookOutput('PreToolUse', {
      permissionDecision: 'deny',
      permissionDecisionReason: decided.message,
    });
  };

  const after: Hook = async (
    input: ToolInput & { tool_response?: unknown; error?: string },
    _,
    { signal },
  ) => {
    const { tool_response, error, session_id, tool_use_id } = input;
    const resultOf = calls.take(gate, `${session_id} ${tool_use_id}`);
    const { action, message } = await gate({
      phase: 'RESULT',
      ...(resultOf !== undefined && { resultOf }),
      status: error === undefined ? 'OK' : 'FAILED',
      input: tool_response ?? error,
      ...session(input),
      signal,
    });
    if (action === 'proceed') return {};
    const updatedToolOutput = withheld(input.tool_name, tool_response, message);
    return {
      decision: 'block',
      reason: message,
      ...(error === undefined && hookOutput('PostToolUse', { updatedToolOutput })),
    };
  };

  // A hook that fails stops what it guards.
  const matchers = (hook: Hook): Matchers => [{ hooks: [hook], timeout, onFailure: 'block' }];
  return {
    UserPromptSubmit: matchers(prompt),
    PreToolUse: matchers(before),
    PostToolUse: matchers(after),
    PostToolUseFailure: matchers(after),
  };
}

const hookOutput = (hookEventName: string, output: object) => ({
  hookSpecificOutput: { hookEventName, ...output },
});
