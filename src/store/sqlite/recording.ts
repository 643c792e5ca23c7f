import { noCounters } from '../../evaluate/counters/sets.ts';
import type { NewEvaluation, Verdict } from '../../evaluate/evaluation.ts';
import type { Ancestor, Loaded, Writes } from '../../evaluate/port.ts';
import type { TreeCounts } from '../../evaluate/session.ts';
import type { NewSession } from '../../evaluate/session-places.ts';
import { rootIdOf } from '../../evaluate/session-places.ts';
import type { SightingRows } from '../../evaluate/sightings.ts';
import type { ActionResults, LoadedAction } from './action-results.ts';
import type { CounterScopes, LoadedScopes } from './counter-scopes.ts';
import type { Sqlite } from './database.ts';
import type { EvaluationBlocks } from './evaluation-blocks.ts';
import { createEvaluationWrites, type RowsOfEvaluation } from './evaluation-writes.ts';
import type { EventLog } from './events.ts';
import type { GrantRows } from './grants.ts';
import { loadHeld } from './held-actions.ts';
import type { IdempotencyKeys, PermitRows } from './idempotency.ts';
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
  const evaluationWrites = createEvaluationWrites({ client, db }, chains);

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

  function openSession(opens: NewSession, integrationRow: number, tree: TreeCounts | null): SessionState {
    const session = sessions.open(opens, integrationRow);
    if (tree) trees.begin(opens, tree);
    return session;
  }

  function advance(
    session: SessionState,
    tree: TreeCounts | null,
    evaluation: NewEvaluation,
    verdict: Verdict,
    evaluationRow: number,
  ): void {
    sessions.advance(session, evaluation, verdict, evaluationRow);
    if (tree) trees.advance(session, tree, evaluation, verdict);
    for (const { digest, sightings: seen } of verdict.sightings.writes)
      sightings.write(session, digest, seen);
    if (verdict.sightings.isFull) session.sightingsFull = true;
    trees.gatherLate(session, evaluation.at);
  }

  function applyReviews(
    { integrationRow, policySetRow, session }: RowsOfEvaluation,
    named: LoadedReview | null,
    { at, tool }: NewEvaluation,
    verdict: Verdict,
    evaluationRow: number,
  ): void {
    if (verdict.consumesReview && named) reviews.consume(named.row, at);
    grants.use(verdict.usesGrants, evaluationRow);
    if (verdict.review) {
      const sessionRow = session?.row.id ?? null;
      const of = { integrationRow, sessionRow, evaluationRow, tool, policySetRow };
      reviews.insert(verdict.review, { ...of, createdAt: at });
    }
    if (verdict.heldAgain) reviews.holdAgain(verdict.heldAgain, evaluationRow);
  }

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
      const tree = trees.countsOf(session, opens);
      const root = session ?? opens;
      return {
        integrationRow,
        stored: idempotencyKeys.find(integrationRow, idempotency, at),
        revision: revisions.of(integrationRow),
        session,
        action: resultOf === null ? null : actions.load(integrationRow, resultOf),
        review: reviewRequestId === null ? null : reviews.findNamed(integrationRow, reviewRequestId),
        ...loadHeld({ reviews, grants }, integrationRow, { session, tree }, evaluation),
        counters: loadCounters(integrationRow, session, evaluation),
        sightings: session && evaluation.needs.sightings ? sightingsOf(session, ancestors) : null,
        ancestors,
        tree,
        usage: {
          ...usage.of(integrationRow, at),
          pendingReviewsOfSession: () => (root ? reviews.countPending(rootIdOf(root), at) : 0),
        },
        delegatorRevisions: evaluation.delegators.map(({ integrationId }) =>
          revisions.of(integrations.find(integrationId)),
        ),
      };
    },

    apply(loaded, evaluation, writes) {
      const { integrationRow, counters, tree } = loaded;
      const { verdict, opens, names } = writes;
      const { at } = evaluation;
      const session = opens ? openSession(opens, integrationRow, tree) : loaded.session;
      const sessionRow = session?.row.id ?? null;
      if (names && sessionRow !== null) namedSessions.use(integrationRow, names, sessionRow, at);
      const { row: policySetRow, termsHash } = policySets.ensure(evaluation.policySet);
      const of = { integrationRow, policySetRow, termsHash, session };
      const evaluationRow = evaluationWrites.add(of, evaluation, writes);
      if (counters) counterScopes.write(counters, session, verdict.counterWrites, at);
      blocks.add(evaluationRow, integrationRow, evaluation, verdict);
      if (verdict.violations.length > 0) violations.add(evaluationRow, integrationRow, sessionRow, verdict);
      if (session) advance(session, tree, evaluation, verdict, evaluationRow);
      if (loaded.action) actions.addResult(loaded.action.row, evaluationRow);
      applyReviews(of, loaded.review, evaluation, verdict, evaluationRow);
      if (writes.bytes > 0) usage.addBytes(integrationRow, at, writes.bytes);
      for (const event of verdict.events) eventLog.append(event);
      const permit = permitRows(writes, sessionRow, policySetRow);
      idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.response, at, permit);
    },
  };
}

const permitRows = ({ permit }: Writes, sessionId: number | null, policySetId: number): PermitRows | null =>
  permit && { sessionId: permit.inSession ? sessionId : null, policySetId };
