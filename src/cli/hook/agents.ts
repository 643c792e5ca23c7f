import { hash } from 'node:crypto';
import { parseForWriting } from '../../json/parse.ts';
import type { HookOutput } from './output.ts';
import { type HookEvent, HookInputError } from './payload.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** The answer to an event, in a form that is the same for all agents. */
export interface Outcome {
  /** Null where the event could not be read. */
  event: HookEvent | null;
  /** The input as the agent sent it; empty where it could not be read. */
  payload: Payload;
  /** Why the action, prompt or result is stopped; null when it goes on. */
  stop: string | null;
  /** A message for the person and the model; the action goes on. */
  warning: string | null;
  /** The same for Claude Code. */
  output: HookOutput;
}

/** The output of a hook that the agent reads: standard output, standard error and the exit code; 2 means "stop". */
export interface Written {
  stdout?: object;
  stderr?: string;
  exitCode: 0 | 2;
}

/** Translates between one agent and the events of Claude Code, in which everything is evaluated. */
interface Agent {
  /**
   * The event in the form of Claude Code; null for one that starts nothing and shows the model nothing. Throws HookInputError
   * for every other one that it does not know.
   */
  read(payload: Payload): Payload | null;
  write(outcome: Outcome): Written;
  /** The output of a hook that could not start. Default: exit code 2. */
  cannotStart?: Written;
}

