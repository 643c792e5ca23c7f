/** The events that the hook evaluates. */
const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionEnd',
] as const;
export type HookEvent = (typeof hookEvents)[number];
const known: ReadonlySet<string> = new Set(hookEvents);
export const isHookEvent = (event: string): event is HookEvent => known.has(event);

/** Events of Claude Code, Codex and Gemini CLI that start nothing and show the model nothing. They pass. */
const harmless: ReadonlySet<string> = new Set([
  'AfterAgent',
  'ConfigChange',
  'CwdChanged',
  'FileChanged',
  'InstructionsLoaded',
  'Notification',
  'PostCompact',
  'PreCompact',
  'PreCompress',
  'SessionStart',
  'Setup',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'TaskCompleted',
  'TaskCreated',
  'TeammateIdle',
  'WorktreeCreate',
  'WorktreeRemove',
]);
export const isHarmless = (event: string): boolean => harmless.has(event);
