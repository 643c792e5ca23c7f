import type { StoredIntegration } from '../features/integrations/store.ts';
import type { CallArguments } from '../policy/call-arguments.ts';
import type { CompiledPolicy } from '../policy/compile-policy.ts';
import { counterWrites } from '../policy/counters/count.ts';
import { countersOf } from '../policy/counters/read-counters.ts';
import { decide } from '../policy/decide.ts';
import type { Mentions } from '../policy/mentions.ts';
import type { CataloguedTool, Decision, DetectionCount, Subject } from '../policy/subject.ts';
import type { CounterCells, CounterWrite } from '../schemas/counter-cells.ts';
import { letsThrough, type Severity } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { IdentityRefusal } from '../schemas/identities.ts';
import type { SessionContext, Sighting } from '../schemas/session-context.ts';
import { enforcementActions, severities } from '../schemas/words.ts';
import { blockingRejection, fullQueueFinding, rejectedFinding } from './approval.ts';
import type { ActionReviews, NewEvaluation, Rejection } from './evaluation.ts';
import type { FullQueue } from './quotas.ts';
import { type AuthorsOf, noReadings, readingsOf, type SightingRows, sightingWrites } from './sightings.ts';
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
  actionArguments?: Subject['actionArguments'];
  detections: readonly DetectionCount[];
  /** The action's tool in the tool catalogue; null when it is not there. */
  catalogued: CataloguedTool | null;
  /** Null when no policy asks where values were seen. */
  provenance: {
    digestOf: (written: string) => string | null;
    mentioned: Mentions;
    authorsOf: AuthorsOf;
  } | null;
  /** Findings of the integration's settings, beside its policies. */
  found: Decision['violations'];
  /** Shows a value in a message. */
  show: Parameters<typeof decide>[3];
  /** Is increased by the steps that the policies take. */
  steps?: Parameters<typeof decide>[2];
}

/** The evaluation in this context, as policies read it. */
export function subjectOf(
  {
    integration,
    evaluation,
    request,
    call,
    actionArguments,
    detections,
    catalogued,
    provenance,
  }: Pick<
    Judging,
    | 'integration'
    | 'evaluation'
    | 'request'
    | 'call'
    | 'actionArguments'
    | 'detections'
    | 'catalogued'
    | 'provenance'
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
  const { at, tool, phase, resultStatus, cost, identity, dataTags, toolNames } = evaluation;
  return {
    input: request.input,
    call,
    actionArguments,
    targetKey: request.targetKey ?? '',
    tool,
    phase,
    catalogued,
    resultStatus: resultStatus ?? '',
    cost: cost ?? undefined,
    identity,
    dataTags,
    detections,
    integration,
    now: at,
    session,
    toolsMentioned: toolNames.mentioned,
    repeats,
    grants,
    counters: countersOf(counters, at, evaluation),
    sightings:
      provenance && sightings ? readingsOf(sightings, provenance.digestOf, provenance.authorsOf) : noReadings,
  };
}

/**
 * Decides one evaluation in this context, for requests and policy tests. A replay of the record does the same by
 * `judgeSubject`, with answers from the record. Pure except for `newId`; the context is not kept.
 */
export function judge(
  judging: Judging,
  context: SessionContext,
  reviews: ActionReviews,
  counters: CounterCells,
  sightings: SightingRows | null,
): VerdictWithResponse {
  const { integration, evaluation } = judging;
  const { needs, phase, tool } = evaluation;
  const exact =
    needs.repeats && phase === 'ACTION' ? exactName({ tool, contentHash: evaluation.contentHash() }) : null;
  const repeats = exact === null ? 0 : repeatsOf(counters, exact);
  const subject = subjectOf(judging, {
    session: context,
    repeats,
    grants: reviews.grants,
    counters,
    sightings,
  });
  return judgeSubject(judging, subject, {
    context,
    reviews,
    counters,
    sightings,
    repeats: exact === null ? null : repeats,
    repeatsName: exact,
    rejection: blockingRejection(reviews, integration.settings, context.id || null, evaluation),
    findFullQueue() {
      const queue = reviews.findFullQueue();
      return queue && { finding: fullQueueFinding(queue), queue };
    },
    revise: asDecided,
  });
}

const asDecided = (decision: Decision): Decision => decision;

