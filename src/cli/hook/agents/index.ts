import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

/** By the name that the command line has for them. */
export const agents = {
  'claude-code': claudeCode,
  codex: claudeCode,
  'gemini-cli': gemini,
  copilot,
  opencode,
  cursor,
  vscode,
  cline,
  kiro,
  windsurf,
} as const satisfies Record<string, Agent>;
export type AgentName = keyof typeof agents;
