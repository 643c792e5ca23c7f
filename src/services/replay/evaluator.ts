import { type Decision, Recount, reachMs, type Unevaluated, type Unknowns } from '../../engine/index.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { OpenGrant } from '../../schemas/grants.ts';
import type { Sighting } from '../../schemas/sightings.ts';
import { noQuotas, noUsage } from '../../store/quotas.ts';
import { type Loaded, settle } from '../../store/record-evaluation.ts';
import type { NamedThen, ReplayRow, ReplaySource } from '../../store/replay.ts';
import { countEvaluation } from '../../store/session-counts.ts';
import { advance } from '../../store/session-progress.ts';
import type {
  ActionReviews,
  CounterCells,
  CounterScope,
  NewEvaluation,
  UncountedScope,
} from '../../store/store.ts';
import { hashAction } from '../approvals.ts';
import { cataloguedOf } from '../deciding-tools.ts';
import { type Judging, judge } from '../judgement.ts';
import type { MemoryCounters } from '../policy-tests/memory-counters.ts';
import { ancestorsOf, gather } from '../policy-tests/memory-trees.ts';
import { mentionedIn } from '../provenance.ts';
import { repeatsCounter } from '../repeats.ts';
import type { VerdictWithResponse } from '../verdicts.ts';
import { countersInTree } from './counters-in-trees.ts';
import { type KnownContent, knownContent } from './known-content.ts';
import type { PoliciesOfRecord, PoliciesThen } from './policies-then.ts';
import { type RecordedVerdict, recordedVerdict } from './recorded-verdict.ts';
import type { ReplayedIntegration } from './replayed-integrations.ts';
import { ReplayedReviews } from './replayed-reviews.ts';
import type { ReplayedSession } from './replayed-sessions.ts';
import { scanAgain } from './scan-again.ts';

/** What became of a recorded evaluation in the replay. */
export interface Replayed {
  /** Null when it would not have happened: the result of an action that is stopped now. */
  verdict: VerdictWithResponse | null;
  recorded: RecordedVerdict;
  /** What could not be evaluated. */
  unevaluated: readonly Unevaluated[];
  /** Whether the verdict is that of the record, because something that decides could not be evaluated. */
  isAssumed: boolean;
  tried: ReadonlySet<string>;
}

/** Nothing of a replay is kept. */
const salt = 'replay';

/** Judges recorded evaluations again, one after the other, by what decides every evaluation, in memory. */
export class ReplayEvaluator {
  readonly #source: ReplaySource;
  readonly #policies: PoliciesOfRecord;
  readonly #firstRow: number;
  readonly #reviews = new ReplayedReviews();

  constructor(source: ReplaySource, policies: PoliciesOfRecord, firstRow: number) {
    this.#source = source;
    this.#policies = policies;
    this.#firstRow = firstRow;
  }

