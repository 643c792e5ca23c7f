import type { Gate, GateSession } from '../client/index.ts';
import { withheld } from './claude-withheld.ts';
import { createStartedCalls } from './started-calls.ts';

// The used part of `@anthropic-ai/claude-agent-sdk`, with some fields of each event.
interface Conversation {
  session_id: string;
  agent_id?: string;
}
interface Call {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
}
interface Event extends Conversation, Partial<Call> {
  prompt?: unknown;
  tool_response?: unknown;
  error?: unknown;
}
type Hook = (event: Event, id: string | undefined, options: { signal: AbortSignal }) => Promise<object>;
type Matchers = { hooks: Hook[]; timeout: number; onFailure: 'block' }[];

export interface ClaudeAgentOptions {
  /** The session of an event; default: the one named as the SDK's session. */
  session?(event: Conversation): GateSession;
  /** Seconds that all hooks of an event have; default 60. More is needed by a gate that waits for reviewers. */
  timeout?: number;
}

/** `hooks` for the options of `query`: evaluates prompts, calls of tools and their results. */
export function createHooks(gate: Gate, options: ClaudeAgentOptions = {}) {
  const { session = ({ session_id }) => ({ externalSessionId: session_id }), timeout = 60 } = options;
  const calls = createStartedCalls<string>();

  const nameOf = ({ session_id, tool_use_id }: Event) => `${session_id} ${tool_use_id}`;

  const prompt: Hook = async (event, _, { signal }) => {
    const asked = { phase: 'PROMPT', input: event.prompt } as const;
    const { action, message } = await gate({ ...asked, ...session(event), signal });
    return action === 'proceed' ? {} : { decision: 'block', reason: message };
  };

  const before: Hook = async (event, _, { signal }) => {
    const { tool_name: tool, tool_input: input } = event as Event & Call;
    const { action, evaluation, message } = await gate({ tool, input, ...session(event), signal });
    if (action === 'proceed' && evaluation !== null) {
      calls.put(gate, nameOf(event), evaluation.evaluationRunId);
      return {};
    }
    return hookOutput('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: message });
  };

  const after: Hook = async (event, _, { signal }) => {
    const { tool_name, tool_response, error } = event as Event & Call;
    const resultOf = calls.take(gate, nameOf(event));
    const status = error === undefined ? 'OK' : 'FAILED';
    const result = { phase: 'RESULT', status, input: tool_response ?? error } as const;
    const known = resultOf === undefined ? {} : { resultOf };
    const { action, message } = await gate({ ...result, ...known, ...session(event), signal });
    if (action === 'proceed') return {};
    const stopped = { decision: 'block', reason: message };
    if (status === 'FAILED') return stopped;
    const updatedToolOutput = withheld(tool_name, tool_response, message);
    return { ...stopped, ...hookOutput('PostToolUse', { updatedToolOutput }) };
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
