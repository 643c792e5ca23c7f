import { type AssizeClient, createAssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import type { EvaluateAnswer } from '../../schemas/evaluations.ts';
import { findSession } from './conversation.ts';
import { type Memory, openMemory } from './memory.ts';
import { type Choices, failureOutput, type HookOutput, outputOf } from './output.ts';
import { type HookCall, readPayload } from './payload.ts';
import { quickFetch } from './quick-fetch.ts';

export interface HookOptions extends Choices {
  url: string;
  key: string | undefined;
  /** Longest time to a decision, in milliseconds; waiting for a reviewer comes on top. */
  limitMs: number;
  waitMs: number;
  stateFolder: string;
}

/**
 * One run of the hook: its input in, its output out; null when there is nothing to say. Rejects only for what is no hook
 * input; every other failure becomes the output that was chosen for failures.
 */
export async function runHook(text: string, options: HookOptions): Promise<HookOutput | null> {
  const call = readPayload(text);
  if (!call) return null;
  try {
    if (!options.key) throw new Error('no key: set ASSIZE_KEY, or put it into the file named by --config');
    const client = createAssizeClient({
      url: options.url,
      apiKey: options.key,
      retryDelayMs: 50,
      fetch: quickFetch,
    });
    const memory = openMemory(options.stateFolder, options.url, options.key, call.conversation);
    const hook = { call, client, memory, options };
    if (call.request) return outputOf(call.event, await judge(hook, call.request), options);
    await endConversation(hook);
    return {};
  } catch (error) {
    return failureOutput(call.event, sentence(error, options), options);
  }
}

interface Hook {
  call: HookCall;
  client: AssizeClient;
  memory: Memory;
  options: HookOptions;
}
type Request = NonNullable<HookCall['request']>;

async function judge(hook: Hook, request: Request): Promise<EvaluateAnswer> {
  const { memory, options, client } = hook;
  // The same action again is the one that a person may have approved since.
  const action = `review ${JSON.stringify(request.input)}`;
  let answer = await evaluate(hook, request, memory.recall(action));
  if (answer.reviewRequestId !== null && options.onHold === 'wait') {
    const review = await client.reviews
      .waitFor(answer.reviewRequestId, { timeoutMs: options.waitMs })
      .catch(notYet);
    if (review) answer = await evaluate(hook, request, answer.reviewRequestId);
  }
  if (answer.reviewRequestId === null) memory.forget(action);
  else memory.keep(action, answer.reviewRequestId);
  return answer;
}

async function evaluate(hook: Hook, request: Request, review: string | null): Promise<EvaluateAnswer> {
  const { call, client, memory, options } = hook;
  const signal = AbortSignal.timeout(options.limitMs);
  const ask = (sessionId: string, reviewRequestId: string | null) =>
    client.evaluate(
      { ...request, sessionId, ...(reviewRequestId !== null && { reviewRequestId }) },
      { signal },
    );
  const find = async () => {
    const id = await findSession(client, call.conversation, signal);
    memory.keep('session', id);
    return id;
  };
  const remembered = memory.recall('session');
  if (remembered === null) return ask(await find(), review);
  try {
    return await ask(remembered, review);
  } catch (error) {
    if (!isGone(error)) throw error;
    // Its review, if any, was bound to that session.
    return ask(await find(), null);
  }
}

async function endConversation({ call, client, memory, options }: Hook): Promise<void> {
  const signal = AbortSignal.timeout(options.limitMs);
  const remembered = memory.recall('session');
  memory.clear();
  const filter = { externalSessionId: call.conversation, status: 'ACTIVE', size: 1 } as const;
  const id = remembered ?? (await client.sessions.list(filter, { signal })).data[0]?.id;
  if (id !== undefined) await client.sessions.end(id, {}, { signal });
}

/** The session ended, expired, or belongs to a database that is no more. */
const isGone = (error: unknown): boolean =>
  error instanceof AssizeError && (error.code === 'conflict' || error.code === 'not_found');

function notYet(error: unknown): null {
  if (error instanceof AssizeError && error.code === 'timeout') return null;
  throw error;
}

function sentence(error: unknown, { url, limitMs }: HookOptions): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer from ${url} within ${limitMs} ms`;
  return error instanceof AssizeError && error.status !== null
    ? `${url} answers: ${error.message}`
    : error.message;
}
