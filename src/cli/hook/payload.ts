import { parseForWriting } from '../../json/parse.ts';
import type { EvaluateRequest } from '../../schemas/evaluations.ts';

/**
 * The agent that runs the hook, as far as the payload tells. Other agents accept the hooks of Claude Code and send the same
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
function callerOf(payload: Readonly<Record<string, unknown>>): Caller {
  const claudeCode =
    typeof payload.prompt_id === 'string' && payload.turn_id === undefined && payload.model === undefined;
  return { claudeCode, honoursAsk: claudeCode && askingModes.has(payload.permission_mode) };
}

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
const isHarmless = (event: string): boolean => harmless.has(event);

/** A hook input that cannot be evaluated. Its message quotes nothing of the input. */
export class HookInputError extends Error {
  /** Where the event is known, so that the refusal can take its form; null otherwise. */
  readonly call: { event: HookEvent; caller: Caller } | null;

  constructor(message: string, call: HookInputError['call'] = null) {
    super(message);
    this.call = call;
  }
}

/**
 * The JSON object on a hook's standard input, in the form of Claude Code: https://code.claude.com/docs/en/hooks ("Hook
 * input and output"), recorded from version 2.1.332. Codex sends the same fields for the events that it has
 * (codex-rs/hooks/schema in its repository). Other fields are ignored: newer versions add some.
 */
type Payload = Readonly<Record<string, unknown>>;

export interface HookCall {
  event: HookEvent;
  caller: Caller;
  /** The name of the session: of the conversation, or of a sub-agent in it. */
  conversation: string;
  /** The name of the session that this one is a child of; null for the agent that the person talks to. */
  parent: string | null;
  /** The subject of the evaluation; null at the end of the conversation, or of the sub-agent. */
  subject: Subject | null;
}

/** The subject that an event carries. `toolUseId` connects a result with the action that it belongs to. */
export type Subject = (
  | { phase: 'ACTION'; toolUseId: string }
  | {
      phase: 'RESULT';
      toolUseId: string;
      status: 'OK' | 'FAILED';
      result: { tool: string; response: unknown };
    }
  | { phase: 'PROMPT' }
) &
  Pick<EvaluateRequest, 'input' | 'targetMetadata'>;

/**
 * The call that a hook input asks for. A sub-agent is named within its conversation (`agent_id`), or, by agents whose sub-agents
 * have ids of their own, with the session that it works for (`parent_session_id`, which codecs write). Null for an event with nothing to evaluate. Throws HookInputError for everything
 * else, so that an event that this version does not know, or a field under another name, is never let pass.
 */
export function readPayload(text: string): HookCall | null {
  const payload = parsePayload(text);
  const { session_id: conversation, agent_id: subAgent = null, parent_session_id: parent = null } = payload;
  const event = endOfSubAgent(payload) ? 'SessionEnd' : payload.hook_event_name;
  if (typeof event !== 'string') throw new HookInputError('the hook input has no hook_event_name');
  if (isHarmless(event) && !('tool_name' in payload)) return null;
  if (!isHookEvent(event)) {
    throw new HookInputError(
      'assize hook claude-code does not know this event: it evaluates PreToolUse, PostToolUse, PostToolUseFailure and UserPromptSubmit',
    );
  }
  const call = { event, caller: callerOf(payload) };
  try {
    if (typeof conversation !== 'string' || !/^[^\0]{1,255}$/.test(conversation)) {
      throw new Error('the hook input has no session_id of 1 to 255 characters');
    }
    if (subAgent !== null && (typeof subAgent !== 'string' || !/^[^\0]{1,100}$/.test(subAgent))) {
      throw new Error('agent_id in the hook input must be a text of 1 to 100 characters');
    }
    if (parent !== null && (typeof parent !== 'string' || !/^[^\0]{1,255}$/.test(parent))) {
      throw new Error('the id of the parent session in the hook input must be a text of 1 to 255 characters');
    }
    const session =
      subAgent === null
        ? { conversation, parent }
        : { conversation: `${conversation}/${subAgent}`, parent: conversation };
    return { ...call, ...session, subject: subjectOf(call.event, payload) };
  } catch (error) {
    throw new HookInputError((error as Error).message, call);
  }
}

const endOfSubAgent = ({ hook_event_name, agent_id }: Payload): boolean =>
  hook_event_name === 'SubagentStop' && agent_id !== undefined;

function subjectOf(event: HookEvent, payload: Payload): Subject | null {
  const { hook_event_name, cwd, agent_type } = payload;
  // An approval is bound to these, so they must be the same when the call is made again.
  const targetMetadata = { hook_event_name, cwd, agent_type };
  switch (event) {
    case 'PreToolUse': {
      const input = { tool: textOf(payload, 'tool_name'), arguments: present(payload, 'tool_input') };
      return { phase: 'ACTION', toolUseId: textOf(payload, 'tool_use_id'), input, targetMetadata };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const failed = event === 'PostToolUseFailure';
      const tool = textOf(payload, 'tool_name');
      const response = present(payload, failed ? 'error' : 'tool_response');
      return {
        phase: 'RESULT',
        toolUseId: textOf(payload, 'tool_use_id'),
        status: failed ? 'FAILED' : 'OK',
        result: { tool, response },
        input: { result: response },
        targetMetadata,
      };
    }
    case 'UserPromptSubmit':
      return { phase: 'PROMPT', input: { prompt: textOf(payload, 'prompt') }, targetMetadata };
    case 'SessionEnd':
      return null;
  }
}

function present(payload: Payload, field: string): unknown {
  const value = payload[field];
  if (value !== undefined) return value;
  throw new Error(`the hook input has no ${field}`);
}

function textOf(payload: Payload, field: string): string {
  const value = present(payload, field);
  if (typeof value === 'string' && (value !== '' || field === 'prompt')) return value;
  throw new Error(`${field} in the hook input must be a text`);
}

/** The JSON object of a hook input, in whatever form. Throws HookInputError for anything else. */
export function parsePayload(text: string): Payload {
  let value: unknown;
  try {
    // Rounded, an approval of one big number would let another one pass.
    value = parseForWriting(text);
  } catch {
    // The parser's message stays out: it quotes the input.
    throw new HookInputError('the hook input is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Payload;
  throw new HookInputError('the hook input is not a JSON object');
}
