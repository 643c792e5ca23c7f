import { type Agent, callId, eventOf, exitTwo, pass } from './agent.ts';

/**
 * Agents in VS Code: https://code.visualstudio.com/docs/agents/reference/hooks-reference. Its fields are those of Claude Code,
 * some of them in camel case. `ask` is not sent: what it does depends on the approval settings of the editor.
 */
export const vscode: Agent = {
  read(payload) {
    const event = eventOf(
      {
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        UserPromptSubmit: 'UserPromptSubmit',
        SessionStart: null,
        Stop: null,
        SubagentStart: null,
        SubagentStop: null,
        PreCompact: null,
      },
      payload.hook_event_name ?? payload.hookEventName,
      'vscode',
    );
    if (event === null) return null;
    const { session_id, sessionId, cwd, tool_name, tool_input, tool_use_id, tool_response, prompt } = payload;
    const base = { hook_event_name: event, session_id: session_id ?? sessionId, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    return { ...base, tool_name, tool_input, tool_use_id: tool_use_id ?? callId(payload), tool_response };
  },

  write({ event, stop, warning, output }) {
    if (stop === null) return warning === null ? pass : { stdout: output, exitCode: 0 };
    if (event === null) return exitTwo(stop);
    if (event === 'UserPromptSubmit') return { stdout: { continue: false, stopReason: stop }, exitCode: 0 };
    return { stdout: output, exitCode: 0 };
  },
};
