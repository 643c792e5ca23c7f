import { type Decision, decide } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { EnforcementAction, Outcome, Violation } from '../schemas/decisions.ts';
import type { Approval, EvaluateAnswer, EvaluateRequest } from '../schemas/evaluations.ts';
import type {
  EvaluatedAction,
  NamedReview,
  NewEvaluation,
  SessionContext,
  Store,
  StoredIntegration,
  Verdict,
} from '../store/store.ts';
import { type Binding, hashAction, judgeApproval } from './approvals.ts';
import { type Answer, type EvaluationSessions, notActive } from './evaluation-sessions.ts';
import { notFoundBy } from './found.ts';
import { idempotencyAt, type OnceKey, unlessReused } from './once.ts';
import { checkPhase, findActionOf, hasResult } from './phases.ts';
import type { ScanContent } from './scanning/request-scanner.ts';
import type { SentTexts } from './sent-texts.ts';
import { SessionView } from './session-view.ts';
import { toolNamed } from './tool-names.ts';

export interface EvaluateOptions {
  transport: 'REST' | 'MCP';
  /** Adds `redactedInput` to the answer. */
  redact: boolean;
  once: OnceKey | null;
  /** The session to join when the request names none; the kind of the integration decides when this is absent too. */
  sessionName?: string;
  /** Of the request, where they are known. */
  sentTexts?: SentTexts | null;
  /** JSON text of the request, as it was sent. */
  text: string;
  /** Called when the content is scanned: what remains is to decide, and to wait for the disk. */
  onScanned?: (() => void) | undefined;
}

export interface Evaluations {
  /** Decides the action and records it. Resolves only when the record is durable; an error is never an ALLOW. */
  evaluate(
    integration: StoredIntegration,
    request: EvaluateRequest,
    options: EvaluateOptions,
  ): Promise<Answer>;
}

export function createEvaluations(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  sessions: EvaluationSessions;
  scan: ScanContent;
}): Evaluations {
  const { store, now, newId, sessions, scan } = deps;

  return {
    async evaluate(
      integration,
      request,
      { transport, redact, once, sessionName, sentTexts, text, onScanned },
    ) {
      checkPhase(request);
      const { phase = 'ACTION', status = null } = request;
      const action = phase === 'RESULT' ? await findActionOf(store, integration.id, request) : null;
      const named = phase === 'ACTION' ? toolNamed(request) : '';
      checkCallbackUrl(request.callbackUrl);
      const asked = {
        input: request.input,
        targetKey: request.targetKey ?? null,
        targetMetadata: request.targetMetadata ?? null,
        callbackUrl: request.callbackUrl ?? null,
        correlationId: request.correlationId ?? null,
        tool: named,
        retention: integration.settings.contentRetention,
        redact,
        texts: sentTexts ?? noTexts,
      };
      const { decidingPolicies, content } = await scan(integration, asked, text);
      onScanned?.();
      const { policies, reference, toolNames } = decidingPolicies;
      const { kept } = content;
      // Rules see the name that the session's counts are kept under, lest a name that is masked evades them.
      const tool = action ? action.tool : kept.tool;
      const at = now();
      const evaluation: NewEvaluation = {
        id: newId(),
        integrationId: integration.id,
        session: action ? sessionOf(action) : sessionFor(integration, request, sessionName, sessions),
        at,
        transport,
        phase,
        resultOf: request.resultOf?.toLowerCase() ?? null,
        resultStatus: status,
        toolNames,
        tool,
        targetKey: kept.targetKey,
        targetMetadata: kept.targetMetadata,
        correlationId: kept.correlationId,
        dataTags: content.tags,
        detections: content.detections,
        input: kept.input,
        policySet: reference,
        reviewRequestId: request.reviewRequestId?.toLowerCase() ?? null,
        idempotency: idempotencyAt(once, at),
      };

      const judge = (context: SessionContext, review: NamedReview | null): Verdict => {
        const decision = decide(policies, {
          input: request.input,
          targetKey: request.targetKey ?? '',
          tool,
          phase,
          resultStatus: status ?? '',
          dataTags: content.tags,
          detections: content.counts,
          integration,
          now: at,
          session: new SessionView(context, toolNames.mentioned),
        });
        const binding = {
          sessionId: context.id || null,
          tool,
          policySetKey: reference.key,
          inputHash:
            held(decision) || review ? hashAction(request.input, request.targetKey ?? null, phase) : '',
        };
        return verdictOf(evaluation, request, decision, binding, context.id || null, review, newId);
      };

      const result = unlessReused(await store.evaluations.record(evaluation, judge));
      switch (result.kind) {
        case 'no_session':
          throw notFoundBy('sessionId', 'evaluation session', '/sessionId');
        case 'no_review':
          throw notFoundBy('reviewRequestId', 'review', '/reviewRequestId');
        case 'no_action':
          throw notFoundBy('resultOf', 'evaluation', '/resultOf');
        case 'has_result':
          throw hasResult();
        case 'not_active':
          throw notActive(result.status, '/sessionId');
        default: {
          const { redactedInput } = content;
          const text = withOwn(result.answer, {
            correlationId: request.correlationId ?? null,
            ...(redactedInput && { redactedInput }),
          });
          return { text, replayed: result.kind === 'replayed' };
        }
      }
    },
  };
}

