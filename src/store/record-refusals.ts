import type { ParentRefusal } from './evaluation-sessions.ts';
import type { RecordResult } from './evaluations.ts';
import { respondAgain } from './idempotency.ts';
import type { Ancestor, Loaded } from './loaded-evaluation.ts';
import type { NewEvaluation } from './new-evaluations.ts';
import { mostChildren } from './session-places.ts';
import { type SessionProgress, statusAt, takesResultsAt } from './session-progress.ts';

type Refused = Exclude<RecordResult, { kind: 'recorded' }>;

/** The first reason for which nothing is recorded; null when there is none. */
export function firstRefusal(loaded: Loaded, evaluation: NewEvaluation): Refused | null {
  const { stored, revision, action, review } = loaded;
  const { idempotency, policySet } = evaluation;
  const { delegators } = evaluation;
  if (revision !== evaluation.revision) return { kind: 'stale' };
  if (delegators.some((one, place) => one.revision !== loaded.delegatorRevisions[place]))
    return { kind: 'stale' };
  const earlier = idempotency && respondAgain(stored, idempotency, policySet.key);
  if (earlier) return earlier;
  const refused = refusalBySession(loaded.session, evaluation) ?? refusalByTree(loaded, evaluation);
  if (refused) return refused;
  if (evaluation.resultOf !== null) {
    if (!action) return { kind: 'no_action' };
    if (action.hasResult) return { kind: 'has_result' };
  }
  if (evaluation.reviewRequestId !== null && !review) return { kind: 'no_review' };
  return null;
}

function refusalBySession(
  session: SessionProgress | null,
  { session: asked, mayOpen, at, resultOf }: NewEvaluation,
): Refused | null {
  if (!asked) return null;
  if (!session && !('id' in asked) && !mayOpen) return { kind: 'may_not_open' };
  if ('id' in asked) {
    if (!session) return { kind: 'no_session' };
    const status = statusAt(session, at);
    if (status === 'ACTIVE' || (resultOf !== null && takesResultsAt(session, at))) return null;
    return { kind: 'not_active', status };
  }
  const isOthers =
    'externalSessionId' in asked &&
    asked.entityId !== null &&
    session !== null &&
    session.entityId !== asked.entityId;
  return isOthers ? { kind: 'other_entity' } : null;
}

function refusalByTree({ session, ancestors }: Loaded, evaluation: NewEvaluation): Refused | null {
  const { session: asked, at, delegators } = evaluation;
  const opens = asked && 'open' in asked ? asked.open : null;
  if (session && opens?.place && session.place?.parentId !== opens.place.parentId)
    return { kind: 'other_parent' };
  const place = session ? session.place : (opens?.place ?? null);
  const integrationIds = place?.delegatedBy ?? [];
  const isDecided =
    integrationIds.length === delegators.length &&
    delegators.every(({ integrationId }) => integrationIds.includes(integrationId));
  if (!isDecided) return { kind: 'delegated', integrationIds };
  if (session || !opens?.place) return null;
  return refusalByParent(ancestors[0] ?? null, at);
}

/** Why a session cannot have another child now; null when it can. */
export function refusalByParent(parent: Ancestor | null, at: number): ParentRefusal | null {
  const status = parent ? statusAt(parent, at) : 'EXPIRED';
  if (status !== 'ACTIVE') return { kind: 'parent_not_active', status };
  return (parent?.childCount ?? 0) < mostChildren ? null : { kind: 'too_many_children' };
}
