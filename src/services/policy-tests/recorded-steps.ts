import type { Detector } from '../../detectors/index.ts';
import { toolOf } from '../../engine/index.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { EvaluationSession } from '../../schemas/evaluation-sessions.ts';
import type { Evaluation } from '../../schemas/evaluations.ts';
import type { PolicyTestExpect, PolicyTestStep } from '../../schemas/policy-test-steps.ts';
import type { Review } from '../../schemas/reviews.ts';
import type { StandIns } from './stand-ins.ts';

/** A session with all that was recorded of it. */
export interface RecordedSession {
  session: Pick<EvaluationSession, 'id' | 'entityId' | 'parentSessionId' | 'metadata' | 'endedAt' | 'status'>;
  evaluations: readonly Evaluation[];
  reviews: readonly Pick<Review, 'id' | 'status' | 'decidedAt'>[];
}

export interface Recording {
  steps: PolicyTestStep[];
  /** What happened and no step can say. */
  left: string[];
}

type Moment = { at: string; session: RecordedSession } & ({ evaluation: Evaluation } | { ends: true });
type Content = Pick<PolicyTestStep, 'input' | 'prompt' | 'targetKey' | 'dataTags'>;

/**
 * The steps of a test in which what was recorded happens again, in the order of time. A parent must be among the sessions.
 * `policyName`: of the policy that the test is for, whose rules are named without it.
 */
export function recordedSteps(
  sessions: readonly RecordedSession[],
  { standIns, detector, policyName }: { standIns: StandIns; detector: Detector; policyName: string },
): Recording {
  const names = new Map(sessions.map(({ session }, place) => [session.id, nameOf(place)]));
  const entities = [...new Set(sessions.map(({ session }) => session.entityId))].filter((id) => id !== null);
  const evaluations = sessions.flatMap((one) => one.evaluations);
  const results = new Map(
    evaluations.filter(({ resultOf }) => resultOf !== null).map((one) => [one.resultOf, one]),
  );
  const reviews = new Map(sessions.flatMap((one) => one.reviews).map((review) => [review.id, review]));
  for (const { input, targetKey, detections } of evaluations)
    standIns.learn({ input, targetKey }, detectedIn(input, detections));
  for (const { session } of sessions) standIns.learn(session.metadata);

  const left: string[] = [];
  const steps: PolicyTestStep[] = [];
  const opened = new Set<string>();
  let held: Evaluation | null = null;

  function opening({ session }: RecordedSession): Partial<PolicyTestStep> {
    const { id, parentSessionId, entityId, metadata } = session;
    const name = names.get(id);
    const named = name === undefined || name === nameOf(0) ? {} : { session: name };
    if (opened.has(id)) return named;
    opened.add(id);
    return {
      ...named,
      ...(parentSessionId !== null && { parent: names.get(parentSessionId) ?? nameOf(0) }),
      ...(entityId !== null && { entityId: `entity-${entities.indexOf(entityId) + 1}` }),
      ...(Object.keys(metadata).length > 0 && { metadata: standIns.replace(metadata) }),
    };
  }

  /** What was sent, with stand-ins, and the data tags that are not found in it any more. */
  function contentOf({ phase, tool, input, targetKey, dataTags }: Evaluation): Content & { tool?: string } {
    const shown = standIns.replace(input ?? {});
    const target = targetKey === null ? null : standIns.replace(targetKey);
    const again = new Set([
      ...detector.scan(shown).tags,
      ...(target === null ? [] : detector.scan(target).tags),
    ]);
    const missing = dataTags.filter((tag) => !again.has(tag));
    const { prompt } = shown as { prompt?: unknown };
    return {
      ...(phase === 'ACTION' && tool !== null && toolOf(shown, target ?? '') !== tool && { tool }),
      ...(phase === 'PROMPT'
        ? { prompt: typeof prompt === 'string' ? prompt : JSON.stringify(shown) }
        : { input: shown }),
      ...(target !== null && { targetKey: target }),
      ...(missing.length > 0 && { dataTags: missing }),
    };
  }

  function resultOf(action: Evaluation): Pick<PolicyTestStep, 'result'> {
    const result = results.get(action.evaluationRunId);
    if (!result) return {};
    const { input = {}, dataTags } = contentOf(result);
    const status = result.status ?? 'OK';
    return { result: { status, input, ...(dataTags && { dataTags }), expect: expectOf(result, policyName) } };
  }

  /** Whether the action is the one that was held last, done again after a person decided. */
  function decisionOn(action: Evaluation): 'approve' | 'reject' | null {
    const { enforcementAction, reviewRequestId, evaluationRunId, grants, createdAt } = action;
    const used = letsThrough(enforcementAction) && grants.length === 0 ? reviewRequestId : null;
    const isHeld = held !== null && isSameAction(held, action);
    if (used !== null) {
      if (isHeld && held?.reviewRequestId === used) return 'approve';
      left.push(`${evaluationRunId} used the approval of an action that was not the last one held`);
      return null;
    }
    const review = isHeld ? reviews.get(held?.reviewRequestId ?? '') : undefined;
    const isRejected = review?.status === 'REJECTED' && (review.decidedAt ?? '') <= createdAt;
    return isRejected && enforcementAction === 'BLOCK' ? 'reject' : null;
  }

  /** Null for a result, which is told with its action, and for the end of a session that nothing happened in. */
  function stepOf(moment: Moment): PolicyTestStep | null {
    if ('ends' in moment) {
      const { id } = moment.session.session;
      return opened.has(id) ? { end: names.get(id) ?? '' } : null;
    }
    const { evaluation, session } = moment;
    if (evaluation.resultOf !== null) return null;
    const decision = evaluation.phase === 'ACTION' ? decisionOn(evaluation) : null;
    const sent =
      decision === null ? { ...opening(session), ...contentOf(evaluation) } : { [decision]: true as const };
    if (evaluation.enforcementAction === 'APPROVAL_REQUIRED') held = evaluation;
    return { ...sent, expect: expectOf(evaluation, policyName), ...resultOf(evaluation) };
  }

  let last = '';
  for (const moment of momentsOf(sessions)) {
    const step = stepOf(moment);
    if (step === null) continue;
    steps.push(moment.at === last ? step : { at: moment.at, ...step });
    last = moment.at;
  }
  return { steps, left };
}

