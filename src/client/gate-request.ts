import type { Phase, ResultStatus } from '../schemas/decisions.ts';
import type { EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import type { GateSession } from './gate-sessions.ts';

/** A request for a decision. Its session and `waitMs` win over those of the gate. */
export interface GateRequest extends GateSession {
  /** Default ACTION. */
  phase?: Phase;
  /** The tool's name; of an ACTION. */
  tool?: string;
  /** The arguments of an ACTION, the text or messages of a PROMPT, or what an action returned. */
  input?: unknown;
  /** The whole `input` that policies see, where `tool` and `input` do not describe it. */
  fields?: Readonly<Record<string, unknown>>;
  /** The cost by unit, as in `evaluate`: of an ACTION the estimate, of a RESULT the final amount. */
  cost?: EvaluateRequest['cost'];
  /** Kept for audit, and part of what an approval is bound to. */
  targetMetadata?: EvaluateRequest['targetMetadata'];
  /** RESULT only: the `evaluationRunId` that let the action through. */
  resultOf?: string;
  /** RESULT only; default OK. */
  status?: ResultStatus;
  /** The message in which a model will read the content. One that the session let through is not evaluated again. */
  message?: unknown;
  waitMs?: number;
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface GateResult {
  /**
   * `proceed`: do the action, or show the content. `replace`: show the model `message` in place of the content. `hold`: do
   * not do it yet. `refuse`: do not do it.
   */
  action: 'proceed' | 'replace' | 'hold' | 'refuse';
  /** For the model. Empty when nothing is to be said. */
  message: string;
  /** Null when there is no decision, and for content that was let through before. */
  evaluation: EvaluateResult | null;
  /** The review that a held action waits for. */
  reviewRequestId: string | null;
  /** Why there is no decision. */
  error: Error | null;
}

/** Limits of what is told: a model reads, and its owner pays for, all of it. */
const [mostReasons, longestReason] = [5, 1_000] as const;

/** The reason of a decision, for the model and the person who read it. Quotes nothing of what was evaluated. */
export function messageOf(evaluation: EvaluateResult): string {
  const { enforcementAction, violations, reviewRequestId, approval } = evaluation;
  const told = violations.slice(0, mostReasons).map(({ message }) => short(message));
  const more = violations.length - told.length;
  const reasons = `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  if (enforcementAction === 'ALLOW') return '';
  if (enforcementAction === 'WARN') return `warning of a policy: ${reasons}`;
  if (approval?.reason === 'rejected') {
    const said = approval.comment ? `, who says: ${short(approval.comment)}` : '';
    return `rejected by a reviewer${said} (${reasons})`;
  }
  if (enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null)
    return `blocked by policy: ${reasons}`;
  return `waiting for approval (review ${reviewRequestId}), not done yet: ${reasons}`;
}

/** The text for a model when there is no decision. The reason names no content: errors of the service never do. */
export const undecidedMessage = (error: Error): string =>
  `not done, because no decision could be made: ${short(error.message)}`;

const short = (text: string): string =>
  text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
