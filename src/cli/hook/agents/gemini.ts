import { type Agent, callId, eventOf, pass } from './agent.ts';

/**
 * Gemini CLI: https://geminicli.com/docs/hooks/reference. It gives calls no id. A denied AfterTool replaces the result with
 * the reason; a denied BeforeAgent drops the prompt. There is no `ask`.
 */
export const gemini: Agent = {
  read(payload) {
    const event = eventOf(
      {
        BeforeTool: 'PreToolUse',
        AfterTool: 'PostToolUse',
        BeforeAgent: 'UserPromptSubmit',
        SessionEnd: 'SessionEnd',
        SessionStart: null,
        AfterAgent: null,
        Notification: null,
        PreCompress: null,
      },
      payload.hook_event_name,
      'gemini-cli',
    );
    if (event === null) return null;
    const { session_id, cwd, tool_name, tool_input, tool_response, prompt } = payload;
    const base = { hook_event_name: event, session_id, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    if (event === 'SessionEnd') return base;
    return { ...base, tool_name, tool_input, tool_use_id: callId(payload), tool_response };
  },

  write({ event, payload, stop, warning }) {
    if (stop !== null) {
      const denied = { decision: 'deny', reason: stop };
      return event === null ? { stdout: denied, stderr: stop, exitCode: 2 } : { stdout: denied, exitCode: 0 };
    }
    if (warning === null) return pass;
    const tells = event === 'PostToolUse' || event === 'UserPromptSubmit';
    const hookSpecificOutput = { hookEventName: payload.hook_event_name, additionalContext: warning };
    return { stdout: { systemMessage: warning, ...(tells && { hookSpecificOutput }) }, exitCode: 0 };
  },
};