/** The facts that a verdict depends on besides the policies. */
export interface Circumstances {
  context: SessionContext;
  reviews: ActionReviews;
  counters: CounterCells;
  /** Null when no policy asks where values were seen. */
  sightings: SightingRows | null;
  /** How often the exact action was attempted before in its session; null when no policy asks. */
  repeats: number | null;
  /** The name under which this attempt is counted; null when it is not. */
  repeatsName: string | null;
  /** The rejection by a person that blocks the action. */
  rejection: Rejection | null;
  /** Why no review can be opened: the finding, and the queue that is full when it is one of today; null when one can be. */
  findFullQueue: () => { finding: Found; queue: FullQueue | null } | null;
  /** Gives the decision that counts in place of the decision of the policies. */
  revise: (decision: Decision) => Decision;
}

/** Decides about a subject. Pure except for `newId`; nothing that is passed in is kept. */
export function judgeSubject(
  judging: Judging,
  subject: Subject,
  circumstances: Circumstances,
): VerdictWithResponse {
  const { context, reviews, counters, sightings, repeats, repeatsName } = circumstances;
  const { rejection, findFullQueue, revise } = circumstances;
  const { integration, evaluation, request, catalogued, provenance } = judging;
  const { at } = evaluation;
  const found = rejection ? [rejectedFinding(rejection), ...judging.found] : judging.found;
  const decision = revise(decideFor(judging, subject, found));
  const verdictContext: VerdictContext = {
    evaluation,
    retention: integration.settings.contentRetention,
    sessionId: context.id || null,
    rejection,
    compared: {
      input: request.input,
      targetKey: request.targetKey ?? null,
      targetMetadata: request.targetMetadata ?? null,
      catalogued,
      sightings: subject.sightings,
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
    const full = verdict.review && findFullQueue();
    if (!full) return verdict;
    const blocked = verdictOf(withViolations(decision, [full.finding]), reviews, verdictContext);
    blocked.fullQueue = full.queue;
    return blocked;
  };
  let judged = verdictFor(decision);
  const after = decision.afterwards?.({
    enforcementAction: judged.enforcementAction,
    severity: decision.enforcedSeverity,
    rules: decision.violations.map(({ ruleId }) => ruleId),
  });
  if (after && (after.unevaluated || after.violations.length > decision.violations.length))
    judged = verdictFor(revise(after));
  if (provenance && sightings && letsThrough(judged.enforcementAction))
    judged.sightings = sightingWrites(
      provenance.mentioned,
      sightingOf(context, evaluation, judged),
      sightings,
    );
  const { counted } = after ?? decision;
  if (counted.length === 0 && repeats === null) return judged;
  const writes = counterWrites(counted, judged.enforcementAction, counters, at, evaluation);
  if (repeatsName !== null) writes.push(repeatWrite(repeatsName, repeats ?? 0));
  judged.repeats = repeats;
  judged.counterWrites = writes;
  return judged;
}

/** Where the identifiers of an evaluation are seen from now on. */
export const sightingOf = (
  { actionCount }: Pick<SessionContext, 'actionCount'>,
  { id, phase, tool, actionLabels }: Pick<NewEvaluation, 'id' | 'phase' | 'tool' | 'actionLabels'>,
  { labels }: Pick<VerdictWithResponse, 'labels'>,
): Omit<Sighting, 'whole' | 'field'> => ({
  seq: phase === 'ACTION' ? actionCount + 1 : actionCount,
  tool,
  phase,
  labels: actionLabels.length === 0 ? labels : [...new Set([...actionLabels, ...labels])],
  // Its last digits tell it from all others whose values come together in a tree of sessions.
  origin: id.slice(-12),
});

type Found = Decision['violations'][number];

/**
 * The decision of the policies in force, and of what the settings of the integration find (`found`). With `whenNoPolicy:
 * BLOCK`, nothing passes while no policy is enforced: one in mode MONITOR stops nothing, so it does not count.
 */
function decideFor(
  {
    integration,
    policies,
    steps,
    show,
  }: Pick<Judging, 'policies' | 'steps' | 'show'> & { integration: Pick<StoredIntegration, 'settings'> },
  subject: Subject,
  found: readonly Found[],
): Decision {
  const decision = decide(policies, subject, steps, show);
  const all = blocksAll(integration, policies) ? [noPolicy, ...found] : found;
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

/** Nothing passes for a token that proves nobody: a rule could not tell who acts. */
export const identityFinding = ({ refused, message }: IdentityRefusal): Found => ({
  ...noPolicy,
  ruleId: 'identity',
  ruleName: 'Identity',
  reason: refused,
  message,
});

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