const held = (decision: Decision): boolean => decision.enforcementAction === 'APPROVAL_REQUIRED';

function checkCallbackUrl(url: string | undefined): void {
  if (url === undefined) return;
  const parsed = URL.parse(url);
  const ok = parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:');
  if (!ok || parsed.username !== '' || parsed.password !== '') {
    throw new AppError('invalid', 'must be an http or https URL without user name and password', {
      path: '/callbackUrl',
    });
  }
}

const sessionOf = ({ sessionId }: EvaluatedAction): NewEvaluation['session'] =>
  sessionId === null ? null : { id: sessionId };

function sessionFor(
  integration: StoredIntegration,
  request: EvaluateRequest,
  sessionName: string | undefined,
  sessions: EvaluationSessions,
): NewEvaluation['session'] {
  if (request.sessionId !== undefined) return { id: request.sessionId.toLowerCase() };
  if (sessionName !== undefined) return sessions.prepareNamed(integration.id, sessionName);
  return integration.kind === 'AGENT' ? { open: sessions.prepare(integration.id) } : null;
}

const noTexts: SentTexts = new Map();

/** Not part of the stored answer: the same request brings it again, and no setting allows to store it there. */
const withOwn = (answer: string, own: Pick<EvaluateAnswer, 'correlationId' | 'redactedInput'>): string =>
  `${answer.slice(0, -1)},${stringifyJson(own).slice(1)}`;

function verdictOf(
  evaluation: NewEvaluation,
  request: EvaluateRequest,
  decision: Decision,
  binding: Binding,
  sessionId: string | null,
  review: NamedReview | null,
  newId: () => string,
): Verdict {
  const reason = review && judgeApproval(review, decision, binding);
  const { enforcementAction, outcome } = lifted(decision, reason);
  const opened =
    enforcementAction === 'APPROVAL_REQUIRED' && reason !== 'pending'
      ? {
          id: newId(),
          inputHash: binding.inputHash,
          expiresAt: evaluation.at + decision.reviewExpirySeconds * 1_000,
          expirySeconds: decision.reviewExpirySeconds,
          callbackUrl: request.callbackUrl ?? null,
        }
      : null;
  const reviewRequestId = opened?.id ?? (reason === 'pending' ? evaluation.reviewRequestId : null);
  const violations = decision.violations.map((violation): Violation => ({ id: newId(), ...violation }));
  const approval: Approval | null =
    reason && evaluation.reviewRequestId !== null
      ? { reviewRequestId: evaluation.reviewRequestId, applied: reason === 'applied', reason }
      : null;
  const answer: Omit<EvaluateAnswer, 'correlationId'> = {
    evaluationRunId: evaluation.id,
    outcome,
    enforcementAction,
    severity: decision.severity,
    violations,
    dataTags: [...evaluation.dataTags],
    sessionId,
    reviewRequestId,
    pollUrl: reviewRequestId && `/v1/reviews/${reviewRequestId}`,
    ...(approval && { approval }),
  };
  return {
    outcome,
    enforcementAction,
    severity: decision.severity,
    enforcedSeverity: decision.enforcedSeverity,
    violations,
    review: opened,
    consumesReview: reason === 'applied',
    reviewRequestId,
    answer: JSON.stringify(answer),
  };
}

/** An approval lifts a hold into ALLOW; a rejection of this very action turns it into BLOCK: a human has said no. */
function lifted(
  decision: Decision,
  reason: Approval['reason'] | null,
): { enforcementAction: EnforcementAction; outcome: Outcome } {
  if (reason === 'applied') return { enforcementAction: 'ALLOW', outcome: 'FLAG' };
  if (reason === 'rejected') return { enforcementAction: 'BLOCK', outcome: 'DENY' };
  return decision;
}
