import { recentActionsLimit, type SessionStatus } from '../schemas/evaluation-sessions.ts';
import type { SessionAction, SessionContext } from '../schemas/session-context.ts';
import type { NewSession } from './evaluation-sessions.ts';
import type { NewEvaluation, Verdict } from './evaluations.ts';
import { countEvaluation, type SessionCounts } from './session-counts.ts';

/** What is written of a session's status; EXPIRED is derived from the clock. */
export interface WrittenStatus {
  readonly status: Exclude<SessionStatus, 'EXPIRED'>;
  readonly expiresAt: number;
}

/** `expiresAt` itself is already too late. */
export const statusAt = ({ status, expiresAt }: WrittenStatus, now: number): SessionStatus =>
  status === 'ACTIVE' && expiresAt <= now ? 'EXPIRED' : status;

/** A session as its next evaluation finds it, and as `advance` changes it. */
export interface SessionProgress extends SessionContext, SessionCounts, WrittenStatus {
  actionCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  dataTags: string[];
  toolCounts: ReadonlyMap<string, number>;
  /** Empty while `hasRecentActions` is false, and replaced, never changed. */
  recentActions: readonly SessionAction[];
  hasRecentActions: boolean;
}

/** Adds a recorded evaluation to what its session has seen (contract, "What a rule sees"). */
export function advance(
  progress: SessionProgress,
  evaluation: NewEvaluation,
  { enforcementAction, enforcedSeverity }: Pick<Verdict, 'enforcementAction' | 'enforcedSeverity'>,
): void {
  countEvaluation(progress, evaluation, enforcementAction);
  if (evaluation.phase !== 'ACTION' || !progress.hasRecentActions) return;
  const action: SessionAction = {
    seq: progress.actionCount,
    tool: evaluation.tool,
    targetKey: evaluation.targetKey,
    dataTags: [...evaluation.dataTags],
    enforcementAction,
    severity: enforcedSeverity,
    at: evaluation.at,
  };
  progress.recentActions = [action, ...progress.recentActions.slice(0, recentActionsLimit - 1)];
}

/** What the first evaluation of a session sees. */
export const newContext = (
  session: Pick<NewSession, 'id' | 'entityId' | 'metadata' | 'startedAt'>,
): SessionContext => ({
  id: session.id,
  entityId: session.entityId,
  metadata: session.metadata,
  startedAt: session.startedAt,
  actionCount: 0,
  warningCount: 0,
  blockCount: 0,
  reviewCount: 0,
  dataTags: [],
  toolCounts: new Map(),
  attemptCounts: new Map(),
  recentActions: [],
});
