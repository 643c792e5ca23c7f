import { cataloguedOf } from '../../evaluate/catalogue.ts';
import { actionHashes, digestsWith, hashAction, mentionedIn } from '../../evaluate/content.ts';
import { placeOf } from '../../evaluate/counters/counters.ts';
import { noDelegators } from '../../evaluate/counters/sets.ts';
import type { Judging } from '../../evaluate/judge.ts';
import type { LoadedCounters } from '../../evaluate/port.ts';
import { noQuotas, noReviewLimits } from '../../evaluate/quotas.ts';
import { contextInTree, newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { Recount } from '../../policy/counters/recount.ts';
import { notKept, type Subject } from '../../policy/subject.ts';
import type { VerifiedIdentity } from '../../schemas/identities.ts';
import type { SessionContext } from '../../schemas/session-context.ts';
import type { Cost } from '../../schemas/values.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { CounterCells, NewEvaluation, UncountedScope } from '../../store/store.ts';
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
    actionLabels: session?.labelsOfAction(row) ?? [],
    resultStatus: row.resultStatus,
    cost,
    identity: row.identity === null ? null : (JSON.parse(row.identity) as VerifiedIdentity),
    provenEntityId: null,
    toolNames,
    needs,
    ...actionHashes('', hashContent, cost),
    // The rejections of then are in the record.
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

/** Its arguments are unknown when the input is: see `Unknowns`. */
const noInput = {};

export const cataloguedFor = (
  { tool, phase }: Pick<ReplayRow, 'tool' | 'phase'>,
  { input, hidesInput }: KnownContent,
  { tools }: Pick<ReplayedIntegration, 'tools'>,
): Judging['catalogued'] => {
  const known = tools.find(tool);
  return known && cataloguedOf(known, phase, new CallArguments(hidesInput ? noInput : input));
};

/** Nothing of a replay is kept. */
const salt = 'replay';

export const provenanceOf = (
  { targetKey, phase }: ReplayRow,
  { input }: KnownContent,
  { tools }: Pick<ReplayedIntegration, 'tools'>,
  { catalogued }: Pick<Unknowns, 'catalogued'>,
): NonNullable<Judging['provenance']> => ({
  digestOf: digestsWith(salt).nameOf,
  mentioned: mentionedIn([input, targetKey], { phase, salt }),
  authorsOf: catalogued ? () => unknownAuthor : tools.authorsOf,
});
const unknownAuthor = { byOthers: notKept, fieldsDescribed: notKept };

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

/** The parts of an evaluation that the record does not have, as far as its policies can read them. */
export interface Unknowns {
  targetKey: boolean;
  /** The entry of the tool in the catalogue of then. */
  catalogued: boolean;
  /** The values of arguments that the catalogue names. */
  catalogueArguments: boolean;
  /** The data tags of the action and of the session. */
  dataTags: boolean;
  repeats: boolean;
  /** The grants that the session had. */
  grants: boolean;
  /** Where values were seen in the session. */
  sightings: boolean;
}

export function unknownsOf(
  { createdAt, repeats, phase }: ReplayRow,
  { needs, reads, readsCatalogue, detectsAnew }: PoliciesThen,
  { hidesInput, hidesTargetKey }: KnownContent,
  { integration, session, isScanned }: ReplayedOf & { isScanned: boolean },
): Unknowns {
  const isPartial = hidesInput || hidesTargetKey;
  const tags = (detectsAnew && !isScanned) || (session?.hidesTags ?? false);
  const counted = repeats !== null || !(isPartial || session?.hidesRepeats);
  return {
    targetKey: hidesTargetKey,
    catalogued: readsCatalogue && integration.stored.toolsChangedAt > createdAt,
    catalogueArguments: hidesInput && phase === 'ACTION',
    dataTags: tags && ['dataTags', 'detections', 'session.dataTags', 'tree'].some((root) => reads.has(root)),
    repeats: needs.repeats && !counted,
    grants: reads.has('session.grants'),
    sightings: session?.hidesSightings ?? false,
  };
}

const unknownTool = {
  effect: notKept,
  untrustedResults: notKept,
  directory: notKept,
  described: notKept,
  destinations: notKept,
  identifiers: notKept,
  names: notKept,
};
export const unknownSightings: Subject['sightings'] = { find: () => notKept };

/** A tool of today's catalogue as far as it says what the catalogue said then, of arguments that are known. */
export function knownTool(
  tool: Subject['catalogued'],
  { catalogued, catalogueArguments }: Pick<Unknowns, 'catalogued' | 'catalogueArguments'>,
): Subject['catalogued'] {
  if (catalogued) return unknownTool;
  return tool && catalogueArguments ? { ...tool, destinations: notKept, identifiers: notKept } : tool;
}

/** The subject as the record knows it, with `notKept` in place of the rest. */
export function knownSubject(
  subject: Subject,
  evaluation: NewEvaluation,
  unknowns: Unknowns,
  {
    context,
    session,
    counters,
  }: Pick<ReplayedOf & CountedIn, 'session' | 'counters'> & { context: SessionContext },
): Subject {
  return {
    ...subject,
    counters: {
      isReserved: (counter) => subject.counters.isReserved(counter),
      read: (counter, key) =>
        counters.isForgotten(evaluation, session, counter.identity, counter.over)
          ? notKept
          : subject.counters.read(counter, key),
    },
    catalogued: knownTool(subject.catalogued, unknowns),
    ...(subject.phase === 'RESULT' && { actionArguments: notKept }),
    ...(unknowns.targetKey && { targetKey: notKept }),
    ...(unknowns.dataTags && {
      dataTags: notKept,
      detections: notKept,
      session: { ...contextInTree(context, [], context), tree: context.tree, dataTags: notKept },
    }),
    ...(unknowns.repeats && { repeats: notKept }),
    ...(unknowns.grants && { grants: notKept }),
    ...(unknowns.sightings && { sightings: unknownSightings }),
  };
}

/** Marks the facts that the session cannot know any more, because this content was not known. */
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

/** The state of the counters; those that came later have counted the actions recorded before. */
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

export const cellsOf = (loaded: LoadedCounters | null): CounterCells => ({
  find: (counter, scope, name) => loaded?.of(scope)?.find(counter, name) ?? null,
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
