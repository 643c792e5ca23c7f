import { createDetector, type Detector } from '../../detectors/index.ts';
import { rejectedReason } from '../../evaluate/approval.ts';
import { type RequestContent, scanRequest, sha256 } from '../../evaluate/content.ts';
import { type Judging, judgeSubject, subjectOf } from '../../evaluate/judge.ts';
import type { Loaded } from '../../evaluate/port.ts';
import { noUsage } from '../../evaluate/quotas.ts';
import { advance, countEvaluation } from '../../evaluate/session.ts';
import { settle } from '../../evaluate/settle.ts';
import type { VerdictWithResponse } from '../../evaluate/verdict.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { ancestorsOf, gather, gatherLate } from '../../features/policies/policy-tests/memory-session.ts';
import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import { rejectionWrites } from '../../policy/counters/count.ts';
import { reachMs } from '../../policy/counters/window.ts';
import type { Decision, Unevaluated } from '../../policy/subject.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { OpenGrant } from '../../schemas/review-terms.ts';
import type { NamedThen, ReplayIntegration, ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { ActionReviews, NewEvaluation, Verdict } from '../../store/store.ts';
import { type KnownContent, knownContent } from './known-content.ts';
import type { PoliciesOfRecord, PoliciesThen } from './policies-of-record.ts';
import { type RecordedVerdict, recordedVerdict } from './recorded-verdict.ts';
import {
  cataloguedFor,
  cellsOf,
  knownSubject,
  loadCounters,
  markHidden,
  newEvaluation,
  provenanceOf,
  type ReplayedOf,
  repeatsBefore,
  unknownsOf,
} from './replayed-evaluation.ts';
import {
  mayHaveUsedGrants,
  type ReplayedIntegration,
  ReplayedReviews,
  type ReplayedSession,
} from './replayed-state.ts';

/** The result of a recorded evaluation in the replay. */
export interface Replayed {
  /** Null when it would not have happened: the result of an action that is stopped now. */
  verdict: Pick<
    RecordedVerdict,
    'outcome' | 'enforcementAction' | 'severity' | 'violations' | 'labels'
  > | null;
  recorded: RecordedVerdict;
  /** The rules and counters that could not be evaluated. */
  unevaluated: readonly Unevaluated[];
  /** Whether the verdict is that of the record, because something that decides could not be evaluated. */
  isAssumed: boolean;
  tried: ReadonlySet<string>;
  /** Whether what is on trial concerns it. */
  isOnTrial: boolean;
}

/** Judges recorded evaluations again, one after the other, by what decides every evaluation, in memory. */
export class ReplayEvaluator {
  readonly #source: ReplaySource;
  readonly #policies: PoliciesOfRecord;
  /** Nothing is replayed that was recorded up to this row. */
  readonly #after: number;
  readonly #reviews = new ReplayedReviews();

  constructor(source: ReplaySource, policies: PoliciesOfRecord, after: number) {
    this.#source = source;
    this.#policies = policies;
    this.#after = after;
  }

  /** The review that it names; null where, in the replay, the action that it held passed. */
  #namedIn(row: ReplayRow, session: ReplayedSession | null): NamedThen | null {
    const named = row.named === null ? null : (JSON.parse(row.named) as NamedThen);
    return named && this.#reviews.has(named.id, session) ? named : null;
  }

  /** Nobody rejected an action that, in the replay, was not held. What has no session may have been held before the replay. */
  #foundIn(
    { reviewId }: ReplayRow,
    session: ReplayedSession | null,
    { found }: RecordedVerdict,
  ): RecordedVerdict['found'] {
    const isRejected = session === null || (reviewId !== null && this.#reviews.has(reviewId, session));
    return isRejected ? found : found.filter(({ reason }) => reason !== rejectedReason);
  }

  #keepReview(
    { reviewId }: ReplayRow,
    held: NewEvaluation,
    session: ReplayedSession | null,
    counters: MemoryCounters,
    { violations, enforcementAction, review, heldAgain }: Verdict,
  ): void {
    if (reviewId === null || enforcementAction !== 'APPROVAL_REQUIRED') return;
    const counts = (review ?? heldAgain)?.rejectionCounts ?? null;
    const countRejection = rejectionCounter(held, session, counters, counts);
    this.#reviews.keep(reviewId, session, { violations, countRejection });
  }

  /** By all policies. */
  evaluate(
    row: ReplayRow,
    integration: ReplayedIntegration,
    session: ReplayedSession | null,
    counters: MemoryCounters,
  ): Replayed {
    const then = this.#policies.of(row.policySetRow, row.integrationRow, integration.stored.id);
    const recorded = recordedVerdict(row);
    const content = knownContent(row, then.inputPaths);
    const scanned = then.detectsAnew ? scanAgain(row, content, integration.stored, then.policies) : null;
    const unknowns = unknownsOf(row, then, content, { integration, session, isScanned: scanned !== null });
    const grants = mayHaveUsedGrants(row) ? this.#source.grantsUsed(row.row) : noGrants;
    const named = grants.length > 0 ? null : this.#namedIn(row, session);
    const evaluation = newEvaluation(row, then, scanned?.tags ?? recorded.dataTags, {
      integration,
      session,
      content,
      named: named?.id ?? null,
    });
    if (session) gather(session, row.createdAt);
    const of = { integration, session, counters, source: this.#source, after: this.#after };
    const counted = loadCounters(row, then, evaluation, of);
    const review = named === null ? null : this.#reviews.named(named, session, evaluation);
    const loaded = loadedFor(row, evaluation, of, { counters: counted, review, grants });
    const repeats = repeatsBefore(row, evaluation, then, of);
    const known = new KnownDecision(then, recorded, grants, content);
    const judging: Judging = {
      integration: { ...integration.stored, settings: integration.settingsFor(recorded, then) },
      policies: then.policies,
      evaluation,
      request: requestOf(row, content),
      detections: scanned?.counts ?? content.detections,
      catalogued: cataloguedFor(row, content, integration),
      provenance: then.needs.sightings ? provenanceOf(row, content, integration, unknowns) : null,
      found: this.#foundIn(row, session, recorded),
      callbackUrl: null,
      heldContent: () => nothingHeld,
      shownTool: () => '',
      show: undefined,
      sha256,
      newId: () => row.id,
      write: () => '',
    };
    const cells = cellsOf(counted);
    let verdict: VerdictWithResponse | null = null;
    const decide = (...[context, reviews, , seen]: Parameters<Parameters<typeof settle>[2]>) => {
      const lasting = known.begin(reviews);
      const { grants } = lasting;
      const subject = subjectOf(judging, {
        session: context,
        repeats,
        grants,
        counters: cells,
        sightings: seen,
      });
      verdict = judgeSubject(judging, knownSubject(subject, evaluation, unknowns, { ...of, context }), {
        context,
        reviews: lasting,
        counters: cells,
        sightings: seen,
        repeats: then.needs.repeats && row.phase === 'ACTION' ? repeats : null,
        // Repetitions are in the record, or counted in the session.
        repeatsName: null,
        // The recorded findings say so.
        rejection: null,
        findFullQueue: () => recorded.fullQueue && { finding: recorded.fullQueue, queue: null },
        revise: (decision) => known.of(decision),
      });
      return verdict;
    };
    const { writes, result } = settle(loaded, evaluation, decide);
    if (writes === null && result.kind !== 'no_action')
      throw new Error(`a recorded evaluation is ${result.kind}`);
    const { unevaluated, isAssumed } = known;
    if (writes !== null) {
      const { verdict: done } = writes;
      if (session) {
        advanceSession(session, row, evaluation, { done, repeatsKnown: !unknowns.repeats });
        markHidden(session, then, content, unknowns);
      }
      counters.write(evaluation, session, done.counterWrites);
      forgetCounters(counters, row, evaluation, session, unevaluated);
      this.#keepReview(row, evaluation, session, counters, done);
    }
    const isThrough = writes !== null && letsThrough(writes.verdict.enforcementAction);
    if (letsThrough(row.enforcementAction) && !isThrough) (session ?? integration).stopped.add(row.id);
    const { tried, isOnTrial } = then;
    return { verdict, recorded, unevaluated, isAssumed, tried, isOnTrial };
  }
}

