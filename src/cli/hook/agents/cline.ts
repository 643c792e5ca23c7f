import { type Agent, callId, eventOf, type Payload, pass } from './agent.ts';

/**
 * Cline: https://docs.cline.bot/features/hooks/hook-reference. A hook is an executable of the event's name. `cancel` stops the
 * task, and the model reads `errorMessage`; a result that was shown cannot be replaced.
 */
export const cline: Agent = {
  read(payload) {
    const event = eventOf(
      {
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        UserPromptSubmit: 'UserPromptSubmit',
        TaskComplete: 'SessionEnd',
        TaskCancel: 'SessionEnd',
        TaskStart: null,
        TaskResume: null,
        PreCompact: null,
      },
      payload.hookName,
      'cline',
    );
    if (event === null) return null;
    const [cwd] = Array.isArray(payload.workspaceRoots) ? payload.workspaceRoots : [];
    const base = { hook_event_name: event, session_id: payload.taskId, cwd };
    if (event === 'SessionEnd') return base;
    if (event === 'UserPromptSubmit') return { ...base, prompt: member(payload, 'userPromptSubmit').prompt };
    const about = member(payload, event === 'PreToolUse' ? 'preToolUse' : 'postToolUse');
    const call = { tool_name: about.toolName, tool_input: about.parameters };
    const action = { ...base, ...call, tool_use_id: callId(call) };
    if (event === 'PreToolUse') return action;
    return about.success === false
      ? { ...action, hook_event_name: 'PostToolUseFailure', error: about.result }
      : { ...action, tool_response: about.result };
  },

  write({ stop, warning }) {
    if (stop !== null) return { stdout: { cancel: true, errorMessage: stop }, exitCode: 0 };
    return warning === null ? pass : { stdout: { cancel: false, contextModification: warning }, exitCode: 0 };
  },

  cannotStart: { stdout: { cancel: true, errorMessage: 'assize: the hook could not run' }, exitCode: 0 },
};

const member = (payload: Payload, name: string): Payload => {
  const value = payload[name];
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
};
