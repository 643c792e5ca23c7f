import { countersOf, counterWrites } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { EvaluateAnswer, EvaluateRequest } from '../schemas/evaluations.ts';
import type {
  ActionReviews,
  CounterRows,
  EvaluatedAction,
  NewEvaluation,
  SessionContext,
  Store,
  StoredIntegration,
} from '../store/store.ts';
import { hashAction } from './approvals.ts';
import type { DecidingPolicies, DecidingPoliciesSource } from './deciding-policies.ts';
import type { DecisionObserver } from './decision-observer.ts';
import { type Answer, type EvaluationSessions, notActive } from './evaluation-sessions.ts';
import { notFoundBy } from './found.ts';
import { blocksAll, decideFor } from './no-policy.ts';
import { idempotencyAt, type OnceKey, replayedAnswer, unlessRefused } from './once.ts';
import { checkPhase, findActionOf, hasResult } from './phases.ts';
import { repeatsOf, repeatWrite } from './repeats.ts';
import { type ContentRequest, heldContent } from './request-content.ts';
import type { ScanContent } from './scanning/request-scanner.ts';
import type { SentTexts } from './sent-texts.ts';
import { chooseSession, otherEntity } from './session-choice.ts';
import { createShownValues } from './shown-values.ts';
import { toolNamed } from './tool-names.ts';
import { type AnsweredVerdict, verdictOf } from './verdicts.ts';

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
  ): Promise<Answer<EvaluateAnswer>>;
}

export function createEvaluations(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  sessions: EvaluationSessions;
  deciding: DecidingPoliciesSource;
  scan: ScanContent;
  /** How long idempotency keys are remembered; 0 turns them off. */
  idempotencyMs: number;
  observer?: DecisionObserver | undefined;
}): Evaluations {
  const { store, now, newId, sessions, deciding, scan, idempotencyMs, observer } = deps;

  /** Null when what decides changed before the decision by it was recorded. */
  async function evaluateOnce(
    decidingPolicies: DecidingPolicies,
    request: EvaluateRequest,
    { transport, redact, once, sessionName, sentTexts, text, onScanned }: EvaluateOptions,
  ): Promise<Answer<EvaluateAnswer> | null> {
    const beganAt = performance.now();
    const { integration, policies, detector, reference, revision, toolNames, needs } = decidingPolicies;
    checkPhase(request);
    const { phase = 'ACTION', status = null } = request;
    const action = phase === 'RESULT' ? await findActionOf(store, integration.id, request) : null;
    const named = phase === 'ACTION' ? toolNamed(request) : '';
    checkCallbackUrl(request.callbackUrl);
    const { contentRetention: retention } = integration.settings;
    const contentRequest: ContentRequest = {
      input: request.input,
      targetKey: request.targetKey ?? null,
      targetMetadata: request.targetMetadata ?? null,
      callbackUrl: request.callbackUrl ?? null,
      correlationId: request.correlationId ?? null,
      tool: named,
      retention,
      reviewInput: integration.settings.reviewInput,
      redact,
      texts: sentTexts ?? noTexts,
    };
    const content = await scan(decidingPolicies, contentRequest, text);
    onScanned?.();
    const { kept } = content;
    const show = retention === 'redacted' ? createShownValues(detector, content) : undefined;
    // Rules see the name that the session counts under. Otherwise a name that is masked in the counts would evade them.
    const tool = action ? action.tool : kept.tool;
    const at = now();
    let inputHash: string | undefined;
    const evaluation: NewEvaluation = {
      id: newId(),
      integrationId: integration.id,
      session: action
        ? sessionOf(action)
        : chooseSession(integration, request, { mcpName: sessionName, text }, sessions),
      at,
      transport,
      phase,
      resultOf: request.resultOf?.toLowerCase() ?? null,
      resultStatus: status,
      toolNames,
      needs,
      inputHash: () => {
        const { targetKey = null, targetMetadata = null } = request;
        inputHash ??= hashAction(request.input, targetKey, targetMetadata, phase);
        return inputHash;
      },
      tool,
      targetKey: kept.targetKey,
      targetMetadata: kept.targetMetadata,
      correlationId: kept.correlationId,
      dataTags: content.tags,
      detections: content.detections,
      input: kept.input,
      policySet: reference,
      revision,
      reviewRequestId: request.reviewRequestId?.toLowerCase() ?? null,
      idempotency: idempotencyAt(once, at, idempotencyMs, blocksAll(integration, policies)),
    };

    const judge = (
      context: SessionContext,
      reviews: ActionReviews,
      counters: CounterRows,
    ): AnsweredVerdict => {
      const exact = needs.repeats && phase === 'ACTION' ? { tool, inputHash: evaluation.inputHash() } : null;
      const repeats = exact ? repeatsOf(counters, exact) : 0;
      const decision = decideFor(
        integration,
        policies,
        {
          input: request.input,
          targetKey: request.targetKey ?? '',
          tool,
          phase,
          resultStatus: status ?? '',
          dataTags: content.tags,
          detections: content.counts,
          integration,
          now: at,
          session: context,
          toolsMentioned: toolNames.mentioned,
          repeats,
          counters: countersOf(counters, at),
        },
        show,
      );
      const decided = verdictOf(decision, reviews, {
        evaluation,
        retention,
        sessionId: context.id || null,
        callbackUrl: kept.callbackUrl,
        heldContent: () => heldContent(contentRequest, content),
        newId,
      });
      const { counted } = decision;
      if (counted.length === 0 && !exact) return decided;
      const writes = counterWrites(counted, decided.enforcementAction, counters, at);
      return { ...decided, counterWrites: exact ? [...writes, repeatWrite(exact, repeats)] : writes };
    };

    let verdict: AnsweredVerdict | undefined;
    const recorded = await store.evaluations.record(evaluation, (context, reviews, counters) => {
      verdict = judge(context, reviews, counters);
      return verdict;
    });
    const result = unlessRefused(recorded);
    switch (result.kind) {
      case 'stale':
        return null;
      case 'no_session':
        throw notFoundBy('sessionId', 'evaluation session', '/sessionId');
      case 'no_review':
        throw notFoundBy('reviewRequestId', 'review', '/reviewRequestId');
      case 'no_action':
        throw notFoundBy('resultOf', 'evaluation', '/resultOf');
      case 'other_entity':
        throw otherEntity();
      case 'has_result':
        throw hasResult();
      case 'not_active':
        throw notActive(result.status, '/sessionId');
      default: {
        const { redactedInput } = content;
        const own = { correlationId: request.correlationId ?? null, ...(redactedInput && { redactedInput }) };
        const text = withOwn(result.answer, own);
        if (result.kind === 'replayed' || !verdict) return replayedAnswer(text);
        observer?.decided(evaluation, verdict, (performance.now() - beganAt) / 1_000);
        return { data: { ...verdict.data, ...own }, text, replayed: false };
      }
    }
  }

  return {
    async evaluate({ id }, request, options) {
      for (let attempts = 0; attempts < mostAttempts; attempts++) {
        const answer = await evaluateOnce(await deciding.of(id), request, options);
        if (answer) return answer;
      }
      throw new AppError('unavailable', 'the policies keep changing', { retryAfterSeconds: 1 });
    },
  };
}

/** How often an action is decided because what decides changed meanwhile. */
const mostAttempts = 3;

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

const noTexts: SentTexts = new Map();

/** Adds fields that are never stored with the response: a repeated request sends them again. */
const withOwn = (answer: string, own: Pick<EvaluateAnswer, 'correlationId' | 'redactedInput'>): string =>
  `${answer.slice(0, -1)},${stringifyJson(own).slice(1)}`;