  /** `ofTrees`: of the integration whose session is the root. */
  evaluate(
    row: ReplayRow,
    integration: ReplayedIntegration,
    session: ReplayedSession | null,
    ofTrees: MemoryCounters,
  ): Replayed {
    const then = this.#policies.of(row.policySetRow, row.integrationRow, integration.stored.id);
    const recorded = recordedVerdict(row);
    const content = knownContent(row, then.inputPaths);
    const scanned = then.detectsAnew ? scanAgain(row, content, integration.stored, then.policies) : null;
    const unknowns = unknownsOf(row, then, content, { integration, session, isScanned: scanned !== null });
    const grants = mayHaveUsedGrants(row) ? this.#source.grantsUsed(row.row) : noGrants;
    const named = grants.length > 0 ? null : namedIn(row);
    const evaluation = newEvaluation(row, then, scanned?.tags ?? recorded.dataTags, {
      integration,
      session,
      content,
      named: named?.id ?? null,
    });
    const counters = countersInTree(integration.counters, ofTrees);
    if (session) gather(session, row.createdAt);
    const ancestors = ancestorsOf(session?.parent ?? null, false, row.createdAt);
    const tree = session?.root.treeCounts ?? null;
    const loaded = (): Loaded => ({
      stored: null,
      revision: 0,
      session,
      action:
        row.resultOf === null || isStopped(row.resultOf, session, integration) ? null : { hasResult: false },
      review: named === null ? null : this.#reviews.named(named, session, evaluation),
      pending: null,
      grants,
      wasRejected: false,
      counters: counters.load(evaluation, session),
      sightings: session && {
        count: session.sightings.size,
        isFull: session.sightingsFull,
        find: (digest) => session.sightings.get(digest) ?? noSightings,
        inherited: ancestors.map(({ sightings }) => sightings),
      },
      ancestors,
      tree,
      usage: noUsage,
      delegatorRevisions: evaluation.delegators.map(() => 0),
    });
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
      provenance: then.needs.sightings
        ? { salt, mentioned: mentionedIn([content.input, row.targetKey], { phase: row.phase, salt }) }
        : null,
      found: recorded.found,
      callbackUrl: null,
      heldContent: () => nothingHeld,
      shownTool: () => '',
      show: undefined,
      newId: () => row.id,
      again: { unknowns, known },
    };
    let verdict: VerdictWithResponse | null = null;
    const decide = (...[context, reviews, cells, seen]: Parameters<Parameters<typeof settle>[2]>) => {
      unevaluated.length = then.unknown.length;
      isAssumed = false;
      const isUnknown = (counter: string, scope: CounterScope): boolean => {
        const is = counters.isForgotten(evaluation, session, counter, scope);
        if (is) unknowns.found = true;
        return is;
      };
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
      verdict = judge(judging, context, lasting, { find: findCell(row, cells), isUnknown }, seen);
      return verdict;
    };
    let settled = settle(loaded(), evaluation, decide);
    for (let attempts = 0; settled.result.kind === 'uncounted' && attempts < 3; attempts++) {
      for (const scope of settled.result.scopes)
        this.#recount(scope, row, then, evaluation, { integration, session, counters });
      settled = settle(loaded(), evaluation, decide);
    }
    const { writes, result } = settled;
    if (writes === null && result.kind !== 'no_action')
      throw new Error(`a recorded evaluation is ${result.kind}`);
    if (writes !== null) {
      const { verdict: done } = writes;
      if (session) {
        advance(session, evaluation, unknowns.repeats ? { ...done, repeats: null } : done);
        if (tree) countEvaluation(tree, evaluation, done);
        for (const { digest, sightings } of done.sightings.writes) session.sightings.set(digest, sightings);
        session.sightingsFull ||= done.sightings.isFull && then.needs.sightings;
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

  /** As the service does when policies get a counter: by what was recorded. */
  #recount(
    { place, counters: younger }: UncountedScope,
    row: ReplayRow,
    { policies }: PoliciesThen,
    evaluation: NewEvaluation,
    { integration, session, counters: kept }: Of & { counters: MemoryCounters },
  ): void {
    const named = policies.flatMap(({ counters }) => counters.map((one) => [one.identity, one] as const));
    const counters = [...new Map(named).values()].filter(({ identity }) => younger.includes(identity));
    const { id, name, kind } = integration.stored;
    const recount = new Recount(counters, { id, name, kind });
    const records = counters.some(({ content }) => content.isRecorded)
      ? this.#source.counted(place, this.#firstRow, row.row)
      : [];
    kept.begin(evaluation, session, place.scope, recount.writesAfter(records));
  }
}

const noReviews: ActionReviews = { named: null, pending: null, grants: [], wasRejected: false };

/** How often an action was repeated is in the record, where a policy asked: it depends on no decision. */
const findCell =
  ({ repeats }: ReplayRow, cells: CounterCells): CounterCells['find'] =>
  (counter, scope, name) =>
    counter === repeatsCounter && repeats !== null
      ? { slices: [0, repeats], latest: 0, overflow: null, resets: 0 }
      : cells.find(counter, scope, name);

const nothingHeld = { input: null, targetKey: null, targetMetadata: null, callbackUrl: null };

const isStopped = (
  action: string,
  session: ReplayedSession | null,
  integration: ReplayedIntegration,
): boolean => (session ?? integration).stopped.has(action);

const noSightings: readonly Sighting[] = [];
const noGrants: readonly OpenGrant[] = [];
const mayHaveUsedGrants = ({ reviewId, enforcementAction }: ReplayRow): boolean =>
  reviewId !== null && letsThrough(enforcementAction);

/** In old files, an approval that was used is known by the review that the evaluation shows. */
function namedIn({ named, reviewId, enforcementAction }: ReplayRow): NamedThen | null {
  if (named !== null) return JSON.parse(named) as NamedThen;
  if (reviewId === null || enforcementAction === 'APPROVAL_REQUIRED') return null;
  return { id: reviewId, status: 'APPROVED', isSame: true };
}

interface Of {
  integration: ReplayedIntegration;
  session: ReplayedSession | null;
}

function unknownsOf(
  { createdAt, repeats }: ReplayRow,
  { needs, reads, readsCatalogue, detectsAnew }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { integration, session, isScanned }: Of & { isScanned: boolean },
): Unknowns {
  const isPartial = hidesInput || hidesTargetKey;
  const catalogued = readsCatalogue && integration.stored.toolsChangedAt > createdAt;
  const tags = (detectsAnew && !isScanned) || (session?.hidesTags ?? false);
  const dataTags =
    tags && ['dataTags', 'detections', 'session.dataTags', 'tree'].some((root) => reads.has(root));
  const counted = repeats !== null || !(isPartial || session?.hidesRepeats);
  const hidden = {
    targetKey: hidesTargetKey,
    catalogued,
    dataTags,
    repeats: needs.repeats && !counted,
    grants: reads.has('session.grants'),
  };
  const seen = needs.sightings && (isPartial || (session?.hidesSightings ?? false));
  return { found: hidesInput || seen || Object.values(hidden).includes(true), ...hidden };
}

/** What the session cannot know any more, because this content was not known. */
function markHidden(
  session: ReplayedSession,
  { detectsAnew, needs }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { dataTags }: Unknowns,
): void {
  const isPartial = hidesInput || hidesTargetKey;
  session.hidesTags ||= dataTags || (detectsAnew && isPartial);
  session.hidesRepeats ||= isPartial;
  session.hidesSightings ||= isPartial;
  if (isPartial && needs.sightings) session.sightingsFull = true;
}

function newEvaluation(
  row: ReplayRow,
  { needs, toolNames }: PoliciesThen,
  dataTags: readonly string[],
  { integration, session, content, named }: Of & { content: KnownContent; named: string | null },
): NewEvaluation {
  let inputHash: string | undefined;
  return {
    id: row.id,
    integrationId: integration.stored.id,
    session: session && { id: session.id },
    at: row.createdAt,
    transport: row.transport,
    phase: row.phase,
    resultOf: row.resultOf,
    resultStatus: row.resultStatus,
    cost: row.cost === null ? null : JSON.parse(row.cost),
    toolNames,
    needs,
    inputHash: () => {
      const metadata = row.targetMetadata === null ? null : (JSON.parse(row.targetMetadata) as object);
      inputHash ??= content.hidesInput
        ? row.id
        : hashAction(content.input, row.targetKey, metadata, row.phase);
      return inputHash;
    },
    tool: row.tool,
    targetKey: row.targetKey,
    targetMetadata: null,
    correlationId: null,
    dataTags,
    detections: null,
    input: null,
    policySet: { key: '', members: [], terms: [] },
    revision: 0,
    delegators: (session?.place?.delegatedBy ?? []).map((integrationId) => ({ integrationId, revision: 0 })),
    reviewRequestId: named,
    quotas: noQuotas,
    mayOpen: true,
    idempotency: null,
  };
}

const cataloguedFor = (
  { tool, phase }: ReplayRow,
  { input, hidesInput }: KnownContent,
  { tools }: ReplayedIntegration,
): Judging['catalogued'] => {
  const known = tools.find(tool);
  return known && cataloguedOf(known, phase, hidesInput ? {} : input);
};
