import { type Agent, callId, eventOf, exitTwo, type Payload, pass } from './agent.ts';

/**
 * Agents in VS Code: https://code.visualstudio.com/docs/agents/reference/hooks-reference. Its fields are those of Claude Code,
 * some of them in camel case. Its sessions run in the harness Copilot, which has `tool_result` and reads `decision` about a prompt,
 * or in the older Local, which has `tool_response` and reads `continue`. `ask` is not sent: what it does depends on the approval
 * settings of the editor.
 */
export const vscode: Agent = {
  read(payload) {
    const event = eventOf(
      {
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        PostToolUseFailure: 'PostToolUseFailure',
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
    const { session_id, sessionId, cwd, tool_name, tool_input, tool_use_id, error, prompt } = payload;
    const base = { hook_event_name: event, session_id: session_id ?? sessionId, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    const call = { ...base, tool_name, tool_input, tool_use_id: tool_use_id ?? callId(payload) };
    if (event === 'PostToolUseFailure') return { ...call, error };
    const { tool_result, tool_response = (tool_result as Payload | undefined)?.text_result_for_llm } =
      payload;
    return { ...call, tool_response: tool_response ?? tool_result };
  },

  write({ event, stop, warning, output }) {
    if (stop === null && warning === null) return pass;
    // Copilot's harness reads the field beside the form of Claude Code, which it reads of actions only.
    if (stop === null) {
      const context = event === 'PreToolUse' ? {} : { additionalContext: warning };
      return { stdout: { ...output, ...context }, exitCode: 0 };
    }
    if (event === null) return exitTwo(stop);
    // After a failed tool the harness Copilot reads the reason nowhere else.
    if (event === 'PostToolUseFailure')
      return { stdout: { ...output, additionalContext: stop }, exitCode: 0 };
    if (event !== 'UserPromptSubmit') return { stdout: output, exitCode: 0 };
    return { stdout: { continue: false, stopReason: stop, decision: 'block', reason: stop }, exitCode: 0 };
  },
};
