import { text } from 'node:stream/consumers';
import { createAssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import { type CertificateFiles, readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import { createQuickFetch, ResponseTooLarge } from '../quick-fetch.ts';
import { type AgentName, agents, type Outcome, type Payload, type Written } from './agents.ts';
import { type HookFlags, type ServerFlags, serverOf } from './command-line.ts';
import { defaultStateFolder, endConversation, type Hook, type Memory, openMemory } from './conversation.ts';
import { evaluateSubject } from './evaluate.ts';
import { type Choices, failureOutput, type HookOutput, type HookTarget, outputOf } from './output.ts';
import { type HookCall, HookInputError, isHookEvent, parsePayload, readPayload } from './payload.ts';

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
