import { createHash } from 'node:crypto';
import type { Replayed } from './tally.ts';
import type { Trace, TracedStep } from './traces.ts';

export interface Target {
  url: string;
  adminKey: string;
}

interface Evaluated {
  evaluationRunId: string;
  enforcementAction: string;
  reviewRequestId: string | null;
  violations: { ruleId: string; message: string }[];
}

/** Sends a request and gives the `data` of its response. Throws on any other than a success. */
export async function request(
  { url }: Target,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<never> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { success, data, errors } = (await response.json()) as {
    success: boolean;
    data: never;
    errors: unknown;
  };
  if (!success) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(errors)}`);
  return data;
}

/**
 * Replays a trace in a session of its own: what the user says as PROMPT, each call as ACTION, and what it returned as RESULT.
 * A held call that serves no injected goal is approved, so that the rest of the trace has its result. The first stopped call
 * of an injected goal ends the trace: the agent waits, and what it would do next is not known.
 */
export async function replay(target: Target, key: string, trace: Trace): Promise<Replayed> {
  const session = { externalSessionId: trace.id, entityId: uuidOf(trace.entity) };
  const evaluate = (body: object): Promise<Evaluated> => request(target, key, 'POST', '/v1/evaluate', body);
  const say = (text: string) => evaluate({ ...session, phase: 'PROMPT', input: { prompt: text } });
  const actions: (string | null)[] = trace.steps.map(() => null);
  const rules: string[][] = trace.steps.map(() => []);
  const [first] = trace.steps;
  if (!first?.user_before?.includes(trace.user)) await say(trace.user);
  for (const [index, step] of trace.steps.entries()) {
    for (const text of step.user_before ?? []) await say(text);
    const action = { ...session, input: { tool: step.tool, arguments: step.arguments } };
    let evaluated = await evaluate(action);
    actions[index] = evaluated.enforcementAction;
    rules[index] = evaluated.violations.map(({ ruleId }) => ruleId);
    if (evaluated.enforcementAction === 'APPROVAL_REQUIRED' && !step.malicious) {
      const { reviewRequestId } = evaluated;
      await request(target, target.adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
      evaluated = await evaluate({ ...action, reviewRequestId });
    }
    if (evaluated.enforcementAction === 'ALLOW' || evaluated.enforcementAction === 'WARN')
      await evaluate(resultOf(evaluated.evaluationRunId, step));
    else if (step.malicious) break;
  }
  return { trace, actions, rules };
}

const resultOf = (evaluationRunId: string, { result, error }: TracedStep): object => ({
  phase: 'RESULT',
  resultOf: evaluationRunId,
  status: error ? 'FAILED' : 'OK',
  input: { result },
});

/** The API takes UUIDs: the same name has the same one. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
