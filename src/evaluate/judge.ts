import type { StoredIntegration } from '../features/integrations/store.ts';
import type { CallArguments } from '../policy/call-arguments.ts';
import type { CompiledPolicy } from '../policy/compile-policy.ts';
import { counterWrites } from '../policy/counters/count.ts';
import { countersOf } from '../policy/counters/read-counters.ts';
import { decide } from '../policy/decide.ts';
import type { Mentions } from '../policy/mentions.ts';
import type { CataloguedTool, Decision, Subject, Unknowns } from '../policy/subject.ts';
import type { CounterCells, CounterWrite } from '../schemas/counter-cells.ts';
import { letsThrough, type Severity } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { Sighting } from '../schemas/sightings.ts';
import { enforcementActions, severities } from '../schemas/words.ts';
import { blockingRejection, fullQueueFinding, rejectedFinding } from './approval.ts';
import type { ActionReviews, NewEvaluation } from './evaluation.ts';
import { noReadings, readingsOf, type SightingRows, sightingWrites } from './sightings.ts';
import { type VerdictContext, type VerdictWithResponse, verdictOf } from './verdict.ts';

/** All that is known of an evaluation before what its session, reviews and counters hold is read. */
export interface Judging
  extends Pick<VerdictContext, 'callbackUrl' | 'heldContent' | 'shownTool' | 'sha256' | 'newId' | 'write'> {
  integration: Pick<StoredIntegration, 'id' | 'name' | 'kind' | 'settings'>;
  policies: readonly CompiledPolicy[];
  evaluation: NewEvaluation;
  request: Pick<EvaluateRequest, 'input' | 'targetKey' | 'targetMetadata'>;
  /** The arguments in the request's input. */
  call?: CallArguments;
  detections: Subject['detections'];
  /** The action's tool in the tool catalogue; null when it is not there. */
  catalogued: CataloguedTool | null;
  /** Null when no policy asks where values were seen. */
  provenance: { digestOf: (identifier: string) => string; mentioned: Mentions } | null;
  /** Findings of the integration's settings, beside its policies. */
  found: Decision['violations'];
  /** Shows a value in a message. */
  show: Parameters<typeof decide>[3];
  /** Is increased by the steps that the policies take. */
  steps?: Parameters<typeof decide>[2];
  /** For a replay of an earlier action; absent for a new one. */
  again?: {
    readonly unknowns: Unknowns;
    /** How often the exact action was attempted before. It is not counted. */
    readonly repeats: number;
    /** The finding by which no review was opened; null when one could be. */
    readonly fullQueue: Decision['violations'][number] | null;
    /** Replaces a decision where something could not be evaluated. */
    readonly known: (decision: Decision) => Decision;
  };
}

/** The evaluation in this context, as policies read it. */
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
    sightings: provenance && sightings ? readingsOf(sightings, provenance.digestOf) : noReadings,
    unknowns: again?.unknowns,
  };
}

/**
 * Decides one evaluation in this context. Requests, policy tests and replays all go through it.
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
    sha256: judging.sha256,
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
  if (provenance && sightings && letsThrough(judged.enforcementAction))
    judged.sightings = sightingWrites(
      provenance.mentioned,
      sightingOf(context, evaluation, judged),
      sightings,
    );
  const { counted } = after ?? decision;
  if (counted.length === 0 && !counts) return judged;
  const writes = counterWrites(counted, judged.enforcementAction, counters, at, evaluation);
  if (exact !== null) writes.push(repeatWrite(exact, repeats));
  if (counts) judged.repeats = repeats;
  judged.counterWrites = writes;
  return judged;
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

type Found = Decision['violations'][number];

/**
 * The decision of the policies in force, and of what the settings of the integration find (`found`). With `whenNoPolicy:
 * BLOCK`, nothing passes while no policy is enforced: one in mode MONITOR stops nothing, so it does not count.
 */
function decideFor(
  { settings }: Pick<StoredIntegration, 'settings'>,
  policies: readonly CompiledPolicy[],
  subject: Subject,
  show: Parameters<typeof decide>[3],
  steps: Parameters<typeof decide>[2],
  found: readonly Found[],
): Decision {
  const decision = decide(policies, subject, steps, show);
  const all = blocksAll({ settings }, policies) ? [noPolicy, ...found] : found;
  if (all.length === 0) return decision;
  const { afterwards } = decision;
  return {
    ...withViolations(decision, all),
    ...(afterwards && { afterwards: (told) => withViolations(afterwards(told), all) }),
  };
}

/** The strictest wins, as among policies. */
function withViolations(decision: Decision, found: readonly Found[]): Decision {
  const rank = Math.max(
    ...[decision, ...found].map(({ enforcementAction }) => enforcementActions.indexOf(enforcementAction)),
  );
  const enforcementAction = enforcementActions[rank] as Decision['enforcementAction'];
  return {
    ...decision,
    outcome: letsThrough(enforcementAction) ? 'FLAG' : 'DENY',
    enforcementAction,
    severity: highest(decision.severity, found),
    enforcedSeverity: highest(decision.enforcedSeverity, found),
    violations: [...found, ...decision.violations],
  };
}

const highest = (severity: Severity | null, found: readonly Found[]): Severity | null => {
  const ranks = found.map((violation) => severities.indexOf(violation.severity));
  return severities[Math.max(severity === null ? -1 : severities.indexOf(severity), ...ranks)] ?? null;
};

/** Whether nothing passes because no policy is enforced. */
export const blocksAll = (
  { settings }: Pick<StoredIntegration, 'settings'>,
  policies: readonly CompiledPolicy[],
): boolean => settings.whenNoPolicy === 'BLOCK' && !policies.some(({ mode }) => mode === 'ENFORCE');

const noPolicy: Found = {
  ruleId: 'no-policy',
  ruleName: 'No policy',
  policyId: '',
  policyName: '',
  policyVersion: 0,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'BLOCK',
  reason: 'no_policy',
  message: 'no policy is in force for this integration, which blocks everything (whenNoPolicy)',
};

/** An action by what makes it the same one: see `hashAction`. */
interface ExactAction {
  tool: string;
  contentHash: string;
}

/** Not the identity of any counter of a policy: those are digests. */
const repeatsCounter = 'repeats';
/** Repetitions are counted since ever, so there is one slice. */
const slice = 0;

/** The name that an exact action is counted under. */
export const exactName = ({ tool, contentHash }: ExactAction): string => JSON.stringify([tool, contentHash]);

/** How often the exact action of this name was attempted before in its session; 0 without a session. */
const repeatsOf = (cells: CounterCells, name: string): number =>
  cells.find(repeatsCounter, 'session', name)?.slices[1] ?? 0;

const repeatWrite = (name: string, repeats: number): CounterWrite => ({
  counter: repeatsCounter,
  scope: 'session',
  name,
  becomes: { slices: [slice, repeats + 1], latest: slice, overflow: null, resets: 0 },
  endsAt: null,
});
