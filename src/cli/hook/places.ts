import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentName } from './agents.ts';
import { openClawHooks, opencodeHooks, piHooks } from './plugins.ts';
import { claudeCodeHooks } from './settings.ts';

export interface SettingsPlace {
  project?: boolean;
  local?: boolean;
  claudeDir?: string;
  file?: string;
  yes?: boolean;
}

/** Where an agent keeps its hooks, and in which form. `timeoutUnit`: how many of it make a second. */
export type Place = (
  | { form: 'groups'; matchers: Readonly<Record<string, string | null>>; timeoutUnit: 1 | 1_000 }
  | {
      form: 'flat';
      events: readonly string[];
      entry: (command: string, seconds: number) => object;
      base: object;
    }
  | { form: 'scripts'; events: readonly string[] }
  | { form: 'plugin'; hooks: string }
  /** A folder beside the settings, which name it. */
  | { form: 'package'; hooks: string }
) & { own: string | null; project: string | null };

const home = (...parts: string[]): string => join(homedir(), ...parts);
const tools = { PreToolUse: '*', PostToolUse: '*' };

/** Sources: the pages named in `agents/`. */
export const places: Readonly<Record<AgentName, () => Place>> = {
  'claude-code': () => ({
    form: 'groups',
    matchers: claudeCodeHooks.matchers,
    timeoutUnit: 1,
    own: home('.claude', 'settings.json'),
    project: '.claude/settings.json',
  }),
  codex: () => ({
    form: 'groups',
    matchers: { ...tools, UserPromptSubmit: null },
    timeoutUnit: 1,
    own: home('.codex', 'hooks.json'),
    project: '.codex/hooks.json',
  }),
  'gemini-cli': () => ({
    form: 'groups',
    matchers: { BeforeTool: '*', AfterTool: '*', BeforeAgent: null, SessionEnd: null },
    timeoutUnit: 1_000,
    own: home('.gemini', 'settings.json'),
    project: '.gemini/settings.json',
  }),
  copilot: () => ({
    form: 'flat',
    events: [
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'userPromptSubmitted',
      'subagentStop',
      'sessionEnd',
    ],
    entry: (bash, timeoutSec) => ({ type: 'command', bash, timeoutSec }),
    base: { version: 1 },
    own: home('.copilot', 'hooks', 'assize.json'),
    project: '.github/hooks/assize.json',
  }),
  cursor: () => ({
    form: 'flat',
    events: ['preToolUse', 'postToolUse', 'postToolUseFailure', 'beforeSubmitPrompt', 'sessionEnd'],
    entry: (command, timeout) => ({ command, timeout, failClosed: true }),
    base: { version: 1 },
    own: home('.cursor', 'hooks.json'),
    project: '.cursor/hooks.json',
  }),
  vscode: () => ({
    form: 'flat',
    events: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SubagentStop'],
    entry: (command, timeout) => ({ type: 'command', command, timeout }),
    base: {},
    own: home('.copilot', 'hooks', 'assize-vscode.json'),
    project: '.github/hooks/assize-vscode.json',
  }),
  kiro: () => ({
    form: 'flat',
    events: ['preToolUse', 'postToolUse', 'userPromptSubmit'],
    entry: (command, seconds) => ({ matcher: '*', command, timeout_ms: seconds * 1_000 }),
    base: {},
    own: null,
    project: null,
  }),
  windsurf: () => ({
    form: 'flat',
    events: [
      'pre_read_code',
      'pre_write_code',
      'pre_run_command',
      'pre_mcp_tool_use',
      'post_mcp_tool_use',
      'pre_user_prompt',
    ],
    entry: (command) => ({ command, show_output: true }),
    base: {},
    own: home('.codeium', 'windsurf', 'hooks.json'),
    project: '.windsurf/hooks.json',
  }),
  cline: () => ({
    form: 'scripts',
    events: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'TaskComplete', 'TaskCancel', 'TaskError'],
    own: home('Documents', 'Cline', 'Hooks'),
    project: '.clinerules/hooks',
  }),
  'qwen-code': () => ({
    form: 'groups',
    matchers: claudeCodeHooks.matchers,
    // A number below 1,000 would be taken for seconds.
    timeoutUnit: 1_000,
    own: home('.qwen', 'settings.json'),
    project: '.qwen/settings.json',
  }),
  pi: () => ({
    form: 'plugin',
    hooks: piHooks,
    own: home('.pi', 'agent', 'extensions', 'assize.js'),
    project: '.pi/extensions/assize.js',
  }),
  openclaw: () => ({
    form: 'package',
    hooks: openClawHooks,
    own: home('.openclaw', 'openclaw.json'),
    project: null,
  }),
  opencode: () => ({
    form: 'plugin',
    hooks: opencodeHooks,
    own: home('.config', 'opencode', 'plugins', 'assize.js'),
    project: '.opencode/plugins/assize.js',
  }),
};

/** The file, or for scripts the folder, that the flags name. Null: the agent has no file of its own that could be meant. */
export function placeOf(agent: AgentName, { project, local, claudeDir, file }: SettingsPlace): string | null {
  if (file !== undefined) return resolve(file);
  const place = places[agent]();
  if (agent === 'claude-code') {
    if (local) return resolve('.claude', 'settings.local.json');
    if (!project && claudeDir !== undefined) return join(claudeDir, 'settings.json');
  }
  const chosen = project ? place.project : place.own;
  return chosen === null ? null : resolve(chosen);
}
