import { cataloguedOf } from '../../evaluate/catalogue.ts';
import { actionHashes, hashAction, identifierDigest, mentionedIn } from '../../evaluate/content.ts';
import { placeOf } from '../../evaluate/counters/counters.ts';
import { noDelegators } from '../../evaluate/counters/sets.ts';
import type { Judging } from '../../evaluate/judge.ts';
import type { LoadedCounters } from '../../evaluate/port.ts';
import { noQuotas, noReviewLimits } from '../../evaluate/quotas.ts';
import { newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { Recount } from '../../policy/counters/recount.ts';
import { notKept } from '../../policy/not-kept.ts';
import type { Unknowns } from '../../policy/subject.ts';
import type { Cost } from '../../schemas/costs.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { CounterCells, CounterScope, NewEvaluation, UncountedScope } from '../../store/store.ts';
import { type KnownContent, knownContent } from './known-content.ts';
import type { PoliciesThen } from './policies-of-record.ts';
import type { ReplayedIntegration, ReplayedSession } from './replayed-state.ts';

/** Where an evaluation is replayed. */
export interface ReplayedOf {
  integration: ReplayedIntegration;
  session: ReplayedSession | null;
}

/** A recorded evaluation as a new one. */
export function newEvaluation(
  row: ReplayRow,
  { needs, toolNames }: PoliciesThen,
  dataTags: readonly string[],
  { integration, session, content, named }: ReplayedOf & { content: KnownContent; named: string | null },
): NewEvaluation {
  const cost = row.cost === null ? null : (JSON.parse(row.cost) as Cost);
  const hashContent = (): string => {
    if (content.hidesInput) return row.id;
    const metadata = row.targetMetadata === null ? null : (JSON.parse(row.targetMetadata) as object);
    return hashAction(content.input, row.targetKey, metadata, row.phase);
  };
  return {
    id: row.id,
    integrationId: integration.stored.id,
    session: session && { id: session.id },
    at: row.createdAt,
    transport: row.transport,
    phase: row.phase,
    resultOf: row.resultOf,
    resultStatus: row.resultStatus,
    cost,
    toolNames,
    needs,
    ...actionHashes('', hashContent, cost),
    // What was rejected then is in the record.
    rejectionHash: () => '',
    tool: row.tool,
    targetKey: row.targetKey,
    targetMetadata: null,
    correlationId: null,
    traceId: null,
    dataTags,
    detections: null,
    input: null,
    policySet: { key: '', members: [], terms: [] },
    revision: 0,
    delegators:
      session?.place?.delegatedBy.map((integrationId) => ({ integrationId, revision: 0 })) ?? noDelegators,
    reviewRequestId: named,
    quotas: noQuotas,
    reviewLimits: noReviewLimits,
    mayOpen: true,
    idempotency: null,
  };
}

export const cataloguedFor = (
  { tool, phase }: Pick<ReplayRow, 'tool' | 'phase'>,
  { input, hidesInput }: KnownContent,
  { tools }: Pick<ReplayedIntegration, 'tools'>,
): Judging['catalogued'] => {
  const known = tools.find(tool);
  return known && cataloguedOf(known, phase, new CallArguments(hidesInput ? (notKept as never) : input));
};

/** Nothing of a replay is kept. */
const salt = 'replay';

export const provenanceOf = (
  { targetKey, phase }: ReplayRow,
  { input }: KnownContent,
): NonNullable<Judging['provenance']> => ({
  digestOf: (identifier) => identifierDigest(salt, identifier),
  mentioned: mentionedIn([input, targetKey], { phase, salt }),
});

const rowsAtOnce = 1_000;

/** How often this exact action was attempted before in its session. */
export function repeatsBefore(
  row: ReplayRow,
  evaluation: NewEvaluation,
  then: PoliciesThen,
  { source, ...of }: ReplayedOf & { source: Pick<ReplaySource, 'rowsAt'> },
): number {
  function* readAgain(rows: readonly number[]): Generator<NewEvaluation> {
    for (let first = 0; first < rows.length; first += rowsAtOnce)
      for (const earlier of source.rowsAt(rows.slice(first, first + rowsAtOnce))) {
        const content = knownContent(earlier, then.inputPaths);
        yield newEvaluation(earlier, then, [], { ...of, content, named: null });
      }
  }
  return of.session?.repeats.before(row, evaluation, readAgain) ?? row.repeats ?? 0;
}

/** What is not known of an evaluation, as far as its policies can read it. */
export function unknownsOf(
  { createdAt, repeats }: ReplayRow,
  { needs, reads, readsCatalogue, detectsAnew }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { integration, session, isScanned }: ReplayedOf & { isScanned: boolean },
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
export function markHidden(
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

/** Where an evaluation is counted, and what was recorded before. */
export interface CountedIn {
  counters: MemoryCounters;
  source: ReplaySource;
  /** Nothing is replayed that was recorded up to this row. */
  after: number;
}

const mostRecounts = 3;

/** What counters keep; those that came later have counted what was recorded before. */
export function loadCounters(
  row: ReplayRow,
  then: PoliciesThen,
  evaluation: NewEvaluation,
  of: ReplayedOf & CountedIn,
): LoadedCounters | null {
  const { integration, session, counters } = of;
  let loaded = counters.load(evaluation, session);
  for (let recounts = 0; recounts < mostRecounts; recounts++) {
    const uncounted = loaded?.uncounted ?? [];
    if (uncounted.length === 0) break;
    const context = session ?? newContext(sessionless(row.createdAt));
    for (const { scope, counters: younger } of uncounted) {
      const place = placeOf(scope, integration.stored.id, context);
      recount({ place, counters: younger }, row, then, evaluation, of);
    }
    loaded = counters.load(evaluation, session);
  }
  return loaded;
}

/** Counts what was recorded before, as the service does when policies get a counter. */
function recount(
  { place, counters: younger }: UncountedScope,
  { row }: ReplayRow,
  { policies }: PoliciesThen,
  evaluation: NewEvaluation,
  { integration, session, counters: kept, source, after }: ReplayedOf & CountedIn,
): void {
  const named = policies.flatMap(({ counters }) => counters.map((one) => [one.identity, one] as const));
  const counters = [...new Map(named).values()].filter(({ identity }) => younger.includes(identity));
  const { id, name, kind } = integration.stored;
  const counting = new Recount(counters, { id, name, kind });
  const records = counters.some(({ content }) => content.isRecorded) ? source.counted(place, after, row) : [];
  kept.begin(evaluation, session, place.scope, counting.writesAfter(records));
}

/** `unknowns` learns when a counter is read that could not count something. */
export const knownCells = (
  loaded: LoadedCounters | null,
  evaluation: NewEvaluation,
  { session, counters }: Pick<ReplayedOf & CountedIn, 'session' | 'counters'>,
  unknowns: Unknowns,
): CounterCells => ({
  find: (counter, scope, name) => loaded?.of(scope)?.find(counter, name) ?? null,
  isUnknown(counter: string, scope: CounterScope) {
    const is = counters.isForgotten(evaluation, session, counter, scope);
    if (is) unknowns.found = true;
    return is;
  },
});

/** The counters of an integration, in a tree whose root may be another one's: that one keeps what trees count, as in a store. */
export function countersInTree(own: MemoryCounters, ofRoot: MemoryCounters): MemoryCounters {
  if (own === ofRoot) return own;
  const of = (scope: string): MemoryCounters => (scope === 'tree' ? ofRoot : own);
  return {
    load(evaluation, session) {
      const loaded = own.load(evaluation, session);
      const trees = ofRoot.load(evaluation, session, ['tree']);
      if (!loaded || !trees) return loaded;
      return {
        of: (scope) => (scope === 'tree' ? trees : loaded).of(scope),
        get uncounted() {
          return [
            ...loaded.uncounted.filter(({ scope }) => scope !== 'tree'),
            ...trees.uncounted.filter(({ scope }) => scope === 'tree'),
          ];
        },
      };
    },
    write(evaluation, session, writes) {
      own.write(
        evaluation,
        session,
        writes.filter(({ scope }) => scope !== 'tree'),
      );
      ofRoot.write(
        evaluation,
        session,
        writes.filter(({ scope }) => scope === 'tree'),
      );
    },
    begin: (evaluation, session, scope, writes) => of(scope).begin(evaluation, session, scope, writes),
    forget: (evaluation, session, counter) => of(counter.over).forget(evaluation, session, counter),
    isForgotten: (evaluation, session, counter, scope) =>
      of(scope).isForgotten(evaluation, session, counter, scope),
  };
}
