import { createAssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import { type CertificateFiles, readClientTls } from '../client-certificate.ts';
import { createQuickFetch, ResponseTooLarge } from '../quick-fetch.ts';
import { endConversation } from './conversation.ts';
import { evaluateSubject } from './evaluate.ts';
import type { Hook } from './hook.ts';
import { HookInputError } from './input-error.ts';
import { type Memory, openMemory } from './memory.ts';
import { type Choices, failureOutput, type HookOutput, type HookTarget, outputOf } from './output.ts';
import { type HookCall, readPayload } from './payload.ts';

/** Of a response: far above any of the service, and little enough to read within a hook's time. */
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
    const parent = call.subAgent === null ? null : call.conversation;
    const conversation = parent === null ? call.conversation : `${parent}/${call.subAgent}`;
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
