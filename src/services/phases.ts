import { AppError } from '../errors.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { EvaluatedAction, Store } from '../store/store.ts';
import { notFoundBy } from './found.ts';
import { checkSessionOfResult } from './session-choice.ts';

type Field = keyof EvaluateRequest;

/** Refuses fields that the phase of the request does not have, and those it needs and lacks. */
export function checkPhase(request: EvaluateRequest): void {
  const refuse = (field: Field, message: string): never => {
    throw new AppError('invalid', message, { path: `/${field}` });
  };
  if (request.phase === 'RESULT') {
    if (request.resultOf === undefined) refuse('resultOf', 'a RESULT must name the evaluation of its action');
    if (request.status === undefined) refuse('status', 'a RESULT must say OK or FAILED');
    if (request.callbackUrl !== undefined) refuse('callbackUrl', 'a RESULT is never held for approval');
    if (request.reviewRequestId !== undefined)
      refuse('reviewRequestId', 'a RESULT is never held for approval');
    return;
  }
  if (request.resultOf !== undefined)
    refuse('resultOf', 'only a RESULT names an action: add "phase": "RESULT"');
  if (request.status !== undefined) refuse('status', 'only a RESULT has a status: add "phase": "RESULT"');
  if (request.phase === 'PROMPT' && request.reviewRequestId !== undefined) {
    refuse('reviewRequestId', 'a PROMPT cannot use an approval');
  }
}

/**
 * The action of a RESULT, whose session and tool are those of the result. What is checked here never changes; whether
 * the action already has a result is checked when the result is recorded.
 */
export async function findActionOf(
  store: Store,
  integrationId: string,
  request: EvaluateRequest,
): Promise<EvaluatedAction> {
  const { resultOf = '', sessionId } = request;
  const action = await store.evaluations.findAction(integrationId, resultOf);
  if (!action) throw notFoundBy('resultOf', 'evaluation', '/resultOf');
  if (sessionId !== undefined && sessionId.toLowerCase() !== action.sessionId) {
    const message = 'the session of a RESULT is that of its action: leave sessionId out';
    throw new AppError('invalid', message, { path: '/sessionId' });
  }
  checkSessionOfResult(request, action.externalSessionId);
  if (action.phase !== 'ACTION') throw conflict(`the evaluation is a ${action.phase}, which has no result`);
  if (!letsThrough(action.enforcementAction)) {
    throw conflict(
      action.enforcementAction === 'BLOCK'
        ? 'the action was blocked, so it has no result'
        : 'the action was held: its result belongs to the evaluation that used the approval',
    );
  }
  return action;
}

export const hasResult = (): AppError => conflict('the action already has a result');

const conflict = (message: string): AppError => new AppError('conflict', message, { path: '/resultOf' });
