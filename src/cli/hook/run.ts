import { text } from 'node:stream/consumers';
import { createAssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import { heldBy, isLetThrough } from '../../client/gate-history.ts';
import type { EvaluateRequest, EvaluateResult } from '../../schemas/evaluations.ts';
import { type CertificateFiles, readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import { createQuickFetch, ResponseTooLarge } from '../quick-fetch.ts';
import { type AgentName, agents, type Outcome, type Payload, type Written } from './agents.ts';
import { type HookFlags, type ServerFlags, serverOf } from './command-line.ts';
import {
  defaultStateFolder,
  endConversation,
  findSession,
  type Hook,
  type Memory,
  openMemory,
} from './conversation.ts';
import { type Choices, failureOutput, type HookOutput, type HookTarget, outputOf } from './output.ts';
import {
  type HookCall,
  HookInputError,
  isHookEvent,
  parsePayload,
  readPayload,
  type Subject,
} from './payload.ts';

/** The limit of a response: far above any of the service, and little enough to read within a hook's time. */
const mostBytes = 1_048_576;

export interface HookOptions extends Choices, CertificateFiles {
  url: string;
  key: string | undefined;
  /** Longest time to a decision, in milliseconds; waiting for a reviewer comes on top. */
  limitMs: number;
  waitMs: number;
  stateFolder: string;
  /** Default `claude-code`. */
  agent?: string;
}

/**
 * One run of the hook: its input in, its output out; null when there is nothing to say. Every failure becomes the output
 * that was chosen for failures. Rejects with HookInputError where the event, and so the form of an output, is unknown.
 */
export async function runHook(text: string, options: HookOptions): Promise<HookOutput | null> {
  let call: HookCall | null;
  try {
    call = readPayload(text);
  } catch (error) {
    if (!(error instanceof HookInputError && error.call)) throw error;
    return failureOutput(error.call, error.message, options);
  }
  if (!call) return null;
  const { subject } = call;
  const to: HookTarget = { ...call, ...(subject?.phase === 'RESULT' && { result: subject.result }) };
  let memory: Memory | undefined;
  try {
    if (!options.key) throw new Error('no key: set ASSIZE_KEY, or put it into the file named by --config');
    const client = createAssizeClient({
      url: options.url,
      apiKey: options.key,
      retryDelayMs: 50,
      fetch: createQuickFetch({ tls: readClientTls(options) ?? {}, mostBytes }),
    });
    const { conversation, parent } = call;
    memory = openMemory(options.stateFolder, options.url, options.key, conversation);
    const hook: Hook = { caller: call.caller, conversation, parent, client, memory, options };
    if (!subject) {
      await endConversation(hook);
      return {};
    }
    const output = outputOf(to, await evaluateSubject(hook, subject), options);
    return rememberAsked(output, call, memory);
  } catch (error) {
    return rememberAsked(failureOutput(to, sentence(error, options), options), call, memory);
  }
}

/** The person may let an asked tool run: its result then belongs to an action that was not let through. */
function rememberAsked(output: HookOutput, { subject }: HookCall, memory: Memory | undefined): HookOutput {
  if (subject?.phase === 'ACTION' && output.hookSpecificOutput?.permissionDecision === 'ask') {
    memory?.keep(`asked ${subject.toolUseId}`, 'asked');
  }
  return output;
}

function sentence(error: unknown, { url, limitMs }: HookOptions): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response from ${url} within ${limitMs} ms`;
  if (error.cause instanceof ResponseTooLarge) return `${url}: ${error.cause.message}`;
  return error instanceof AssizeError && error.status !== null
    ? `${url} responds: ${error.message}`
    : error.message;
}

/** One run of the hook of any agent: its input in, what it reads out. Rejects only where everything is let pass. */
export async function runAgentHook(
  name: AgentName,
  text: string,
  options: Omit<HookOptions, 'agent'>,
): Promise<Written> {
  const agent = agents[name];
  let payload: Payload = {};
  try {
    payload = parsePayload(text);
    const event = agent.read(payload);
    const output = event && (await runHook(JSON.stringify(event), { ...options, agent: name }));
    if (!event || !output) return { exitCode: 0 };
    const named = String(event.hook_event_name);
    return agent.write({ event: isHookEvent(named) ? named : null, payload, output, ...told(output) });
  } catch (error) {
    if (options.onFailure === 'allow' || !(error instanceof HookInputError)) throw error;
    return agent.write({ event: null, payload, stop: error.message, warning: null, output: {} });
  }
}

/** An agent that is not Claude Code is never sent `ask`: what is asked there is denied here. */
function told({
  decision,
  reason,
  systemMessage,
  hookSpecificOutput,
}: HookOutput): Pick<Outcome, 'stop' | 'warning'> {
  const permission = hookSpecificOutput?.permissionDecision;
  const denied = permission === 'deny' || permission === 'ask';
  const stop = denied ? hookSpecificOutput?.permissionDecisionReason : reason;
  return {
    stop: denied || decision === 'block' ? (stop ?? 'stopped by policy') : null,
    warning: systemMessage ?? null,
  };
}

/**
 * Exit code 2 with a reason on standard error stops the action in every agent with hooks of this kind (Claude Code, Codex,
 * Gemini CLI): the output for an event whose own form is not known. Gemini CLI reads a reason from standard output first.
 */
export async function respondToHook(
  agent: AgentName,
  flags: HookFlags & ServerFlags,
  io: Io,
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<void> {
  if (stdin.isTTY) {
    throw new Exit(
      exitCodes.wrongUse,
      'a hook reads its input from the agent: see assize hook install --help',
    );
  }
  try {
    const options = {
      ...flags,
      ...serverOf(flags),
      waitMs: flags.waitSeconds * 1_000,
      stateFolder: defaultStateFolder(),
    };
    written(await runAgentHook(agent, await read(stdin, flags.limitMs), options), io);
  } catch (error) {
    if (error instanceof Exit) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (flags.onFailure === 'allow') {
      io.stderr.write(`assize: let pass without a decision: ${reason}\n`);
      return;
    }
    const stopped = { event: null, payload: {}, stop: reason, warning: null, output: {} };
    written(agents[agent].write(stopped), io);
  }
}

function written({ stdout, stderr, exitCode }: Written, io: Io): void {
  if (stdout) io.stdout.write(`${JSON.stringify(stdout)}\n`);
  if (exitCode === 2) throw new Exit(exitCodes.wrongUse, stderr ?? 'stopped');
  if (stderr !== undefined) io.stderr.write(`${stderr}\n`);
}

/** An agent that never closes the input would wait for the hook until it gives up, and then let the action pass. */
async function read(stdin: NodeJS.ReadStream, limitMs: number): Promise<string> {
  const late = () => stdin.destroy(new Error(`no complete hook input within ${limitMs} ms`));
  const timer = setTimeout(late, limitMs);
  try {
    return await text(stdin);
  } finally {
    clearTimeout(timer);
  }
}

type Of<Phase extends Subject['phase']> = Extract<Subject, { phase: Phase }>;

/** Evaluates what an event carries. Rejects when it cannot be decided. */
function evaluateSubject(hook: Hook, subject: Subject): Promise<EvaluateResult> {
  switch (subject.phase) {
    case 'ACTION':
      return evaluateAction(hook, subject);
    case 'RESULT':
      return evaluateResult(hook, subject);
    case 'PROMPT': {
      const { input, targetMetadata } = subject;
      return inSession(hook, { phase: 'PROMPT', input, ...of(targetMetadata) }, limitOf(hook));
    }
  }
}

async function evaluateAction(hook: Hook, subject: Of<'ACTION'>): Promise<EvaluateResult> {
  const { memory, options, client } = hook;
  const { input, targetMetadata, toolUseId } = subject;
  const request = { input, ...of(targetMetadata), correlationId: toolUseId };
  // The same action again may have been approved since.
  const action = `review ${JSON.stringify([input, targetMetadata])}`;
  let response = await inSession(hook, request, limitOf(hook), memory.recall(action));
  const held = heldBy(response);
  if (held !== null && options.onHold === 'wait') {
    const review = await client.reviews.waitFor(held, { timeoutMs: options.waitMs }).catch(notYet);
    if (review) response = await inSession(hook, request, limitOf(hook), held);
  }
  const standing = heldBy(response);
  if (standing === null) memory.forget(action);
  else memory.keep(action, standing);
  if (isLetThrough(response)) memory.keep(`run ${toolUseId}`, response.evaluationRunId);
  return response;
}

/**
 * A result belongs to the evaluation that let its action through. Where there is none, its content is evaluated as a
 * PROMPT, so that the session learns what the model has seen and nothing counts as a tool. That is enough for an action
 * that a person let through at the terminal. Any other such result is not shown: its action evaded evaluation, or somebody
 * else reported a result for it.
 */
async function evaluateResult(hook: Hook, subject: Of<'RESULT'>): Promise<EvaluateResult> {
  const { client, memory } = hook;
  const { input, targetMetadata, toolUseId, status, result } = subject;
  const limit = limitOf(hook);
  let asked = memory.recall(`asked ${toolUseId}`) !== null;
  memory.forget(`asked ${toolUseId}`);
  let failure = new Error('no evaluation let the action of this result through');
  const action = asked ? null : await actionOf(hook, toolUseId, limit);
  memory.forget(`run ${toolUseId}`);
  if (action?.enforcementAction === 'APPROVAL_REQUIRED') {
    asked = hook.options.onHold === 'ask' && hook.caller.honoursAsk;
  } else if (action) {
    try {
      const resultOf = action.evaluationRunId;
      const request = { phase: 'RESULT', resultOf, status, input, ...of(targetMetadata) } as const;
      return await client.evaluate(request, { signal: limit });
    } catch (error) {
      if (!isGone(error)) throw error;
      failure = error;
    }
  }
  const content = { toolName: result.tool, result: result.response };
  const response = await inSession(hook, { phase: 'PROMPT', input: content, ...of(targetMetadata) }, limit);
  if (asked || !isLetThrough(response)) return response;
  throw failure;
}

type Action = Pick<EvaluateResult, 'evaluationRunId' | 'enforcementAction'>;

/** The last evaluation of the action that a result belongs to; null when there is none. */
async function actionOf(hook: Hook, toolUseId: string, signal: AbortSignal): Promise<Action | null> {
  const remembered = hook.memory.recall(`run ${toolUseId}`);
  if (remembered !== null) return { evaluationRunId: remembered, enforcementAction: 'ALLOW' };
  const sessionId = await sessionOf(hook, signal);
  const { data } = await hook.client.sessions.evaluations(sessionId, { size: 50 }, { signal });
  const attempts = data.filter(
    ({ phase, correlationId }) => phase === 'ACTION' && correlationId === toolUseId,
  );
  // Agents without ids give identical calls one name: each result belongs to one that has none yet.
  const completed = new Set(data.map(({ resultOf }) => resultOf));
  const open = attempts.find((one) => isLetThrough(one) && !completed.has(one.evaluationRunId));
  return open ?? attempts[0] ?? null;
}

async function inSession(
  hook: Hook,
  request: Omit<EvaluateRequest, 'sessionId'>,
  signal: AbortSignal,
  review: string | null = null,
): Promise<EvaluateResult> {
  const ask = (sessionId: string, reviewRequestId: string | null) =>
    hook.client.evaluate(
      { ...request, sessionId, ...(reviewRequestId !== null && { reviewRequestId }) },
      { signal },
    );
  const remembered = hook.memory.recall('session');
  if (remembered === null) return ask(await sessionOf(hook, signal), review);
  try {
    return await ask(remembered, review);
  } catch (error) {
    if (!isGone(error)) throw error;
    hook.memory.forget('session');
    // A review is bound to its session.
    return ask(await sessionOf(hook, signal), null);
  }
}

async function sessionOf(
  { client, memory, conversation, parent, options }: Hook,
  signal: AbortSignal,
): Promise<string> {
  const remembered = memory.recall('session');
  if (remembered !== null) return remembered;
  const agent = options.agent ?? 'claude-code';
  const parentSessionId = parent === null ? null : await findSession(client, parent, agent, signal);
  const id = await findSession(client, conversation, agent, signal, parentSessionId);
  memory.keep('session', id);
  return id;
}

const limitOf = ({ options }: Hook): AbortSignal => AbortSignal.timeout(options.limitMs);

const of = (targetMetadata: EvaluateRequest['targetMetadata']) => targetMetadata && { targetMetadata };

/** The session ended or expired, the action takes no result, or the database is another one. */
const isGone = (error: unknown): error is AssizeError =>
  error instanceof AssizeError && (error.code === 'conflict' || error.code === 'not_found');

function notYet(error: unknown): null {
  if (error instanceof AssizeError && error.code === 'timeout') return null;
  throw error;
}
