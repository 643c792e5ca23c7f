import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Awaitable, chain } from '../awaitable.ts';
import { AppError, never } from '../errors.ts';
import { evaluationEvents, shownTool, undescribedTool } from '../features/events/evaluation-events.ts';
import { assertScope } from '../features/integrations/service.ts';
import type { KeyScope } from '../features/integrations/words.ts';
import type { EvaluationSessions, ServiceResponse } from '../features/sessions/service.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { CompiledPolicy } from '../policy/compile-policy.ts';
import type { CallRead } from '../policy/reads.ts';
import { minuteMs } from '../schemas/durations.ts';
import type { EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import type { IntegrationCaller } from '../services/access/authentication.ts';
import type { Identities } from '../services/identities/identities.ts';
import type { ProvenIdentity } from '../services/identities/token.ts';
import { notFoundBy } from '../services/refusals.ts';
import type { EvaluatedAction } from '../store/evaluations.ts';
import type { Store } from '../store/store.ts';
import { type AskedAction, contentOf, hasResult, readAction } from './action.ts';
import { rejectedReason } from './approval.ts';
import { cataloguedOf, stops, ToldTools } from './catalogue.ts';
import {
  actionHashes,
  digestsWith,
  hashAction,
  heldContent,
  masksMessages,
  type RequestContent,
  rejectionHash,
  sha256,
} from './content.ts';
import { createCounterHistory } from './counters/history.ts';
import type { NewEvaluation } from './evaluation.ts';
import {
  type IdempotencyKey,
  idempotencyAt,
  replayedResponse,
  requestedBy,
  unlessRefused,
} from './idempotency.ts';
import type { DecidingPolicies, DecidingPoliciesSource } from './in-force.ts';
import { blocksAll, identityFinding, type Judging, judge } from './judge.ts';
import { createShownValues } from './masked-messages.ts';
import type { Decide, RecordResult } from './port.ts';
import { quotaExceeded, reviewLimitsOf } from './quotas.ts';
import type { ScanContent } from './scanning/scan-pool.ts';
import { lateResultMs } from './session.ts';
import {
  chooseSession,
  findParent,
  mayNotOpen,
  notActive,
  otherEntity,
  otherIdentity,
  otherParent,
  type ParentOfNew,
  parentRefused,
} from './session-choice.ts';
import type { SentTexts } from './verbatim-texts.ts';
import type { VerdictWithResponse } from './verdict.ts';

export interface EvaluationOptions {
  transport: 'REST' | 'MCP';
  /** Adds `redactedInput` to the response. */
  redact: boolean;
  idempotencyKey: IdempotencyKey | null;
  /** The session to join when the request names none; the kind of the integration decides when this is absent too. */
  sessionName?: string;
  /** Long texts of the request as they were sent, where they are known. */
  sentTexts?: SentTexts | null;
  /** JSON text of the request, as it was sent. */
  text: string;
  /** Whether the request is what `JSON.parse` makes of the text. */
  isPlain?: boolean;
  /** When the request was read, by `performance.now()`; now when absent. */
  beganAt?: number;
  /** The span of the caller. */
  trace?: TraceParent | null;
  /** JSON Web Token of who acts; null or absent when none was sent. */
  identityToken?: string | null;
  /**
   * Only decides: nothing is recorded, and no limit is used. Says what is known of the call. The violations are those that every call
   * of which this is known would have.
   */
  previews?: Exclude<CallRead, 'arguments'>;
  /** Called when the content is scanned: what remains is to decide, and to wait for the disk. */
  onScanned?: (() => void) | undefined;
}

export interface Evaluations {
  /** Decides the action and records it. Resolves only when the record is durable; an error is never an ALLOW. */
  evaluate(
    caller: IntegrationCaller,
    request: EvaluateRequest,
    options: EvaluationOptions,
  ): Promise<ServiceResponse<EvaluateResult>>;
}

/**
 * Characters of a request above which the hash of a possible rejection is made in a turn of the event loop before the decision.
 * In one turn, the hash and a hold of 1 MB would block other requests for 22 ms.
 */
const ownTurnText = 262_144;

/** Runs both functions, each in a turn of the event loop of its own. */
async function inTurns<T>(first: () => unknown, then: () => Promise<T>): Promise<T> {
  await nextTurn();
  first();
  await nextTurn();
  return then();
}

export function createEvaluations(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  sessions: EvaluationSessions;
  identities: Identities;
  deciding: DecidingPoliciesSource;
  scan: ScanContent;
  /** How long idempotency keys are remembered; 0 turns them off. */
  idempotencyMs: number;
  observer?: DecisionObserver | undefined;
}): Evaluations {
  const history = createCounterHistory(deps);
  const { store, now, newId, sessions, identities, deciding, scan, idempotencyMs, observer } = deps;
  const toldTools = new ToldTools();

  function newEvaluation(
    deciding: DecidingPolicies,
    scopes: readonly KeyScope[],
    request: EvaluateRequest,
    { phase, action, tool: asked, known, found, call }: AskedAction,
    content: RequestContent,
    { transport, idempotencyKey, sessionName, text, trace, previews }: EvaluationOptions,
    at: number,
    parent: ParentOfNew | null,
    proven: ProvenIdentity | null,
  ): NewEvaluation {
    const { integration, policies } = deciding;
    const { kept } = content;
    const provenEntityId = proven?.entityId ?? null;
    const { input, targetKey = null, targetMetadata = null, cost = null } = request;
    const hashContent = () => content.contentHash ?? hashAction(input, targetKey, targetMetadata, phase);
    const hashes = actionHashes(store.salt, hashContent, cost);
    // Rules see the name that the session counts under. Otherwise a name that is masked in the counts would evade them.
    const tool = action ? action.tool : (known?.name ?? kept.tool);
    let rejection: string | undefined;
    return {
      id: newId(),
      integrationId: integration.id,
      session: action
        ? sessionOf(action)
        : chooseSession(
            integration,
            request,
            { mcpName: sessionName, text, parent, provenEntityId },
            sessions,
          ),
      mayOpen: previews !== undefined || scopes.includes('sessions:open'),
      quotas: integration.settings,
      reviewLimits: reviewLimitsOf(integration.settings),
      at,
      transport,
      phase,
      previews: previews !== undefined,
      resultOf: request.resultOf?.toLowerCase() ?? null,
      actionLabels: action?.labels ?? [],
      resultStatus: request.status ?? null,
      cost,
      identity: proven?.identity ?? null,
      provenEntityId,
      toolNames: deciding.toolNames,
      needs: deciding.needs,
      salt: hashes.salt,
      contentHash: hashes.contentHash,
      inputHash: hashes.inputHash,
      rejectionHash() {
        rejection ??= rejectionHash(
          store.salt,
          { input, call, targetKey, targetMetadata, phase },
          { asked, tool },
        );
        return rejection;
      },
      tool,
      targetKey: kept.targetKey,
      targetMetadata: kept.targetMetadata,
      correlationId: kept.correlationId ?? trace?.traceId ?? null,
      traceId: trace?.traceId ?? null,
      dataTags: content.tags,
      detections: content.detections,
      input: kept.input,
      inputDigest: content.inputDigest,
      policySet: deciding.reference,
      revision: deciding.revision,
      delegators: deciding.delegators,
      reviewRequestId: request.reviewRequestId?.toLowerCase() ?? null,
      idempotency: idempotencyAt(
        idempotencyKey && requestedBy(idempotencyKey, provenEntityId),
        at,
        idempotencyMs,
        blocksAll(integration, policies) || stops(found),
      ),
    };
  }

  /**
   * Decides by these policies. What an ordinary action needs is in memory: then nothing is waited for before its row is written, and
   * what is written of it is the only promise.
   */
  function decideBy(
    decidingPolicies: DecidingPolicies,
    scopes: readonly KeyScope[],
    asking: Asking,
  ): Awaitable<ServiceResponse<EvaluateResult>> {
    const { request, options } = asking;
    const beganAt = options.beganAt ?? performance.now();
    const { identity: settings } = decidingPolicies.integration.settings;
    return chain(identities.verify(settings, options.identityToken ?? null, now()), (identity) =>
      chain(readAction(store, decidingPolicies, request), (action) =>
        scanAndDecide(decidingPolicies, scopes, asking, action, identity, beganAt),
      ),
    );
  }

  function scanAndDecide(
    decidingPolicies: DecidingPolicies,
    scopes: readonly KeyScope[],
    asking: Asking,
    action: AskedAction,
    identity: Awaited<ReturnType<Identities['verify']>>,
    beganAt: number,
  ): Awaitable<ServiceResponse<EvaluateResult>> {
    const { request, options } = asking;
    const isRefused = identity !== null && 'refused' in identity;
    const proven = isRefused ? null : identity;
    const asked = isRefused ? { ...action, found: [identityFinding(identity), ...action.found] } : action;
    const contentRequest = contentOf(request, asked, decidingPolicies, options);
    return chain(scan(decidingPolicies, contentRequest, options.text), (content) => {
      options.onScanned?.();
      const scannedAt = performance.now();
      const at = now();
      return chain(findParent(store, decidingPolicies.integration.id, request, at), (parent) => {
        const evaluation = newEvaluation(
          decidingPolicies,
          scopes,
          request,
          asked,
          content,
          options,
          at,
          parent,
          proven,
        );
        const scanned = { asked, contentRequest, content, beganAt, scannedAt };
        const decide = () => decideScanned(decidingPolicies, asking, evaluation, scanned);
        return options.text.length > ownTurnText ? inTurns(evaluation.rejectionHash, decide) : decide();
      });
    });
  }

  function decideScanned(
    decidingPolicies: DecidingPolicies,
    asking: Asking,
    evaluation: NewEvaluation,
    { asked, contentRequest, content, beganAt, scannedAt }: Scanned,
  ): Promise<ServiceResponse<EvaluateResult>> {
    const { request, options } = asking;
    const { integration, policies, detector, salt, tools, fieldAuthors } = decidingPolicies;
    // A PROMPT and a RESULT name none.
    const untold = toldTools.untold(integration.id, asked, tools);
    const judging: Judging = {
      integration,
      policies,
      evaluation,
      request,
      call: asked.call,
      actionArguments: asked.actionArguments,
      detections: content.counts,
      catalogued: asked.known && cataloguedOf(asked.known, asked.phase, asked.call),
      found: asked.found,
      provenance:
        salt === null
          ? null
          : { digestOf: digestsWith(salt).nameOf, mentioned: content.mentioned, authorsOf: fieldAuthors },
      callbackUrl: content.kept.callbackUrl,
      heldContent: () => heldContent(contentRequest, content),
      shownTool: () => shownTool(evaluation.tool, detector) ?? '',
      show: masksMessages(contentRequest) ? createShownValues(detector, content) : undefined,
      sha256,
      newId,
      write: JSON.stringify,
    };
    let verdict: VerdictWithResponse | undefined;
    let decidingAt = scannedAt;
    let decidedAt = scannedAt;
    const decide: Decide = (context, reviews, counters, sightings) => {
      decidingAt = performance.now();
      verdict = judge(judging, context, reviews, counters, sightings);
      const of = { integration, context, newId, detector };
      verdict.events = evaluationEvents(evaluation, verdict, of);
      if (untold !== null) verdict.events = [...verdict.events, undescribedTool(evaluation, of)];
      decidedAt = performance.now();
      verdict.tookUs = Math.round((decidedAt - beganAt) * 1_000);
      return verdict;
    };
    const respond = (recorded: CountedResult): Awaitable<ServiceResponse<EvaluateResult>> => {
      const result = unlessRefused(recorded);
      if (result.kind === 'stale') return attempt({ ...asking, left: asking.left - 1 });
      if (result.kind === 'delegated')
        return attempt({ ...asking, left: asking.left - 1, delegators: result.integrationIds });
      if (result.kind === 'previewed')
        return previewed(policies, verdict as VerdictWithResponse, options.previews);
      if (result.kind !== 'recorded' && result.kind !== 'replayed') {
        throw evaluationError(result, evaluation);
      }
      toldTools.add(integration.id, untold);
      const own = ownFields(request, content, options);
      const response = withOwn(result.response, own);
      if (result.kind === 'replayed' || !verdict) return replayedResponse(response);
      observer?.decided(
        evaluation,
        verdict,
        { beganAt, scannedAt, decidingAt, decidedAt, endedAt: performance.now() },
        options.trace ?? null,
      );
      return new DecidedResponse(verdict.data, own, response);
    };
    return store.evaluations
      .record(evaluation, decide)
      .then((recorded) =>
        recorded.kind === 'uncounted'
          ? history.recordAgain(recorded.scopes, decidingPolicies, evaluation, decide).then(respond)
          : respond(recorded),
      );
  }

  /**
   * The scopes of the caller's key as of the revision that decides: a key that another process revoked by then
   * decides nothing. Null when it was found as of yet another revision.
   */
  function scopesAt(current: number, caller: IntegrationCaller): Awaitable<readonly KeyScope[] | null> {
    if (caller.revision === current) return caller.key.scopes;
    return chain(store.integrationKeys.find(caller.keyHash, now()), (found) => {
      if (!found) throw new AppError('unauthenticated', 'invalid, expired or missing API key');
      if (found.revision !== current) return null;
      assertScope(found.key.scopes, 'evaluate');
      return found.key.scopes;
    });
  }

  function attempt(asking: Asking): Awaitable<ServiceResponse<EvaluateResult>> {
    const { caller, delegators, left } = asking;
    if (left === 0) throw new AppError('unavailable', 'the policies keep changing', { retryAfterSeconds: 1 });
    return chain(deciding.of(caller.integration.id, delegators), (policies) =>
      chain(scopesAt(policies.revision, caller), (scopes) =>
        scopes ? decideBy(policies, scopes, asking) : attempt({ ...asking, left: left - 1 }),
      ),
    );
  }

  return {
    evaluate(caller, request, options) {
      try {
        return Promise.resolve(attempt({ caller, request, options, delegators: [], left: mostAttempts }));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

/** A class: an object with a getter of its own costs a call into V8's runtime. */
class DecidedResponse implements ServiceResponse<EvaluateResult> {
  readonly text: string;
  readonly replayed = false;
  readonly #decided: VerdictWithResponse['data'];
  readonly #own: OwnFields;

  constructor(decided: VerdictWithResponse['data'], own: OwnFields, text: string) {
    this.#decided = decided;
    this.#own = own;
    this.text = text;
  }
  get data(): EvaluateResult {
    return { ...this.#decided, ...this.#own };
  }
}

/** A request for a decision. */
interface Asking {
  readonly caller: IntegrationCaller;
  readonly request: EvaluateRequest;
  readonly options: EvaluationOptions;
  /** Other integrations whose policies decide, too, as far as it is known. */
  readonly delegators: readonly string[];
  /** How often it may be decided still. */
  readonly left: number;
}

/** The content of a request, and when it was read. */
interface Scanned {
  asked: AskedAction;
  contentRequest: ReturnType<typeof contentOf>;
  content: RequestContent;
  beganAt: number;
  scannedAt: number;
}

type CountedResult = Exclude<RecordResult, { kind: 'uncounted' }>;

/** How often an action is decided because what decides changed meanwhile. */
const mostAttempts = 3;

const sessionOf = ({ sessionId }: EvaluatedAction): NewEvaluation['session'] =>
  sessionId === null ? null : { id: sessionId };

/** Fields that are never stored with the response: a repeated request sends them again. */
type OwnFields = Pick<EvaluateResult, 'correlationId' | 'redactedInput'>;

const ownFields = (
  { correlationId }: EvaluateRequest,
  { redactedInput }: RequestContent,
  { trace }: EvaluationOptions,
): OwnFields => ({
  correlationId: correlationId ?? trace?.traceId ?? null,
  ...(redactedInput && { redactedInput }),
});

const previewed = (
  policies: readonly CompiledPolicy[],
  { data }: VerdictWithResponse,
  known: EvaluationOptions['previews'],
): ServiceResponse<EvaluateResult> =>
  new DecidedResponse(
    { ...data, violations: ofEveryCall(policies, data, known) },
    { correlationId: null },
    '',
  );

/** The violations of rules that read no more of a call than is known: whatever its arguments are, they are the same. */
const ofEveryCall = (
  policies: readonly CompiledPolicy[],
  { violations }: VerdictWithResponse['data'],
  known: EvaluationOptions['previews'],
): EvaluateResult['violations'] =>
  violations.filter(({ policyId, policyVersion, ruleId, reason }) => {
    const policy = policies.find((one) => one.policyId === policyId && one.policyVersion === policyVersion);
    if (!policy) return !dependsOnCall.has(reason);
    return policy.rules.some(
      ({ id, callRead }) => id === ruleId && (callRead === 'tool' || callRead === known),
    );
  });
/** Reasons of findings that are no policy's. */
const dependsOnCall: ReadonlySet<string> = new Set(['schema_mismatch', rejectedReason]);

const withOwn = (response: string, own: OwnFields): string =>
  `${response.slice(0, -1)},${stringifyJson(own).slice(1)}`;

/** Why the store recorded nothing, where the caller must change its request. */
type RefusedEvaluation = Exclude<
  RecordResult,
  {
    kind:
      | 'recorded'
      | 'previewed'
      | 'replayed'
      | 'key_reused'
      | 'lapsed'
      | 'stale'
      | 'delegated'
      | 'uncounted';
  }
>;

function evaluationError(
  refused: RefusedEvaluation,
  { at, resultOf, provenEntityId }: Pick<NewEvaluation, 'at' | 'resultOf' | 'provenEntityId'>,
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
      return provenEntityId === null ? otherEntity() : otherIdentity();
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

/** The span of a caller (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** When the parts of an evaluation began and ended, by `performance.now()`. */
interface EvaluationTimes {
  beganAt: number;
  scannedAt: number;
  /** The rules: from here … */
  decidingAt: number;
  /** … to here. Then it is written. */
  decidedAt: number;
  /** The record is durable. */
  endedAt: number;
}

/** Gets every decision once it is durable. Must return at once and must not throw. */
export interface DecisionObserver {
  /** `trace`: the span of the caller; null when it sent none. */
  decided(
    evaluation: NewEvaluation,
    verdict: VerdictWithResponse,
    times: EvaluationTimes,
    trace: TraceParent | null,
  ): void;
}
