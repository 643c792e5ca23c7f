import { AppError, never } from '../errors.ts';
import { minuteMs } from '../schemas/durations.ts';
import { lateResultMs } from '../store/session-progress.ts';
import type { NewEvaluation, RecordResult } from '../store/store.ts';
import { notActive } from './evaluation-sessions.ts';
import { notFoundBy } from './found.ts';
import { hasResult } from './phases.ts';
import { quotaExceeded } from './quotas.ts';
import { mayNotOpen, otherEntity } from './session-choice.ts';
import { otherParent, parentRefused } from './session-parents.ts';

/** Why the store recorded nothing, where the caller must change its request. */
export type RefusedEvaluation = Exclude<
  RecordResult,
  { kind: 'recorded' | 'replayed' | 'key_reused' | 'lapsed' | 'stale' | 'delegated' | 'uncounted' }
>;

export function evaluationError(
  refused: RefusedEvaluation,
  { at, resultOf }: Pick<NewEvaluation, 'at' | 'resultOf'>,
): AppError {
  const isResult = resultOf !== null;
  switch (refused.kind) {
    case 'other_parent':
      return otherParent();
    case 'parent_not_active':
    case 'too_many_children':
      return parentRefused(refused);
    case 'over_quota':
      return quotaExceeded(refused, at);
    case 'may_not_open':
      return mayNotOpen();
    case 'no_session':
      return notFoundBy('sessionId', 'evaluation session', '/sessionId');
    case 'no_review':
      return notFoundBy('reviewRequestId', 'review', '/reviewRequestId');
    case 'no_action':
      return notFoundBy('resultOf', 'evaluation', '/resultOf');
    case 'other_entity':
      return otherEntity();
    case 'has_result':
      return hasResult();
    case 'not_active':
      return isResult ? tooLate(refused.status) : notActive(refused.status, '/sessionId');
    default:
      return never(refused);
  }
}

const tooLate = (status: string): AppError =>
  new AppError(
    'conflict',
    `the session is ${status}: results of its actions are taken for ${lateResultMs / minuteMs} minutes after its end`,
    { path: '/resultOf' },
  );
