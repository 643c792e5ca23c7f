import { cataloguedOf } from '../../evaluate/catalogue.ts';
import { actionHashes, hashAction, identifierDigest, mentionedIn } from '../../evaluate/content.ts';
import { noDelegators } from '../../evaluate/counters/sets.ts';
import type { Judging } from '../../evaluate/judge.ts';
import { noQuotas, noReviewLimits } from '../../evaluate/quotas.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { notKept } from '../../policy/not-kept.ts';
import type { Cost } from '../../schemas/costs.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { NewEvaluation } from '../../store/store.ts';
import { type KnownContent, knownContent } from './known-content.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { ReplayedIntegration } from './replayed-integrations.ts';
import type { ReplayedSession } from './replayed-sessions.ts';

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