const requestOf = (
  { targetKey, targetMetadata }: ReplayRow,
  { input }: KnownContent,
): Judging['request'] => ({
  input,
  ...(targetKey !== null && { targetKey }),
  ...(targetMetadata !== null && { targetMetadata: JSON.parse(targetMetadata) }),
});

function loadedFor(
  row: ReplayRow,
  evaluation: NewEvaluation,
  { integration, session }: ReplayedOf,
  found: Pick<Loaded, 'counters' | 'review' | 'grants'>,
): Loaded & { session: ReplayedSession | null } {
  const ancestors = ancestorsOf(session?.parent ?? null, false, row.createdAt);
  const wasStopped = row.resultOf !== null && (session ?? integration).stopped.has(row.resultOf);
  return {
    stored: null,
    revision: 0,
    session,
    action: row.resultOf === null || wasStopped ? null : { hasResult: false },
    ...found,
    pending: null,
    rejection: null,
    sightings: session?.sightingRows(ancestors.map(({ sightings }) => sightings)) ?? null,
    ancestors,
    tree: session?.root.treeCounts ?? null,
    usage: noUsage,
    delegatorRevisions: evaluation.delegators.map(() => 0),
  };
}

function advanceSession(
  session: ReplayedSession,
  row: ReplayRow,
  evaluation: NewEvaluation,
  { done, repeatsKnown }: { done: Verdict; repeatsKnown: boolean },
): void {
  advance(session, evaluation, { ...done, repeats: repeatsKnown ? done.repeats : null });
  session.repeats.add(row, evaluation);
  const tree = session.root.treeCounts;
  if (tree) countEvaluation(tree, evaluation, done);
  session.keepSightings(done.sightings);
  session.keepLabels(row, done.labels);
  gatherLate(session, row.createdAt);
}

