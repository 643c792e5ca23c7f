import type { EvaluateRequest } from '../../schemas/evaluations.ts';

/**
 * What Claude Code writes on a hook's standard input, one JSON object a run: https://code.claude.com/docs/en/hooks
 * ("Hook input and output", and the input of each event); recorded from version 2.1.330. Fields beyond these are
 * ignored: newer versions add some.
 */
interface Payload {
  hook_event_name: string;
  /** Of the conversation: the same in all of its events. */
  session_id: string;
  cwd?: unknown;
  permission_mode?: unknown;
  agent_id?: unknown;
  agent_type?: unknown;
  tool_name?: unknown;
  tool_input?: unknown;
  tool_use_id?: unknown;
  tool_response?: unknown;
  prompt?: unknown;
  reason?: unknown;
}

export const hookEvents = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionEnd'] as const;
export type HookEvent = (typeof hookEvents)[number];
const known: ReadonlySet<string> = new Set(hookEvents);

export interface HookCall {
  event: HookEvent;
  conversation: string;
  /** What is to be judged; null at the end of the conversation. */
  request: Pick<EvaluateRequest, 'input' | 'targetMetadata'> | null;
}

/**
 * The call that a hook input asks for, null for an event that has nothing to be judged. Only a tool that is about to
 * run is an action of that tool's name: a result counted under it would spend the tool's budget twice.
 * Throws Error for what is no hook input.
 */
export function readPayload(text: string): HookCall | null {
  const payload = parse(text);
  const { hook_event_name: event, session_id: conversation } = payload;
  if (typeof event !== 'string') throw new Error('the hook input names no hook_event_name');
  if (!known.has(event)) return null;
  if (typeof conversation !== 'string' || !/^[^\0]{1,255}$/.test(conversation)) {
    throw new Error('the hook input names no session_id of 1 to 255 characters');
  }
  return { event: event as HookEvent, conversation, request: requestOf(event as HookEvent, payload) };
}

function requestOf(event: HookEvent, payload: Payload): HookCall['request'] {
  switch (event) {
    case 'PreToolUse':
      return request(payload, { tool: toolOf(payload), arguments: payload.tool_input ?? {} });
    case 'PostToolUse':
      return request(payload, {
        tool: event,
        toolName: toolOf(payload),
        result: payload.tool_response ?? null,
      });
    case 'UserPromptSubmit':
      if (typeof payload.prompt !== 'string') throw new Error('the hook input has no prompt');
      return request(payload, { tool: event, prompt: payload.prompt });
    case 'SessionEnd':
      return null;
  }
}

function request(payload: Payload, input: EvaluateRequest['input']): HookCall['request'] {
  const { hook_event_name, cwd, permission_mode, agent_id, agent_type, tool_use_id } = payload;
  const targetMetadata = { hook_event_name, cwd, permission_mode, agent_id, agent_type, tool_use_id };
  return { input, targetMetadata };
}

function toolOf({ tool_name: tool }: Payload): string {
  if (typeof tool === 'string' && tool !== '') return tool;
  throw new Error('the hook input names no tool_name');
}

function parse(text: string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the parser's words, which quote the input.
    throw new Error('the hook input is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Payload;
  throw new Error('the hook input is no JSON object');
}
