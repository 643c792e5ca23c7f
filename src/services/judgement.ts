import {
  type CallArguments,
  type CataloguedTool,
  type CompiledPolicy,
  countersOf,
  counterWrites,
  type Decision,
  type decide,
  type Mentions,
  type Subject,
  type Unknowns,
} from '../engine/index.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { Sighting } from '../schemas/sightings.ts';
import type {
  ActionReviews,
  CounterCells,
  NewEvaluation,
  SessionContext,
  SightingRows,
  StoredIntegration,
} from '../store/store.ts';
import { decideFor, withViolations } from './no-policy.ts';
import { noReadings, readingsOf, sightingWrites } from './provenance.ts';
import { blockingRejection, fullQueueFinding, rejectedFinding } from './rejections.ts';
import { exactName, repeatsOf, repeatWrite } from './repeats.ts';
import { type VerdictContext, type VerdictWithResponse, verdictOf } from './verdicts.ts';

/** All that is known of an evaluation before what its session, reviews and counters hold is read. */
export interface Judging
  extends Pick<VerdictContext, 'callbackUrl' | 'heldContent' | 'shownTool' | 'newId' | 'write'> {
  integration: Pick<StoredIntegration, 'id' | 'name' | 'kind' | 'settings'>;
  policies: readonly CompiledPolicy[];
  evaluation: NewEvaluation;
  request: Pick<EvaluateRequest, 'input' | 'targetKey' | 'targetMetadata'>;
  /** Of the request's input. */
  call?: CallArguments;
  detections: Subject['detections'];
  /** What the tool catalogue says of the action's tool; null when the tool is not in it. */
  catalogued: CataloguedTool | null;
  /** Null when no policy asks where values were seen. */
  provenance: { salt: string; mentioned: Mentions } | null;
  /** What the settings of the integration find, beside its policies. */
  found: Decision['violations'];
  /** Shows a value in a message. */
  show: Parameters<typeof decide>[3];
  /** Is increased by the steps that the policies take. */
  steps?: Parameters<typeof decide>[2];
  /** Of an earlier action that is judged again. */
  again?: {
    readonly unknowns: Unknowns;
    /** How often the exact action was attempted before. It is not counted. */
    readonly repeats: number;
    /** The finding by which no review was opened; null when one could be. */
    readonly fullQueue: Decision['violations'][number] | null;
    /** What to go on with where something could not be evaluated. */
    readonly known: (decision: Decision) => Decision;
  };
}

/** What the policies read of the evaluation in this context. */
export function subjectOf(
  {
    integration,
    evaluation,
    request,
    call,
    detections,
    catalogued,
    provenance,
    again,
  }: Pick<
    Judging,
    'integration' | 'evaluation' | 'request' | 'call' | 'detections' | 'catalogued' | 'provenance' | 'again'
  >,
  seen: {
    session: SessionContext;
    repeats: number;
    grants: ActionReviews['grants'];
    counters: CounterCells;
    sightings: SightingRows | null;
  },
): Subject {
  const { session, repeats, grants, counters, sightings } = seen;
  const { at, tool, phase, resultStatus, cost, dataTags, toolNames } = evaluation;
  return {
    input: request.input,
    call,
    targetKey: request.targetKey ?? '',
    tool,
    phase,
    catalogued,
    resultStatus: resultStatus ?? '',
    cost: cost ?? undefined,
    dataTags,
    detections,
    integration,
    now: at,
    session,
    toolsMentioned: toolNames.mentioned,
    repeats,
    grants,
    counters: countersOf(counters, at, evaluation),
    sightings: provenance && sightings ? readingsOf(sightings, provenance.salt) : noReadings,
    unknowns: again?.unknowns,
  };
}

/**
 * What becomes of the evaluation in this context: what every evaluation is decided by, those of a policy's tests included.
 * Pure except for `newId`; the context is not kept.
 */
export function judge(
  judging: Judging,
  context: SessionContext,
  reviews: ActionReviews,
  counters: CounterCells,
  sightings: SightingRows | null,
): VerdictWithResponse {
  const { integration, evaluation, request, catalogued, provenance, again } = judging;
  const { at, needs, phase, tool } = evaluation;
  const counts = needs.repeats && phase === 'ACTION';
  const exact = counts && !again ? exactName({ tool, contentHash: evaluation.contentHash() }) : null;
  const repeats = again?.repeats ?? (exact === null ? 0 : repeatsOf(counters, exact));
  const known = (decision: Decision): Decision => (again ? again.known(decision) : decision);
  const sessionId = context.id || null;
  // A replay has what was found then.
  const rejection = again ? null : blockingRejection(reviews, integration.settings, sessionId, evaluation);
  const decided = decideFor(
    integration,
    judging.policies,
    subjectOf(judging, { session: context, repeats, grants: reviews.grants, counters, sightings }),
    judging.show,
    judging.steps,
    rejection ? [rejectedFinding(rejection), ...judging.found] : judging.found,
  );
  const decision = known(decided);
  const verdictContext: VerdictContext = {
    evaluation,
    retention: integration.settings.contentRetention,
    sessionId,
    rejection,
    compared: {
      input: request.input,
      targetKey: request.targetKey ?? null,
      targetMetadata: request.targetMetadata ?? null,
      catalogued,
    },
    callbackUrl: judging.callbackUrl,
    heldContent: judging.heldContent,
    shownTool: judging.shownTool,
    newId: judging.newId,
    write: judging.write,
  };
  /** A decision that needs one review more than there may be is a BLOCK. */
  const verdictFor = (decision: Decision): VerdictWithResponse => {
    const verdict = verdictOf(decision, reviews, verdictContext);
    if (!verdict.review) return verdict;
    const fullQueue = again ? null : reviews.findFullQueue();
    const found = again ? again.fullQueue : fullQueue && fullQueueFinding(fullQueue);
    if (!found) return verdict;
    return { ...verdictOf(withViolations(decision, [found]), reviews, verdictContext), fullQueue };
  };
  let judged = verdictFor(decision);
  const after = decision.afterwards?.({
    enforcementAction: judged.enforcementAction,
    severity: decision.enforcedSeverity,
    rules: decision.violations.map(({ ruleId }) => ruleId),
  });
  if (after && (after.unevaluated || after.violations.length > decision.violations.length))
    judged = verdictFor(known(after));
  const verdict =
    provenance && sightings && letsThrough(judged.enforcementAction)
      ? {
          ...judged,
          sightings: sightingWrites(provenance.mentioned, sightingOf(context, evaluation, judged), sightings),
        }
      : judged;
  const { counted } = after ?? decision;
  if (counted.length === 0 && !counts) return verdict;
  const writes = counterWrites(counted, verdict.enforcementAction, counters, at, evaluation);
  return {
    ...verdict,
    repeats: counts ? repeats : null,
    counterWrites: exact === null ? writes : [...writes, repeatWrite(exact, repeats)],
  };
}

/** Where the identifiers of an evaluation are seen from now on. */
export const sightingOf = (
  { actionCount }: Pick<SessionContext, 'actionCount'>,
  { phase, tool }: Pick<NewEvaluation, 'phase' | 'tool'>,
  { labels }: Pick<VerdictWithResponse, 'labels'>,
): Omit<Sighting, 'whole'> => ({
  seq: phase === 'ACTION' ? actionCount + 1 : actionCount,
  tool,
  phase,
  labels,
});