const nameOf = (place: number): string => (place === 0 ? 'main' : `session-${place + 1}`);

/** Ends matter to what comes after them only. */
function momentsOf(sessions: readonly RecordedSession[]): Moment[] {
  const evaluations = sessions.flatMap((session) =>
    session.evaluations.map((evaluation): Moment => ({ at: evaluation.createdAt, session, evaluation })),
  );
  const ends = sessions.flatMap((session): Moment[] =>
    session.session.endedAt === null || session.session.status === 'EXPIRED'
      ? []
      : [{ at: session.session.endedAt, session, ends: true }],
  );
  const inOrder = (one: Moment, other: Moment): number => {
    if (one.at !== other.at) return one.at < other.at ? -1 : 1;
    if ('ends' in one || 'ends' in other) return 'ends' in one ? 1 : -1;
    return one.evaluation.evaluationRunId < other.evaluation.evaluationRunId ? -1 : 1;
  };
  const moments = [...evaluations, ...ends].sort(inOrder);
  return moments.slice(0, moments.findLastIndex((moment) => 'evaluation' in moment) + 1);
}

const isSameAction = (held: Evaluation, again: Evaluation): boolean =>
  held.sessionId === again.sessionId &&
  held.tool === again.tool &&
  held.targetKey === again.targetKey &&
  JSON.stringify(held.input) === JSON.stringify(again.input);

/** What was detected and is still there: a text and its type. */
const detectedIn = (input: Evaluation['input'], detections: Evaluation['detections']) =>
  detections.flatMap(({ in: field, path, start, end, type }) => {
    const text = field === 'input' ? textAt(input, path) : null;
    return text === null || end > text.length || text.includes(`[${type}]`)
      ? []
      : [[text.slice(start, end), type] as const];
  });

function expectOf(
  { enforcementAction, severity, violations, labels }: Evaluation,
  policyName: string,
): PolicyTestExpect {
  const rules = violations
    .filter(({ policyId }) => policyId !== '')
    .map((one) => (one.policyName === policyName ? one.ruleId : `${one.policyName}/${one.ruleId}`));
  return { enforcementAction, severity, rules, ...(labels.length > 0 && { labels }) };
}

/** The text at a JSON Pointer; null where there is none. */
function textAt(value: unknown, pointer: string): string | null {
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'string' || typeof at === 'number' ? String(at) : null;
}