/** Counters that could not be evaluated are not known as long as they reach back to this row. */
function forgetCounters(
  counters: MemoryCounters,
  row: ReplayRow,
  evaluation: NewEvaluation,
  session: ReplayedSession | null,
  unevaluated: readonly Unevaluated[],
): void {
  for (const { counter } of unevaluated) {
    if (counter === null) continue;
    const reach = reachMs(counter.counting.window);
    const until = reach === null ? null : row.createdAt + reach;
    counters.forget(evaluation, session, { identity: counter.identity, over: counter.over, until });
  }
}

/** Counts the rejection of a held action, when a person decided so then. */
function rejectionCounter(
  held: NewEvaluation,
  session: ReplayedSession | null,
  counters: MemoryCounters,
  counts: string | null,
): (at: number) => void {
  return (at) => {
    if (counts === null) return;
    const evaluation = { ...held, at };
    const loaded = counters.load(evaluation, session);
    counters.write(evaluation, session, rejectionWrites(JSON.parse(counts), cellsOf(loaded), at));
  };
}

const nothingHeld = {
  input: null,
  targetKey: null,
  targetMetadata: null,
  callbackUrl: null,
  isMasked: false,
};
const noGrants: readonly OpenGrant[] = [];

/** The parts of a recorded evaluation that could not be evaluated, and the decision with which its replay goes on. */
class KnownDecision {
  readonly unevaluated: Unevaluated[];
  /** Whether the decision is that of the record. */
  isAssumed = false;
  readonly #unknownPolicies: number;
  readonly #recorded: RecordedVerdict;
  readonly #grants: readonly OpenGrant[];
  readonly #hidesInput: boolean;
  #reviews = noReviews;

  constructor(
    { unknown }: Pick<PoliciesThen, 'unknown'>,
    recorded: RecordedVerdict,
    grants: readonly OpenGrant[],
    { hidesInput }: KnownContent,
  ) {
    this.unevaluated = unknown.map(({ policyId }) => ({
      policyId,
      policyName: policyId,
      ruleId: '*',
      counter: null,
      decides: true,
    }));
    this.#unknownPolicies = unknown.length;
    this.#recorded = recorded;
    this.#grants = grants;
    this.#hidesInput = hidesInput;
  }

  /** Forgets the decision before. Returns the reviews that count: none once the decision is assumed. */
  begin(reviews: ActionReviews): ActionReviews {
    this.unevaluated.length = this.#unknownPolicies;
    this.isAssumed = false;
    this.#reviews = reviews;
    const found = () => this.#reviews;
    return {
      get named() {
        return found().named;
      },
      get grants() {
        return found().grants;
      },
      pending: null,
      sessionExpiresAt: null,
      // The recorded findings say so.
      rejection: null,
      findFullQueue: () => null,
    };
  }

  /** The decision, or that of the record where something that decides could not be evaluated. */
  of(decision: Decision): Decision {
    const { unevaluated } = this;
    for (const one of decision.unevaluated ?? []) if (!unevaluated.includes(one)) unevaluated.push(one);
    // The actions that a grant covers are compared by their content.
    if (this.#hidesInput && decision.enforcementAction === 'APPROVAL_REQUIRED')
      unevaluated.push(
        ...this.#grants.map((grant) => ({ ...grant, policyName: '', counter: null, decides: true })),
      );
    // The strictest there is: what could not be evaluated changes nothing.
    if (decision.enforcementAction === 'BLOCK' || !unevaluated.some(({ decides }) => decides))
      return decision;
    this.isAssumed = true;
    // Its effect on the decision is in the record.
    this.#reviews = noReviews;
    return { ...decision, ...this.#recorded.decision };
  }
}

const noReviews: ActionReviews = {
  named: null,
  pending: null,
  grants: [],
  sessionExpiresAt: null,
  rejection: null,
  findFullQueue: () => null,
};

const detectors = new WeakMap<readonly CompiledPolicy[], Detector>();

/** The findings of other detectors than those of then in the content; null when it is not known. */
function scanAgain(
  row: ReplayRow,
  { input, hidesInput, hidesTargetKey }: KnownContent,
  { settings }: ReplayIntegration,
  policies: readonly CompiledPolicy[],
): Pick<RequestContent, 'tags' | 'counts'> | null {
  // The callback's address was scanned as well, and is not in the record.
  if (hidesInput || hidesTargetKey) return null;
  let detector = detectors.get(policies);
  if (!detector) {
    const { detectionSensitivity: sensitivity, disabledTags, enabledTags } = settings;
    const custom = [...new Map(policies.map((one) => [one.policyId, one.detectors])).values()].flat();
    detector = createDetector({ sensitivity, disabledTags, enabledTags, custom });
    detectors.set(policies, detector);
  }
  return scanRequest(detector, {
    input,
    targetKey: row.targetKey,
    targetMetadata:
      row.targetMetadata === null ? null : (JSON.parse(row.targetMetadata) as Record<string, unknown>),
    callbackUrl: null,
    correlationId: null,
    tool: row.tool,
    retention: 'full',
    reviewInput: 'full',
    redact: false,
    texts: new Map(),
    provenance: null,
    hashed: null,
  });
}