/** The name of a call, for agents that give it none. In letters: detectors would take digits for numbers of people. */
const callId = (payload: Payload): string =>
  `call-${hash('sha256', JSON.stringify([payload.tool_name, payload.tool_input])).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;

/** `events`: the agent's names of the events that are evaluated; null for those that pass. */
function eventOf(
  events: Readonly<Record<string, HookEvent | null>>,
  name: unknown,
  agent: string,
): HookEvent | null {
  const event = typeof name === 'string' && Object.hasOwn(events, name) ? events[name] : undefined;
  if (event !== undefined) return event;
  const known = Object.keys(events).filter((one) => events[one] !== null);
  throw new HookInputError(`assize hook ${agent} does not know this event: it evaluates ${known.join(', ')}`);
}

/** Exit code 2 with the reason on standard error: the agents with hooks like those of Claude Code stop there. */
const exitTwo = (reason: string): Written => ({ stderr: `Assize: ${reason}`, exitCode: 2 });
const pass: Written = { exitCode: 0 };

/** Claude Code, and Codex, which sends the same fields: https://code.claude.com/docs/en/hooks, openai/codex codex-rs/hooks. */
const claudeCode: Agent = {
  read: (payload) => payload,
  write: ({ event, stop, output }) =>
    event === null
      ? { stdout: { decision: 'deny', reason: `Assize: ${stop}` }, stderr: `${stop}`, exitCode: 2 }
      : { ...(Object.keys(output).length > 0 && { stdout: output }), exitCode: 0 },
};

/**
 * Qwen Code: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks. It sends the fields of Claude Code, and must not be taken for
 * it: a result is replaced only where the hook says `continue: false`, and `ask` is not sent. The error of a failed tool is shown
 * whatever the hook returns, with the context that it adds.
 */
const qwen: Agent = {
  read({ prompt_id: _, ...payload }) {
    // Sent for each request to the model: only the first one of a turn has a prompt.
    const isContinuation = payload.hook_event_name === 'UserPromptSubmit' && payload.prompt === '';
    return isContinuation ? null : payload;
  },
  write(outcome) {
    const { event, stop, output } = outcome;
    if (stop === null || event === null) return claudeCode.write(outcome);
    if (event === 'PostToolUse' || event === 'UserPromptSubmit')
      return { stdout: { ...output, continue: false, stopReason: stop }, exitCode: 0 };
    if (event === 'PostToolUseFailure') {
      const hookSpecificOutput = { hookEventName: event, additionalContext: stop };
      return { stdout: { ...output, hookSpecificOutput }, exitCode: 0 };
    }
    return claudeCode.write(outcome);
  },
};

const pluginFields = [
  'hook_event_name',
  'session_id',
  'parent_session_id',
  'cwd',
  'tool_name',
  'tool_input',
  'tool_use_id',
  'tool_response',
  'error',
  'prompt',
];

/** opencode, pi and OpenClaw: the plugin that `install` writes sends events in the form of Claude Code, and reads `stop` and `warning`. */
const plugin: Agent = {
  read: (payload) => Object.fromEntries(pluginFields.map((name) => [name, payload[name]])),
  write({ stop, warning }) {
    if (stop !== null) return { stdout: { stop }, exitCode: 0 };
    return warning === null ? pass : { stdout: { warning }, exitCode: 0 };
  },
};

/**
 * Cline: https://docs.cline.bot/features/hooks/hook-reference. A hook is an executable of the event's name. `cancel` ends the run,
 * and Cline tells its model no reason; a result that was shown cannot be replaced. From version 3 of its CLI on the events have names of
 * their own (`tool_call`), calls have ids, and sub-agents are named beside the agent that started them.
 */
const cline: Agent = {
  read(payload) {
    const event = eventOf(
      {
        tool_call: 'PreToolUse',
        tool_result: 'PostToolUse',
        prompt_submit: 'UserPromptSubmit',
        agent_end: null,
        agent_abort: null,
        agent_error: null,
        agent_start: null,
        agent_resume: null,
        // A stopped action ends the run, and an approval holds in the session in which the action was held: so nothing of these ends it.
        session_shutdown: null,
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        UserPromptSubmit: 'UserPromptSubmit',
        TaskComplete: 'SessionEnd',
        TaskCancel: null,
        TaskStart: null,
        TaskResume: null,
        PreCompact: null,
      },
      payload.hookName,
      'cline',
    );
    const { agent_id, parent_agent_id, taskId } = payload;
    const subAgent = parent_agent_id == null ? {} : { agent_id };
    const [cwd] = Array.isArray(payload.workspaceRoots) ? payload.workspaceRoots : [];
    const session_id = member(payload, 'sessionContext').rootSessionId ?? taskId;
    const base = { hook_event_name: event, session_id, ...subAgent, cwd };
    if (event === null) {
      const ends = 'agent_id' in subAgent && /^agent_(?:end|abort|error)$/.test(String(payload.hookName));
      return ends ? { ...base, hook_event_name: 'SubagentStop' } : null;
    }
    if (event === 'SessionEnd') return base;
    if (event === 'UserPromptSubmit') return { ...base, prompt: member(payload, 'userPromptSubmit').prompt };
    const { id, name, input, output, error } = member(
      payload,
      event === 'PreToolUse' ? 'tool_call' : 'tool_result',
    );
    const about = member(payload, event === 'PreToolUse' ? 'preToolUse' : 'postToolUse');
    const call = { tool_name: name ?? about.toolName, tool_input: input ?? about.parameters };
    const action = { ...base, ...call, tool_use_id: id ?? callId(call) };
    if (event === 'PreToolUse') return action;
    const failed = error !== undefined || about.success === false;
    return failed
      ? { ...action, hook_event_name: 'PostToolUseFailure', error: error ?? about.result }
      : { ...action, tool_response: output ?? about.result };
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

/**
 * Kiro CLI: https://kiro.dev/docs/cli/hooks. Exit code 2 stops a tool, and its model reads standard error; prompts and results
 * cannot be stopped. Some versions name no session: then a folder is one conversation.
 */
const kiro: Agent = {
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

/**
 * Gemini CLI: https://geminicli.com/docs/hooks/reference. It gives calls no id. A denied AfterTool replaces the result with
 * the reason; a denied BeforeAgent drops the prompt. There is no `ask`.
 */
const gemini: Agent = {
  read(payload) {
    const event = eventOf(
      {
        BeforeTool: 'PreToolUse',
        AfterTool: 'PostToolUse',
        BeforeAgent: 'UserPromptSubmit',
        SessionEnd: 'SessionEnd',
        SessionStart: null,
        AfterAgent: null,
        Notification: null,
        PreCompress: null,
      },
      payload.hook_event_name,
      'gemini-cli',
    );
    if (event === null) return null;
    const { session_id, cwd, tool_name, tool_input, tool_response, prompt } = payload;
    const base = { hook_event_name: event, session_id, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    if (event === 'SessionEnd') return base;
    return { ...base, tool_name, tool_input, tool_use_id: callId(payload), tool_response };
  },

  write({ event, payload, stop, warning }) {
    if (stop !== null) {
      const denied = { decision: 'deny', reason: stop };
      return event === null ? { stdout: denied, stderr: stop, exitCode: 2 } : { stdout: denied, exitCode: 0 };
    }
    if (warning === null) return pass;
    const tells = event === 'PostToolUse' || event === 'UserPromptSubmit';
    const hookSpecificOutput = { hookEventName: payload.hook_event_name, additionalContext: warning };
    return { stdout: { systemMessage: warning, ...(tells && { hookSpecificOutput }) }, exitCode: 0 };
  },
};

/**
 * Windsurf: https://docs.windsurf.com/windsurf/cascade/hooks. Each kind of action has its own event. Exit code 2 stops what is
 * still to come; only results of MCP tools are reported, and none can be stopped.
 */
const windsurf: Agent = {
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

/**
 * GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference. The input does
 * not name its event. `ask` is honoured only where somebody sits at the terminal, so it is never sent. Only a failed tool has
 * an `error`, which its model reads whatever the hook returns.
 */
const copilot: Agent = {
  read(payload) {
    const { sessionId, cwd, toolName: tool_name, toolResult, error, prompt, agentType: agent_type } = payload;
    const base = { ...sessionOf(sessionId, payload.agentId, payload.parentAgentId), cwd, agent_type };
    if (tool_name === undefined) {
      if (typeof prompt === 'string') return { ...base, hook_event_name: 'UserPromptSubmit', prompt };
      // The end of the conversation, or of a sub-agent.
      if ('reason' in payload || ('stopReason' in payload && payload.agentId !== undefined))
        return { ...base, hook_event_name: 'SessionEnd' };
      throw new HookInputError(
        'assize hook copilot evaluates preToolUse, postToolUse, postToolUseFailure, userPromptSubmitted, subagentStop and sessionEnd, and this input is of none of them',
      );
    }
    const call = { tool_name, tool_input: parsed(payload.toolArgs) };
    const action = { ...base, ...call, tool_use_id: callId(call) };
    if (error !== undefined) return { ...action, hook_event_name: 'PostToolUseFailure', error };
    if (toolResult === undefined) return { ...action, hook_event_name: 'PreToolUse' };
    const { resultType, textResultForLlm } = (toolResult ?? {}) as Payload;
    return resultType === 'success'
      ? { ...action, hook_event_name: 'PostToolUse', tool_response: textResultForLlm ?? toolResult }
      : { ...action, hook_event_name: 'PostToolUseFailure', error: textResultForLlm ?? toolResult };
  },

  write({ event, stop, warning }) {
    if (stop === null)
      return warning === null ? pass : { stdout: { additionalContext: warning }, exitCode: 0 };
    if (event === 'PostToolUse' || event === 'PostToolUseFailure') {
      const modifiedResult = { resultType: 'failure', textResultForLlm: stop };
      return { stdout: { modifiedResult, additionalContext: stop }, exitCode: 0 };
    }
    if (event === 'UserPromptSubmit')
      return { stdout: { decision: 'block', reason: stop }, stderr: stop, exitCode: 2 };
    return denied(stop, event === null ? 2 : 0);
  },

  cannotStart: {
    stdout: { permissionDecision: 'deny', permissionDecisionReason: 'assize: the hook could not run' },
    exitCode: 2,
  },
};

const denied = (reason: string, exitCode: 0 | 2) => ({
  stdout: { permissionDecision: 'deny', permissionDecisionReason: reason },
  stderr: reason,
  exitCode,
});

/**
 * Copilot gives each sub-agent an id, by which its events name their session. The agent that started it is `parentAgentId`, be
 * that the conversation or another sub-agent.
 */
const sessionOf = (session: unknown, agent: unknown, parent: unknown) =>
  agent === undefined
    ? { session_id: session }
    : { session_id: agent, parent_session_id: parent ?? (session === agent ? undefined : session) };

/** Some versions send the arguments as JSON text. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return parseForWriting(args);
  } catch {
    return args;
  }
}

/**
 * Cursor: https://cursor.com/docs/agent/hooks. `preToolUse` comes before every tool. What a hook returns after one replaces
 * only results of MCP tools. `ask` is not honoured by preToolUse. `timeout` in its settings is in seconds (https://cursor.com/docs/hooks).
 */
const cursor: Agent = {
  read(payload) {
    const event = eventOf(
      {
        preToolUse: 'PreToolUse',
        postToolUse: 'PostToolUse',
        postToolUseFailure: 'PostToolUseFailure',
        beforeSubmitPrompt: 'UserPromptSubmit',
        sessionEnd: 'SessionEnd',
        sessionStart: null,
        stop: null,
        preCompact: null,
        afterAgentResponse: null,
        afterAgentThought: null,
      },
      payload.hook_event_name,
      'cursor',
    );
    if (event === null) return null;
    const { conversation_id, session_id, cwd, tool_name, tool_input, tool_use_id, tool_output, prompt } =
      payload;
    const base = { hook_event_name: event, session_id: conversation_id ?? session_id, cwd };
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    if (event === 'SessionEnd') return base;
    const call = { ...base, tool_name, tool_input, tool_use_id: tool_use_id ?? callId(payload) };
    return event === 'PostToolUseFailure'
      ? { ...call, error: payload.error_message }
      : { ...call, tool_response: tool_output };
  },

  write({ event, payload, stop, warning }) {
    if (stop === null) {
      if (warning === null) return pass;
      return {
        stdout: event === 'PostToolUse' ? { additional_context: warning } : { agent_message: warning },
        exitCode: 0,
      };
    }
    switch (event) {
      case 'PreToolUse':
        return { stdout: { permission: 'deny', user_message: stop, agent_message: stop }, exitCode: 0 };
      case 'UserPromptSubmit':
        return { stdout: { continue: false, user_message: stop }, exitCode: 0 };
      case 'PostToolUse': {
        const withheld = String(payload.tool_name).startsWith('MCP:') && {
          updated_mcp_tool_output: { error: stop },
        };
        return { stdout: { additional_context: stop, ...withheld }, exitCode: 0 };
      }
      case 'PostToolUseFailure':
        return { stdout: { additional_context: stop }, exitCode: 0 };
      default:
        return { ...exitTwo(stop), stdout: { permission: 'deny', continue: false, user_message: stop } };
    }
  },
};

/**
 * Agents in VS Code: https://code.visualstudio.com/docs/agents/reference/hooks-reference. Its fields are those of Claude Code,
 * some of them in camel case. Its sessions run in the harness Copilot, which has `tool_result` and reads `decision` about a prompt,
 * or in the older Local, which has `tool_response` and reads `continue`. `ask` is not sent: what it does depends on the approval
 * settings of the editor.
 */
const vscode: Agent = {
  read(payload) {
    const event = eventOf(
      {
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        PostToolUseFailure: 'PostToolUseFailure',
        UserPromptSubmit: 'UserPromptSubmit',
        SessionStart: null,
        Stop: null,
        SubagentStart: null,
        SubagentStop: 'SessionEnd',
        PreCompact: null,
      },
      payload.hook_event_name ?? payload.hookEventName,
      'vscode',
    );
    if (event === null) return null;
    const { cwd, agent_type, tool_name, tool_input, tool_use_id, error, prompt } = payload;
    const session = sessionOf(
      payload.session_id ?? payload.sessionId,
      payload.agent_id,
      payload.parent_agent_id,
    );
    const base = { hook_event_name: event, ...session, cwd, agent_type };
    if (event === 'SessionEnd') return base;
    if (event === 'UserPromptSubmit') return { ...base, prompt };
    const call = { ...base, tool_name, tool_input, tool_use_id: tool_use_id ?? callId(payload) };
    if (event === 'PostToolUseFailure') return { ...call, error };
    const { tool_result, tool_response = (tool_result as Payload | undefined)?.text_result_for_llm } =
      payload;
    return { ...call, tool_response: tool_response ?? tool_result };
  },

  write({ event, stop, warning, output }) {
    if (stop === null && warning === null) return pass;
    // Copilot's harness reads the field beside the form of Claude Code, which it reads of actions only.
    if (stop === null) {
      const context = event === 'PreToolUse' ? {} : { additionalContext: warning };
      return { stdout: { ...output, ...context }, exitCode: 0 };
    }
    if (event === null) return exitTwo(stop);
    // After a failed tool the harness Copilot reads the reason nowhere else.
    if (event === 'PostToolUseFailure')
      return { stdout: { ...output, additionalContext: stop }, exitCode: 0 };
    if (event !== 'UserPromptSubmit') return { stdout: output, exitCode: 0 };
    return { stdout: { continue: false, stopReason: stop, decision: 'block', reason: stop }, exitCode: 0 };
  },
};

/** By the name that the command line has for them. */
export const agents = {
  'claude-code': claudeCode,
  codex: claudeCode,
  'gemini-cli': gemini,
  copilot,
  opencode: plugin,
  pi: plugin,
  openclaw: plugin,
  'qwen-code': qwen,
  cursor,
  vscode,
  cline,
  kiro,
  windsurf,
} as const satisfies Record<string, Agent>;
export type AgentName = keyof typeof agents;
