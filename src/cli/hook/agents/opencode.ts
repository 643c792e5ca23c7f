import { type Agent, pass } from './agent.ts';

/** opencode: the plugin that `install` writes sends events in the form of Claude Code, and reads `stop` and `warning`. */
export const opencode: Agent = {
  read: ({
    hook_event_name,
    session_id,
    cwd,
    tool_name,
    tool_input,
    tool_use_id,
    tool_response,
    prompt,
  }) => ({
    hook_event_name,
    session_id,
    cwd,
    tool_name,
    tool_input,
    tool_use_id,
    tool_response,
    prompt,
  }),
  write({ stop, warning }) {
    if (stop !== null) return { stdout: { stop }, exitCode: 0 };
    return warning === null ? pass : { stdout: { warning }, exitCode: 0 };
  },
};
