import { type Agent, callId, eventOf, exitTwo, pass } from './agent.ts';

/**
 * Kiro CLI: https://kiro.dev/docs/cli/hooks. Exit code 2 stops a tool, and its model reads standard error; prompts and results
 * cannot be stopped. Some versions name no session: then a folder is one conversation.
 */
export const kiro: Agent = {
  read(payload) {
    const event = eventOf(
      {
        preToolUse: 'PreToolUse',
        postToolUse: 'PostToolUse',
        userPromptSubmit: 'UserPromptSubmit',
        agentSpawn: null,
        stop: null,
      },
      payload.hook_event_name,
      'kiro',
    );
    if (event === null) return null;
    const { session_id, cwd, tool_name, tool_input, tool_response, prompt } = payload;
    const base = { hook_event_name: event, session_id: session_id ?? `kiro ${cwd}`.slice(0, 255), cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    return { ...base, tool_name, tool_input, tool_use_id: callId(payload), tool_response };
  },

  write({ stop, warning }) {
    if (stop !== null) return exitTwo(stop);
    // Kiro reads standard output as text for the model.
    return warning === null ? pass : { stdout: { warning }, exitCode: 0 };
  },
};
