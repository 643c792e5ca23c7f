import type { Violation } from '../schemas/decisions.ts';
import { minuteMs } from '../schemas/durations.ts';
import { recentActionsLimit, type SessionStatus } from '../schemas/evaluation-sessions.ts';
import type { SessionAction, SessionContext } from '../schemas/session-context.ts';
import type { NewSession } from './evaluation-sessions.ts';
import type { NewEvaluation } from './new-evaluations.ts';
import { countEvaluation, type SessionCounts } from './session-counts.ts';
import { rootIdOf, type SessionPlace } from './session-places.ts';
import type { Verdict } from './verdicts.ts';

/** What is written of a session's status; EXPIRED is derived from the clock. */
export interface WrittenStatus {
  readonly status: Exclude<SessionStatus, 'EXPIRED'>;
  readonly expiresAt: number;
}

/** `expiresAt` itself is already too late. */
export const statusAt = ({ status, expiresAt }: WrittenStatus, now: number): SessionStatus =>
  status === 'ACTIVE' && expiresAt <= now ? 'EXPIRED' : status;

/** How long the results of actions are taken that a session let through before it was over. */
export const lateResultMs = 15 * minuteMs;

/** Whether the session is ACTIVE, or takes results of its actions still. */
export const takesResultsAt = (
  session: Pick<SessionProgress, 'status' | 'expiresAt' | 'endedAt'>,
  now: number,
): boolean => now < (session.endedAt ?? session.expiresAt) + lateResultMs;

/** A session as its next evaluation finds it, and as `advance` changes it. */
export interface SessionProgress extends SessionContext, SessionCounts, WrittenStatus {
  readonly place: SessionPlace | null;
  /** Null until it is ended; one that expires is never ended. */
  readonly endedAt: number | null;
  actionCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string[];
  labels: string[];
  monitoredLabels: string[];
  toolCounts: ReadonlyMap<string, number>;
  /** Empty while `hasRecentActions` is false, and replaced, never changed. */
  recentActions: readonly SessionAction[];
  hasRecentActions: boolean;
}

/** Adds a recorded evaluation to what its session has seen (contract, "What a rule sees"). */
export function advance(
  progress: SessionProgress,
  evaluation: Pick<NewEvaluation, 'phase' | 'tool' | 'targetKey' | 'dataTags' | 'toolNames' | 'at'>,
  verdict: Pick<
    Verdict,
    'enforcementAction' | 'enforcedSeverity' | 'labels' | 'monitoredLabels' | 'violations' | 'repeats'
  >,
): void {
  const { enforcementAction, enforcedSeverity } = verdict;
  countEvaluation(progress, evaluation, verdict);
  if (evaluation.phase !== 'ACTION' || !progress.hasRecentActions) return;
  const action: SessionAction = {
    seq: progress.actionCount,
    tool: evaluation.tool,
    targetKey: evaluation.targetKey,
    dataTags: [...evaluation.dataTags],
    enforcementAction,
    severity: enforcedSeverity,
    ...findingsOf(verdict.violations),
    labels: verdict.labels,
    repeats: verdict.repeats,
    at: evaluation.at,
  };
  progress.recentActions = [action, ...progress.recentActions.slice(0, recentActionsLimit - 1)];
}

/** What is told of the findings of an earlier action. */
export const findingsOf = (violations: readonly Violation[]): Pick<SessionAction, 'rules' | 'reasons'> => ({
  rules: [...new Set(violations.map(({ ruleId }) => ruleId))],
  reasons: [...new Set(violations.map(({ reason }) => reason))],
});

/** What the first evaluation of a session sees. */
export const newContext = (
  session: Pick<NewSession, 'id' | 'entityId' | 'metadata' | 'startedAt' | 'place'>,
): SessionContext => ({
  id: session.id,
  rootId: rootIdOf(session),
  parentId: session.place?.parentId ?? null,
  depth: session.place?.depth ?? 0,
  tree: null,
  entityId: session.entityId,
  metadata: session.metadata,
  startedAt: session.startedAt,
  actionCount: 0,
  warningCount: 0,
  blockCount: 0,
  reviewCount: 0,
  rejectionCount: 0,
  dataTags: [],
  labels: [],
  monitoredLabels: [],
  toolCounts: new Map(),
  attemptCounts: new Map(),
  recentActions: [],
});
