import { type Agent, callId, eventOf, exitTwo, type Payload, pass } from './agent.ts';

/**
 * Windsurf: https://docs.windsurf.com/windsurf/cascade/hooks. Each kind of action has its own event. Exit code 2 stops what is
 * still to come; only results of MCP tools are reported, and none can be stopped.
 */
export const windsurf: Agent = {
  read(payload) {
    const name = payload.agent_action_name;
    const event = eventOf(
      {
        pre_read_code: 'PreToolUse',
        pre_write_code: 'PreToolUse',
        pre_run_command: 'PreToolUse',
        pre_mcp_tool_use: 'PreToolUse',
        pre_user_prompt: 'UserPromptSubmit',
        post_mcp_tool_use: 'PostToolUse',
        post_read_code: null,
        post_write_code: null,
        post_run_command: null,
        post_cascade_response: null,
        post_setup_worktree: null,
      },
      name,
      'windsurf',
    );
    if (event === null) return null;
    const info = (
      typeof payload.tool_info === 'object' && payload.tool_info !== null ? payload.tool_info : {}
    ) as Payload;
    const base = { hook_event_name: event, session_id: payload.trajectory_id, cwd: info.cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt: info.user_prompt };
    const { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments, mcp_result } = info;
    const isNamed = typeof server === 'string' && typeof tool === 'string';
    const call = String(name).endsWith('mcp_tool_use')
      ? { tool_name: isNamed ? `mcp__${server}__${tool}` : undefined, tool_input: mcp_tool_arguments ?? {} }
      : { tool_name: String(name).slice('pre_'.length), tool_input: info };
    const action = { ...base, ...call, tool_use_id: callId(call) };
    return event === 'PostToolUse' ? { ...action, tool_response: mcp_result } : action;
  },

  write: ({ stop }) => (stop === null ? pass : exitTwo(stop)),
};
