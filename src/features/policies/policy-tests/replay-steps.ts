import { stringifyJson } from '../../../json/stringify.ts';
import { lengthMs } from '../../../policy/counters/window.ts';
import { differencesFrom, type ReplaySteps } from '../../../policy/document/document-tests.ts';
import { epochMs } from '../../../policy/document/test-subject.ts';
import { toolOf } from '../../../policy/tool-calls.ts';
import { letsThrough } from '../../../schemas/decisions.ts';
import { givenIdentity } from '../../../schemas/identities.ts';
import type { PolicyTestExpect, PolicyTestStep } from '../../../schemas/policy-tests.ts';
import { createMemoryRecord } from './memory-record.ts';
import { end, type MemorySession } from './memory-session.ts';

import { createStepEvaluator, type StepEvaluation, type StepRequest } from './step-evaluator.ts';

/** When the first step happens, unless it says so: fixed, so that a test has the same result every day. */
const firstMoment = '2026-01-01T12:00:00Z';
const firstSession = 'main';

/** Why a step is not what the test expects. */
class StepFailure extends Error {}

interface Held {
  request: StepRequest;
  reviewRequestId: string;
}

/** Replays the steps of a test through what decides and records every evaluation, in memory and on a clock of their own. */
export const replaySteps: ReplaySteps = (replay) => {
  const { steps, policies, budget } = replay;
  const [own] = policies;
  const record = createMemoryRecord();
  const evaluate = createStepEvaluator(replay, record);
  let now = epochMs(firstMoment);
  let held: Held | null = null;

  function send(request: StepRequest, expect: PolicyTestExpect | undefined, what: string): StepEvaluation {
    const evaluated = evaluate(request);
    if (budget.steps > budget.most) throw new StepFailure('the steps up to it took too long');
    if (typeof evaluated === 'string') throw new StepFailure(`${what}: ${refusals[evaluated] ?? evaluated}`);
    const { verdict, before } = evaluated;
    const differences = differencesOf(verdict, expect, own?.policyName ?? '');
    if (differences.length > 0) {
      const saw = before === '' ? 'nothing had happened before it' : `before it: ${before}`;
      throw new StepFailure(`${what}: ${differences.join('; ')}; ${saw}`);
    }
    if (verdict.enforcementAction === 'APPROVAL_REQUIRED' && verdict.reviewRequestId !== null)
      held = { request, reviewRequestId: verdict.reviewRequestId };
    return evaluated;
  }

  function act(request: StepRequest, step: PolicyTestStep): void {
    const { verdict } = send(request, step.expect, nameOf(request));
    if (!step.result) return;
    const { evaluationRunId, enforcementAction } = verdict.data;
    if (!letsThrough(enforcementAction))
      throw new StepFailure('an action that is not let through has no result');
    const { status = 'OK', input = {}, cost = null, dataTags = [], expect } = step.result;
    const result: StepRequest = {
      ...request,
      phase: 'RESULT',
      input,
      targetKey: null,
      dataTags,
      resultOf: evaluationRunId,
      resultStatus: status,
      cost,
      reviewRequestId: null,
    };
    send(result, expect, `the result of ${nameOf(request)}`);
  }

  function decideHeld(step: PolicyTestStep): void {
    const status = step.approve ? 'APPROVED' : 'REJECTED';
    if (held === null) throw new StepFailure(`nothing is held that could be ${status}`);
    const { request, reviewRequestId } = held;
    if (!record.decideReview(reviewRequestId, status, now))
      throw new StepFailure(
        'the review of what was held last expired, ended with its session or was decided',
      );
    act({ ...request, at: now, reviewRequestId }, step);
  }

  function sessionOf(name: string): MemorySession {
    const session = record.sessionNamed(name, now);
    if (session === null) throw new StepFailure(`there is no ACTIVE session "${name}"`);
    return session;
  }

  for (const [index, step] of steps.entries()) {
    try {
      now = momentOf(step, now);
      if (step.end !== undefined) end(sessionOf(step.end), now);
      else if (step.approve || step.reject) decideHeld(step);
      else for (let times = step.times ?? 1; times > 0; times--) act(requestOf(step, now, sessionOf), step);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      return { step: index, message: `step ${index + 1}, ${error.message}` };
    }
  }
  return null;
};

function momentOf({ at, after }: PolicyTestStep, now: number): number {
  if (after !== undefined) return now + lengthMs(after);
  if (at === undefined) return now;
  const moment = epochMs(at);
  if (moment < now) throw new StepFailure(`at: ${at} is before the step before it`);
  return moment;
}

function requestOf(
  step: PolicyTestStep,
  at: number,
  sessionOf: (name: string) => MemorySession,
): StepRequest {
  const { prompt, targetKey, cost, session, parent, entityId, metadata, dataTags = [] } = step;
  const input = prompt === undefined ? (step.input ?? {}) : { prompt };
  return {
    phase: prompt === undefined ? 'ACTION' : 'PROMPT',
    at,
    session: {
      name: session ?? firstSession,
      entityId: entityId ?? null,
      metadata: stringifyJson(metadata ?? {}),
      parent: parent === undefined ? null : sessionOf(parent),
    },
    tool: prompt === undefined ? (step.tool ?? toolOf(input, targetKey ?? '')) : '',
    input,
    targetKey: targetKey ?? null,
    dataTags,
    resultOf: null,
    resultStatus: null,
    cost: cost ?? null,
    identity: givenIdentity(step.identity),
    reviewRequestId: null,
  };
}

/** A step that says nothing is there for those after it, so it has to be let through. */
function differencesOf(
  verdict: StepEvaluation['verdict'],
  expect: PolicyTestExpect | undefined,
  policyName: string,
): string[] {
  if (expect !== undefined) return differencesFrom(expect, verdict, policyName);
  if (letsThrough(verdict.enforcementAction)) return [];
  const through = { enforcementAction: 'ALLOW' } as const;
  return [
    'expects nothing, so it must be let through',
    ...differencesFrom(through, verdict, policyName).filter((text) => !text.startsWith('expected ')),
    `found ${verdict.enforcementAction}`,
  ];
}

const nameOf = ({ phase, tool }: StepRequest): string => {
  if (phase === 'PROMPT') return 'a prompt';
  return tool === '' ? 'an action without a tool' : tool;
};

const refusals: Readonly<Record<string, string>> = {
  other_entity: 'its session belongs to another entity',
  no_review: 'there is no review of it',
  no_action: 'there is no action that it is the result of',
  has_result: 'its action has a result already',
  not_active: 'its session is not ACTIVE',
};
