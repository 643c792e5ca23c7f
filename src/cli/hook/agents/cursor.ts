import { type Agent, callId, eventOf, exitTwo, pass } from './agent.ts';

/**
 * Cursor: https://cursor.com/docs/agent/hooks. `preToolUse` comes before every tool. What a hook returns after one replaces
 * only results of MCP tools. `ask` is not honoured by preToolUse. `timeout` in its settings is in seconds (https://cursor.com/docs/hooks).
 */
export const cursor: Agent = {
  read(payload) {
    const event = eventOf(
      {
        preToolUse: 'PreToolUse',
        postToolUse: 'PostToolUse',
        postToolUseFailure: 'PostToolUseFailure',
        beforeSubmitPrompt: 'UserPromptSubmit',
        sessionEnd: 'SessionEnd',
        sessionStart: null,
        stop: null,
        preCompact: null,
        afterAgentResponse: null,
        afterAgentThought: null,
      },
      payload.hook_event_name,
      'cursor',
    );
    if (event === null) return null;
    const { conversation_id, session_id, cwd, tool_name, tool_input, tool_use_id, tool_output, prompt } =
      payload;
    const base = { hook_event_name: event, session_id: conversation_id ?? session_id, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    if (event === 'SessionEnd') return base;
    const call = { ...base, tool_name, tool_input, tool_use_id: tool_use_id ?? callId(payload) };
    return event === 'PostToolUseFailure'
      ? { ...call, error: payload.error_message }
      : { ...call, tool_response: tool_output };
  },

  write({ event, payload, stop, warning }) {
    if (stop === null) {
      if (warning === null) return pass;
      return {
        stdout: event === 'PostToolUse' ? { additional_context: warning } : { agent_message: warning },
        exitCode: 0,
      };
    }
    switch (event) {
      case 'PreToolUse':
        return { stdout: { permission: 'deny', user_message: stop, agent_message: stop }, exitCode: 0 };
      case 'UserPromptSubmit':
        return { stdout: { continue: false, user_message: stop }, exitCode: 0 };
      case 'PostToolUse': {
        const withheld = String(payload.tool_name).startsWith('MCP:') && {
          updated_mcp_tool_output: { error: stop },
        };
        return { stdout: { additional_context: stop, ...withheld }, exitCode: 0 };
      }
      case 'PostToolUseFailure':
        return { stdout: { additional_context: stop }, exitCode: 0 };
      default:
        return { ...exitTwo(stop), stdout: { permission: 'deny', continue: false, user_message: stop } };
    }
  },
};
