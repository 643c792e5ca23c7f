import type { Detector } from '../../detectors/index.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import { isoTime } from '../../services/times.ts';
import type {
  NewEvaluation,
  NewEvent,
  NewSession,
  SessionContext,
  StoredIntegration,
  Verdict,
} from '../../store/store.ts';
import { sessionOpened } from '../sessions/events.ts';
import type { EventType } from './event-types.ts';

/**
 * The name of a tool in an event; null when there is none. The integration may keep names as they were sent, but an event
 * goes into logs and to other services: what is detected in the name is masked.
 */
export const shownTool = (tool: string, detector: Pick<Detector, 'scan'>): string | null =>
  tool === '' ? null : (detector.scan(tool).redacted() as string);

const typeOf: Readonly<Record<EnforcementAction, EventType | null>> = {
  ALLOW: null,
  WARN: 'evaluation.warned',
  APPROVAL_REQUIRED: 'evaluation.held',
  BLOCK: 'evaluation.blocked',
};

/** An event names so many violations; `violationCount` is of all. */
const mostViolations = 20;
const none: readonly NewEvent[] = [];

/** The events of an evaluation: none when it is allowed, opens no session and uses no approval. Pure except for `newId`. */
export function evaluationEvents(
  evaluation: NewEvaluation,
  verdict: Omit<Verdict, 'events'>,
  of: {
    integration: Pick<StoredIntegration, 'name'>;
    context: Pick<SessionContext, 'id'>;
    newId: () => string;
    detector: Pick<Detector, 'scan'>;
  },
): readonly NewEvent[] {
  const type = typeOf[verdict.enforcementAction];
  const opens = openedBy(evaluation, of.context);
  if (type === null && !opens && !verdict.consumesReview) return none;
  const { integrationId, at } = evaluation;
  const { newId } = of;
  const event = (type: EventType, subject: string, data: object): NewEvent => ({
    id: newId(),
    type,
    at,
    integrationId,
    subject,
    data: JSON.stringify(data),
  });
  const common = {
    integrationId,
    integrationName: of.integration.name,
    sessionId: of.context.id || null,
    evaluationRunId: evaluation.id,
    tool: shownTool(evaluation.tool, of.detector),
  };
  const events: NewEvent[] = [];
  if (opens) events.push(sessionOpened(opens, newId));
  if (type !== null) {
    events.push(
      event(type, `evaluations/${evaluation.id}`, {
        ...common,
        phase: evaluation.phase,
        outcome: verdict.outcome,
        enforcementAction: verdict.enforcementAction,
        severity: verdict.severity,
        reviewRequestId: verdict.reviewRequestId,
        violations: verdict.violations.slice(0, mostViolations).map(shownViolation),
        violationCount: verdict.violations.length,
        dataTags: evaluation.dataTags,
      }),
    );
  }
  if (verdict.review) {
    events.push(
      event('review.opened', `reviews/${verdict.review.id}`, {
        reviewRequestId: verdict.review.id,
        ...common,
        severity: verdict.severity,
        dataTags: evaluation.dataTags,
        rules: ruleNames(verdict),
        createdAt: isoTime(at),
        expiresAt: isoTime(verdict.review.expiresAt),
      }),
    );
  }
  if (verdict.fullQueue)
    events.push(
      event('review.limit-reached', `evaluations/${evaluation.id}`, { ...common, ...verdict.fullQueue }),
    );
  if (verdict.consumesReview && evaluation.reviewRequestId !== null) {
    const { reviewRequestId } = evaluation;
    events.push(
      event('review.consumed', `reviews/${reviewRequestId}`, { reviewRequestId, ...common, at: isoTime(at) }),
    );
  }
  return events;
}

/** The event of a call of a tool that is not in the catalogue. */
export function undescribedTool(
  { id, integrationId, at, tool }: Pick<NewEvaluation, 'id' | 'integrationId' | 'at' | 'tool'>,
  of: Pick<Parameters<typeof evaluationEvents>[2], 'integration' | 'newId' | 'detector'>,
): NewEvent {
  const type: EventType = 'tool.undescribed';
  const data = {
    integrationId,
    integrationName: of.integration.name,
    evaluationRunId: id,
    tool: shownTool(tool, of.detector),
  };
  const subject = `integrations/${integrationId}`;
  return { id: of.newId(), type, at, integrationId, subject, data: JSON.stringify(data) };
}

/** The session that an evaluation opens; null when it joins one. */
const openedBy = ({ session }: NewEvaluation, { id }: Pick<SessionContext, 'id'>): NewSession | null =>
  session && 'open' in session && session.open.id === id ? session.open : null;

/** A violation as events show it: its message stays out, because it may show content. */
const shownViolation = (violation: Verdict['violations'][number]) => ({
  policyId: violation.policyId,
  policyName: violation.policyName,
  policyVersion: violation.policyVersion,
  ruleId: violation.ruleId,
  ruleName: violation.ruleName,
  severity: violation.severity,
  enforcementAction: violation.enforcementAction,
  reason: violation.reason,
});

const ruleNames = ({ violations }: Pick<Verdict, 'violations'>): string[] => [
  ...new Set(violations.slice(0, mostViolations).map(({ ruleName }) => ruleName)),
];
