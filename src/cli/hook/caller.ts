/**
 * What is known about the agent that runs the hook. Other agents accept the hooks of Claude Code and send the same
 * fields, but ignore or reject parts of the output, and then run the tool: only a caller that is recognised gets them.
 */
export interface Caller {
  /** Whether it is Claude Code, which honours `allow` and `updatedToolOutput`. */
  claudeCode: boolean;
  /** Whether it shows a prompt for `ask`, and waits for the person's response. */
  honoursAsk: boolean;
}

/**
 * Claude Code runs an asked tool without a prompt under `auto` and `bypassPermissions` (anthropics/claude-code issues
 * 51255 and 77212).
 */
const askingModes: ReadonlySet<unknown> = new Set(['default', 'acceptEdits', 'plan']);

/**
 * Claude Code names the prompt (`prompt_id`) in every event of a turn. Codex sends `turn_id` and `model` instead; it
 * fails on `ask` and runs the tool (openai/codex issues 28437 and 21753).
 */
export function callerOf(payload: Readonly<Record<string, unknown>>): Caller {
  const claudeCode =
    typeof payload.prompt_id === 'string' && payload.turn_id === undefined && payload.model === undefined;
  return { claudeCode, honoursAsk: claudeCode && askingModes.has(payload.permission_mode) };
}
