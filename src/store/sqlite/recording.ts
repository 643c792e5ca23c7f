import { sql } from 'drizzle-orm';
import { entryHash } from '../../record/entries.ts';
import { evaluationEntry } from '../../record/evaluation-entry.ts';
import { newSalt } from '../content-salts.ts';
import { noCounters } from '../counter-sets.ts';
import type { NewEvaluation } from '../new-evaluations.ts';
import type { Ancestor, Loaded, Writes } from '../record-evaluation.ts';
import { rowOfEvaluation } from '../recorded-row.ts';
import type { SightingRows } from '../sightings.ts';
import type { ActionResults, LoadedAction } from './action-results.ts';
import type { CounterScopes, LoadedScopes } from './counter-scopes.ts';
import type { Sqlite } from './database.ts';
import type { EvaluationBlocks } from './evaluation-blocks.ts';
import type { EventLog } from './events.ts';
import type { GrantRows } from './grants.ts';
import { loadHeld } from './held-actions.ts';
import { prepareHot } from './hot-statement.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import type { IntegrationUsage } from './integration-usage.ts';
import { createJoinedSession } from './joined-session.ts';
import type { NamedSessionRows } from './named-sessions.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { RecordChains } from './record-chains.ts';
import type { LoadedReview, ReviewRows } from './review-rows.ts';
import type { Revisions } from './revisions.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import type { SessionTrees } from './session-trees.ts';
import type { SightingsOfStore } from './sightings.ts';
import { evaluations } from './tables.ts';
import type { ViolationRows } from './violations.ts';

/** What `settle` asks for, with the rows that `apply` writes to. */
export interface LoadedRows extends Loaded {
  integrationRow: number;
  session: SessionState | null;
  action: LoadedAction | null;
  review: LoadedReview | null;
  counters: LoadedScopes | null;
}

/** The two halves of recording an evaluation that touch the database. Synchronous: they run inside one change. */
export interface Recording {
  load(evaluation: NewEvaluation): LoadedRows;
  apply(loaded: LoadedRows, evaluation: NewEvaluation, writes: Writes): void;
}

type Value = string | number | null;
const written = [
  'uid',
  'integrationId',
  'sessionId',
  'seq',
  'previousId',
  'transport',
  'tool',
  'targetKey',
  'targetMetadata',
  'correlationId',
  'outcome',
  'enforcementAction',
  'severity',
  'enforcedSeverity',
  'violations',
  'dataTags',
  'detections',
  'policySetId',
  'input',
  'reviewUid',
  'createdAt',
  'phase',
  'resultOf',
  'resultStatus',
  'previousActionId',
  'chainSeq',
  'entryHash',
  'contentSalt',
  'labels',
  'repeats',
  'cost',
  'usedGrants',
  'namedReview',
  'tookUs',
] as const;

