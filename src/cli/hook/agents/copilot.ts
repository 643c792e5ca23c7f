import { parseForWriting } from '../../../json/parse.ts';
import { HookInputError } from '../input-error.ts';
import { type Agent, callId, type Payload, pass } from './agent.ts';

/**
 * GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference. The input does
 * not name its event. `ask` is honoured only where somebody sits at the terminal, so it is never sent. Only a failed tool has
 * an `error`, which its model reads whatever the hook returns.
 */
export const copilot: Agent = {
  read(payload) {
    const { sessionId: session_id, cwd, toolName: tool_name, toolResult, error, prompt } = payload;
    const base = { session_id, cwd };
    if (tool_name === undefined) {
      if (typeof prompt === 'string') return { ...base, hook_event_name: 'UserPromptSubmit', prompt };
      if ('reason' in payload) return { ...base, hook_event_name: 'SessionEnd' };
      throw new HookInputError(
        'assize hook copilot evaluates preToolUse, postToolUse, postToolUseFailure, userPromptSubmitted and sessionEnd, and this input is of none of them',
      );
    }
    const call = { tool_name, tool_input: parsed(payload.toolArgs) };
    const action = { ...base, ...call, tool_use_id: callId(call) };
    if (error !== undefined) return { ...action, hook_event_name: 'PostToolUseFailure', error };
    if (toolResult === undefined) return { ...action, hook_event_name: 'PreToolUse' };
    const { resultType, textResultForLlm } = (toolResult ?? {}) as Payload;
    return resultType === 'success'
      ? { ...action, hook_event_name: 'PostToolUse', tool_response: textResultForLlm ?? toolResult }
      : { ...action, hook_event_name: 'PostToolUseFailure', error: textResultForLlm ?? toolResult };
  },

  write({ event, stop, warning }) {
    if (stop === null)
      return warning === null ? pass : { stdout: { additionalContext: warning }, exitCode: 0 };
    if (event === 'PostToolUse' || event === 'PostToolUseFailure') {
      const modifiedResult = { resultType: 'failure', textResultForLlm: stop };
      return { stdout: { modifiedResult, additionalContext: stop }, exitCode: 0 };
    }
    if (event === 'UserPromptSubmit')
      return { stdout: { decision: 'block', reason: stop }, stderr: stop, exitCode: 2 };
    return denied(stop, event === null ? 2 : 0);
  },

  cannotStart: {
    stdout: { permissionDecision: 'deny', permissionDecisionReason: 'assize: the hook could not run' },
    exitCode: 2,
  },
};

const denied = (reason: string, exitCode: 0 | 2) => ({
  stdout: { permissionDecision: 'deny', permissionDecisionReason: reason },
  stderr: reason,
  exitCode,
});

/** Some versions send the arguments as JSON text. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return parseForWriting(args);
  } catch {
    return args;
  }
}
