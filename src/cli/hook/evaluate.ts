import { AssizeError } from '../../client/error.ts';
import { heldBy, isLetThrough } from '../../client/gate-history.ts';
import type { EvaluateRequest, EvaluateResult } from '../../schemas/evaluations.ts';
import { findSession, type Hook } from './conversation.ts';
import type { Subject } from './payload.ts';

type Of<Phase extends Subject['phase']> = Extract<Subject, { phase: Phase }>;

/** Evaluates what an event carries. Rejects when it cannot be decided. */
export function evaluateSubject(hook: Hook, subject: Subject): Promise<EvaluateResult> {
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