export function createRecording(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  integrations: IntegrationRows,
  sessions: SessionStates,
  namedSessions: NamedSessionRows,
  policySets: PolicySetRows,
  actions: ActionResults,
  reviews: ReviewRows,
  idempotencyKeys: IdempotencyKeys,
  revisions: Revisions,
  blocks: EvaluationBlocks,
  violations: Pick<ViolationRows, 'add'>,
  counterScopes: CounterScopes,
  eventLog: Pick<EventLog, 'append'>,
  chains: RecordChains,
  sightings: SightingsOfStore,
  trees: SessionTrees,
  grants: GrantRows,
  usage: IntegrationUsage,
): Recording {
  const joinedSession = createJoinedSession({ client });
  const values = Object.fromEntries(written.map((name) => [name, sql.placeholder(name)]));
  const insert = prepareHot<Value[]>(
    client,
    db
      .insert(evaluations)
      .values(values as Record<(typeof written)[number], ReturnType<typeof sql.placeholder>>),
    [...written],
  );

  function findSession(integrationRow: number, { session: asked, at }: NewEvaluation): SessionState | null {
    if (!asked) return null;
    if ('id' in asked) return sessions.find(integrationRow, asked.id);
    let id: string | null = null;
    if ('name' in asked) id = namedSessions.find(integrationRow, asked, at);
    else if ('externalSessionId' in asked) id = joinedSession(integrationRow, asked.externalSessionId, at);
    return id === null ? null : sessions.find(integrationRow, id);
  }

  function loadCounters(
    integrationRow: number,
    session: SessionState | null,
    evaluation: NewEvaluation,
  ): LoadedScopes | null {
    const { needs, session: asked, revision, delegators } = evaluation;
    // The counters of policies that are not in force any more must not become those of the integration.
    if (revision !== revisions.of(integrationRow)) return null;
    const planned = needs.counters ?? noCounters;
    const own = session ?? (asked && 'open' in asked ? asked.open : null);
    const isInTree = delegators.length > 0 || planned.some(({ over }) => over === 'tree');
    const root = isInTree && own ? trees.rootOf(own, integrationRow) : null;
    const of = { integrationRow, session, entityId: own?.entityId ?? null, root };
    const loaded = counterScopes.load(of, planned, evaluation);
    return needs.counters && loaded;
  }
  const sightingsOf = (session: SessionState, ancestors: readonly Ancestor[]): SightingRows => ({
    inherited: ancestors.map((one) => one.sightings),
    count: session.sightingCount,
    isFull: session.sightingsFull,
    find: (digest) => sightings.find(session, digest),
  });

  return {
    load(evaluation) {
      const { idempotency, at, resultOf, reviewRequestId } = evaluation;
      const integrationRow = integrations.find(evaluation.integrationId);
      const session = findSession(integrationRow, evaluation);
      if (evaluation.needs.recentActions) session?.readRecentActions();
      if (session) trees.gather(session, at);
      const { session: asked } = evaluation;
      const opens = asked && 'open' in asked && !session ? asked.open : null;
      const ancestors = trees.ancestorsOf(session ? session.place : (opens?.place ?? null), !session, at);
      return {
        integrationRow,
        stored: idempotencyKeys.find(integrationRow, idempotency, at),
        revision: revisions.of(integrationRow),
        session,
        action: resultOf === null ? null : actions.load(integrationRow, resultOf),
        review: reviewRequestId === null ? null : reviews.findNamed(integrationRow, reviewRequestId),
        ...loadHeld({ reviews, grants }, integrationRow, session, evaluation),
        counters: loadCounters(integrationRow, session, evaluation),
        sightings: session && evaluation.needs.sightings ? sightingsOf(session, ancestors) : null,
        ancestors,
        tree: trees.countsOf(session, opens),
        usage: usage.of(integrationRow, at),
        delegatorRevisions: evaluation.delegators.map(({ integrationId }) =>
          revisions.of(integrations.find(integrationId)),
        ),
      };
    },

    apply({ integrationRow, session: found, action, review, counters, tree }, evaluation, writes) {
      const { verdict, opens, names } = writes;
      const { at } = evaluation;
      const session = opens ? sessions.open(opens, integrationRow) : found;
      if (opens && tree) trees.begin(opens, tree);
      const sessionRow = session?.row.id ?? null;
      if (names && sessionRow !== null) namedSessions.use(integrationRow, names, sessionRow, at);
      const policySetRow = policySets.ensure(evaluation.policySet);
      const row = rowOfEvaluation(evaluation, writes, newSalt);
      const link = chains.next(evaluation.integrationId, session);
      const hash = entryHash(evaluationEntry(link, row));
      const { lastInsertRowid } = insert.run(
        evaluation.id,
        integrationRow,
        sessionRow,
        writes.seq,
        session?.lastEvaluationId ?? null,
        evaluation.transport,
        evaluation.tool,
        evaluation.targetKey,
        evaluation.targetMetadata,
        evaluation.correlationId,
        verdict.outcome,
        verdict.enforcementAction,
        verdict.severity,
        verdict.enforcedSeverity,
        row.violations,
        row.dataTags,
        evaluation.detections,
        policySetRow,
        evaluation.input,
        writes.reviewRequestId,
        at,
        evaluation.phase,
        evaluation.resultOf,
        evaluation.resultStatus,
        session?.previousActionId ?? null,
        link.seq,
        hash,
        row.salt,
        row.labels,
        row.repeats,
        row.cost,
        row.grants,
        writes.namedReview && JSON.stringify(writes.namedReview),
        verdict.tookUs,
      );
      chains.add(link, hash, session);
      const evaluationRow = Number(lastInsertRowid);
      if (counters) counterScopes.write(counters, session, verdict.counterWrites, at);
      blocks.add(evaluationRow, integrationRow, evaluation, verdict);
      if (verdict.violations.length > 0) violations.add(evaluationRow, integrationRow, sessionRow, verdict);
      if (session) sessions.advance(session, evaluation, verdict, evaluationRow);
      if (session && tree) trees.advance(session, tree, evaluation, verdict);
      if (action) actions.addResult(action.row, evaluationRow);
      if (verdict.consumesReview && review) reviews.consume(review.row, at);
      grants.use(verdict.usesGrants, evaluationRow);
      if (verdict.review) {
        const of = { integrationRow, sessionRow, evaluationRow, tool: evaluation.tool, policySetRow };
        reviews.insert(verdict.review, { ...of, createdAt: at });
      }
      if (verdict.heldAgain) reviews.holdAgain(verdict.heldAgain, evaluationRow);
      if (session) {
        for (const { digest, sightings: seen } of verdict.sightings.writes)
          sightings.write(session, digest, seen);
        if (verdict.sightings.isFull) session.sightingsFull = true;
      }
      if (writes.bytes > 0) usage.addBytes(integrationRow, at, writes.bytes);
      for (const event of verdict.events) eventLog.append(event);
      const permit = writes.permits ? { sessionId: sessionRow, policySetId: policySetRow } : null;
      idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.response, at, permit);
    },
  };
}
