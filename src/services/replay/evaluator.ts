import { type Decision, reachMs, type Unevaluated } from '../../engine/index.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { OpenGrant } from '../../schemas/grants.ts';
import type { Loaded } from '../../store/loaded-evaluation.ts';
import { noUsage } from '../../store/quotas.ts';
import { settle } from '../../store/record-evaluation.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import { countEvaluation } from '../../store/session-counts.ts';
import { advance } from '../../store/session-progress.ts';
import type { ActionReviews } from '../../store/store.ts';
import { type Judging, judge } from '../judgement.ts';
import type { MemoryCounters } from '../policy-tests/memory-counters.ts';
import { ancestorsOf, gather } from '../policy-tests/memory-trees.ts';
import type { VerdictWithResponse } from '../verdicts.ts';
import { knownContent } from './known-content.ts';
import type { PoliciesOfRecord } from './policies-of-record.ts';
import { type RecordedVerdict, recordedVerdict } from './recorded-verdict.ts';
import { knownCells, loadCounters } from './replayed-counters.ts';
import { cataloguedFor, newEvaluation, provenanceOf, repeatsBefore } from './replayed-evaluation.ts';
import type { ReplayedIntegration } from './replayed-integrations.ts';
import { mayHaveUsedGrants, namedIn, ReplayedReviews } from './replayed-reviews.ts';
import type { ReplayedSession } from './replayed-sessions.ts';
import { scanAgain } from './scan-again.ts';
import { markHidden, unknownsOf } from './unknown-content.ts';

/** What became of a recorded evaluation in the replay. */
export interface Replayed {
  /** Null when it would not have happened: the result of an action that is stopped now. */
  verdict: Pick<
    RecordedVerdict,
    'outcome' | 'enforcementAction' | 'severity' | 'violations' | 'labels'
  > | null;
  recorded: RecordedVerdict;
  /** What could not be evaluated. */
  unevaluated: readonly Unevaluated[];
  /** Whether the verdict is that of the record, because something that decides could not be evaluated. */
  isAssumed: boolean;
  tried: ReadonlySet<string>;
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
    const asked = grants.length > 0 ? null : namedIn(row);
    // In the replay, the action that it held may have passed.
    const named = asked && this.#reviews.has(asked.id, session) ? asked : null;
    const evaluation = newEvaluation(row, then, scanned?.tags ?? recorded.dataTags, {
      integration,
      session,
      content,
      named: named?.id ?? null,
    });
    if (session) gather(session, row.createdAt);
    const ancestors = ancestorsOf(session?.parent ?? null, false, row.createdAt);
    const tree = session?.root.treeCounts ?? null;
    const of = { integration, session, counters, source: this.#source, after: this.#after };
    const counted = loadCounters(row, then, evaluation, of);
    const loaded: Loaded = {
      stored: null,
      revision: 0,
      session,
      action:
        row.resultOf === null || (session ?? integration).stopped.has(row.resultOf)
          ? null
          : { hasResult: false },
      review: named === null ? null : this.#reviews.named(named, session, evaluation),
      pending: null,
      grants,
      wasRejected: false,
      counters: counted,
      sightings: session?.sightingRows(ancestors.map(({ sightings }) => sightings)) ?? null,
      ancestors,
      tree,
      usage: noUsage,
      delegatorRevisions: evaluation.delegators.map(() => 0),
    };
    const repeats = repeatsBefore(row, evaluation, then, of);
    const unevaluated: Unevaluated[] = then.unknown.map(({ policyId }) => ({
      policyId,
      policyName: policyId,
      ruleId: '*',
      counter: null,
      decides: true,
    }));
    let isAssumed = false;
    let foundReviews: ActionReviews = noReviews;
    const known = (decision: Decision): Decision => {
      for (const one of decision.unevaluated ?? []) if (!unevaluated.includes(one)) unevaluated.push(one);
      // What a grant covers is compared by the content.
      if (grants.length > 0 && content.hidesInput && decision.enforcementAction === 'APPROVAL_REQUIRED')
        unevaluated.push(
          ...grants.map((grant) => ({ ...grant, policyName: '', counter: null, decides: true })),
        );
      // The strictest there is: what could not be evaluated changes nothing.
      if (decision.enforcementAction === 'BLOCK' || !unevaluated.some(({ decides }) => decides))
        return decision;
      isAssumed = true;
      // What it meant for the decision is in the record.
      foundReviews = noReviews;
      return { ...decision, ...recorded.decision };
    };
    const judging: Judging = {
      integration: { ...integration.stored, settings: integration.settingsFor(recorded, then) },
      policies: then.policies,
      evaluation,
      request: {
        input: content.input,
        ...(row.targetKey !== null && { targetKey: row.targetKey }),
        ...(row.targetMetadata !== null && { targetMetadata: JSON.parse(row.targetMetadata) }),
      },
      detections: scanned?.counts ?? content.detections,
      catalogued: cataloguedFor(row, content, integration),
      provenance: then.needs.sightings ? provenanceOf(row, content) : null,
      found: recorded.found,
      callbackUrl: null,
      heldContent: () => nothingHeld,
      shownTool: () => '',
      show: undefined,
      newId: () => row.id,
      write: () => '',
      again: { unknowns, repeats, known },
    };
    const cells = knownCells(counted, evaluation, of, unknowns);
    let verdict: VerdictWithResponse | null = null;
    const decide = (...[context, reviews, , seen]: Parameters<Parameters<typeof settle>[2]>) => {
      unevaluated.length = then.unknown.length;
      isAssumed = false;
      foundReviews = reviews;
      const lasting = {
        get named() {
          return foundReviews.named;
        },
        get grants() {
          return foundReviews.grants;
        },
        pending: null,
        wasRejected: false,
      };
      verdict = judge(judging, context, lasting, cells, seen);
      return verdict;
    };
    const { writes, result } = settle(loaded, evaluation, decide);
    if (writes === null && result.kind !== 'no_action')
      throw new Error(`a recorded evaluation is ${result.kind}`);
    if (writes !== null) {
      const { verdict: done } = writes;
      if (session) {
        advance(session, evaluation, { ...done, repeats: unknowns.repeats ? null : done.repeats });
        session.repeats.add(row, evaluation);
        if (tree) countEvaluation(tree, evaluation, done);
        session.keepSightings(done.sightings);
        markHidden(session, then, content, unknowns);
      }
      counters.write(evaluation, session, done.counterWrites);
      for (const { counter } of unevaluated) {
        if (counter === null) continue;
        const reach = reachMs(counter.counting.window);
        const until = reach === null ? null : row.createdAt + reach;
        counters.forget(evaluation, session, { identity: counter.identity, over: counter.over, until });
      }
      if (row.reviewId !== null)
        this.#reviews.keep(row.reviewId, session, done.violations, done.enforcementAction);
    }
    const isThrough = writes !== null && letsThrough(writes.verdict.enforcementAction);
    if (letsThrough(row.enforcementAction) && !isThrough) (session ?? integration).stopped.add(row.id);
    return { verdict, recorded, unevaluated, isAssumed, tried: then.tried };
  }
}

const noReviews: ActionReviews = { named: null, pending: null, grants: [], wasRejected: false };
const nothingHeld = { input: null, targetKey: null, targetMetadata: null, callbackUrl: null };
const noGrants: readonly OpenGrant[] = [];
