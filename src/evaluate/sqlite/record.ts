import { and, eq, sql } from 'drizzle-orm';
import { dayMs } from '../../schemas/durations.ts';
import type { EvaluatedAction, EvaluationStore } from '../../store/evaluations.ts';
import { parseList } from '../../store/rows.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import type { FreshEvaluation, SqliteStats } from '../../store/sqlite/evaluations/stats.ts';
import type { ViolationRows } from '../../store/sqlite/evaluations/violations.ts';
import type { EventLog } from '../../store/sqlite/events.ts';
import type { Revisions } from '../../store/sqlite/revisions.ts';
import { evaluationSessions } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { actionResults, evaluations } from '../../store/sqlite/tables/evaluations.ts';
import { noCounters } from '../counters/sets.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';
import type { Ancestor, Loaded, Writes } from '../port.ts';
import type { TreeCounts } from '../session.ts';
import { type NewSession, rootIdOf } from '../session-places.ts';
import { settle } from '../settle.ts';
import type { SightingRows } from '../sightings.ts';
import type { CounterScopes, LoadedScopes } from './counter-scopes.ts';
import type { EvaluationBlocks } from './evaluation-blocks.ts';
import { createEvaluationWrites, type RowsOfEvaluation } from './evaluation-rows.ts';
import type { GrantRows } from './grants.ts';
import type { IdempotencyKeys, PermitRows } from './idempotency.ts';
import type { IntegrationRows, IntegrationUsage } from './integration-rows.ts';
import { createJoinedSession, type NamedSessionRows } from './named-sessions.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { RecordChains } from './record-chains.ts';
import type { LoadedReview, ReviewRows } from './review-rows.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import type { SessionTrees } from './session-trees.ts';
import type { SightingsOfStore } from './sightings.ts';

/** The state that `settle` asks for, with the rows that `apply` writes to. */
interface LoadedRows extends Loaded {
  integrationRow: number;
  session: SessionState | null;
  action: LoadedAction | null;
  review: LoadedReview | null;
  counters: LoadedScopes | null;
}

/** An evaluation that has its row. */
interface Recorded {
  readonly evaluation: NewEvaluation;
  readonly verdict: Verdict;
  readonly evaluationRow: number;
}

/** The rows that recording an evaluation reads and changes. */
export interface RecordedRows {
  integrations: IntegrationRows;
  sessions: SessionStates;
  namedSessions: NamedSessionRows;
  policySets: PolicySetRows;
  actions: ActionResults;
  reviews: ReviewRows;
  grants: GrantRows;
  idempotencyKeys: IdempotencyKeys;
  revisions: Revisions;
  blocks: EvaluationBlocks;
  violations: Pick<ViolationRows, 'add'>;
  counterScopes: CounterScopes;
  eventLog: Pick<EventLog, 'append'>;
  chains: RecordChains;
  sightings: SightingsOfStore;
  trees: SessionTrees;
  usage: IntegrationUsage;
  stats: Pick<SqliteStats, 'note'>;
}

/** Records an evaluation: it is loaded, settled and written inside one change, which no other change interrupts. */
export function createRecord(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  rows: RecordedRows,
): EvaluationStore['record'] {
  const { integrations, sessions, namedSessions, policySets, actions, reviews, grants, idempotencyKeys } =
    rows;
  const { revisions, blocks, violations, counterScopes, eventLog, chains, sightings, trees, usage, stats } =
    rows;
  const joinedSession = createJoinedSession({ client });
  const evaluationWrites = createEvaluationWrites({ client, db }, chains);

  return (evaluation, decide) =>
    writer.run(() => {
      const loaded = load(evaluation);
      const { result, writes } = settle(loaded, evaluation, decide);
      if (writes) apply(loaded, evaluation, writes);
      return result;
    });

  function load(evaluation: NewEvaluation): LoadedRows {
    const { idempotency, at, resultOf, reviewRequestId } = evaluation;
    const integrationRow = integrations.find(evaluation.integrationId);
    const session = findSession(integrationRow, evaluation);
    if (session && evaluation.needs.recentActions) sessions.readRecentActions(session);
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
  }

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

  function sightingsOf(session: SessionState, ancestors: readonly Ancestor[]): SightingRows {
    return {
      inherited: ancestors.map((one) => one.sightings),
      count: session.sightingCount,
      isFull: session.sightingsFull,
      find: (digest) => sightings.find(session, digest),
      ownAdds: (digest) => sightings.ownAdds(session, digest),
    };
  }

  function apply(loaded: LoadedRows, evaluation: NewEvaluation, writes: Writes): void {
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
    const recorded = { evaluation, verdict, evaluationRow };
    if (session) advance(session, tree, recorded);
    if (loaded.action) actions.addResult(loaded.action.row, evaluationRow);
    applyReviews(of, loaded.review, recorded);
    if (writes.bytes > 0) usage.addBytes(integrationRow, at, writes.bytes);
    for (const event of verdict.events) eventLog.append(event);
    stats.note(countedOf(recorded, session));
    const permit = permitRows(writes, sessionRow, policySetRow);
    idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.response, at, permit);
  }

  function openSession(opens: NewSession, integrationRow: number, tree: TreeCounts | null): SessionState {
    const session = sessions.open(opens, integrationRow);
    if (tree) trees.begin(opens, tree);
    return session;
  }

  function advance(
    session: SessionState,
    tree: TreeCounts | null,
    { evaluation, verdict, evaluationRow }: Recorded,
  ): void {
    sessions.advance(session, evaluation, verdict, evaluationRow);
    if (tree) trees.advance(session, tree, evaluation, verdict);
    sightings.write(session, verdict.sightings.writes);
    if (verdict.sightings.isFull) session.sightingsFull = true;
    trees.gatherLate(session, evaluation.at);
  }

  function applyReviews(
    { integrationRow, policySetRow, session }: RowsOfEvaluation,
    named: LoadedReview | null,
    { evaluation: { at, tool }, verdict, evaluationRow }: Recorded,
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
}

/** Findings without their messages, which show content. */
const countedOf = (
  { evaluation, verdict, evaluationRow: id }: Recorded,
  session: SessionState | null,
): FreshEvaluation => ({
  id,
  integrationId: evaluation.integrationId,
  entityId: session?.entityId ?? null,
  tool: evaluation.tool,
  enforcementAction: verdict.enforcementAction,
  violations:
    verdict.violations.length === 0
      ? noFindings
      : verdict.violations.map(({ policyName, ruleId }) => ({ policyName, ruleId })),
  dataTags: evaluation.dataTags,
  createdAt: evaluation.at,
  tookUs: verdict.tookUs,
});
const noFindings: readonly never[] = [];

const permitRows = ({ permit }: Writes, sessionId: number | null, policySetId: number): PermitRows | null =>
  permit && { sessionId: permit.inSession ? sessionId : null, policySetId };

/** Nothing ends the rejection of an action outside of sessions: it holds as long as a session that names no expiry. */
const rejectedForMs = dayMs;

/** The reviews and grants that an action has to do with. */
function loadHeld(
  { reviews, grants }: { reviews: ReviewRows; grants: GrantRows },
  integrationRow: number,
  { session, tree }: { session: SessionState | null; tree: TreeCounts | null },
  evaluation: NewEvaluation,
): Pick<Loaded, 'pending' | 'grants' | 'rejection'> {
  const { needs, session: asked, tool, inputHash } = evaluation;
  const rejection = findRejection(reviews, integrationRow, { session, tree }, evaluation);
  // A session without a held action has no review. Held prompts are counted with all other records.
  const hasReviews = session ? session.reviewCount + session.otherCount > 0 : asked === null;
  if (!needs.pendingReview || !hasReviews) return { pending: null, grants: [], rejection };
  const action = { integrationRow, sessionRow: session?.row.id ?? null, tool, inputHash: inputHash() };
  return {
    pending: reviews.findPending(action),
    grants: session ? grants.ofSession(session.row.id) : [],
    rejection,
  };
}

/** Most sessions have no rejection: their actions are not hashed for one. */
function findRejection(
  reviews: ReviewRows,
  integrationRow: number,
  { session, tree }: { session: SessionState | null; tree: TreeCounts | null },
  { needs, session: asked, tool, phase, rejectionHash, at }: NewEvaluation,
): Loaded['rejection'] {
  if (phase === 'RESULT') return null;
  const opens = asked && 'open' in asked ? asked.open : null;
  const own = session ?? opens;
  const mayBe = own ? ((tree ?? session)?.rejectionCount ?? 0) > 0 : needs.pendingReview;
  if (!mayBe) return null;
  const rootId = own && rootIdOf(own);
  return reviews.findRejection({
    integrationRow,
    rootId,
    tool,
    rejectionHash: rejectionHash(),
    since: at - rejectedForMs,
  });
}

/** Which action has a result. Synchronous: it runs inside a change or a read. */
export interface ActionResults {
  /** Null when the integration has no such evaluation. */
  find(integrationRow: number, id: string): EvaluatedAction | null;
  /** The same, as recording its result needs it. */
  load(integrationRow: number, id: string): LoadedAction | null;
  addResult(actionRow: number, resultRow: number): void;
}

interface LoadedAction {
  row: number;
  hasResult: boolean;
}

export function createActionResults({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): ActionResults {
  const { placeholder } = sql;
  const byUid = steady
    .select({
      row: evaluations.id,
      phase: evaluations.phase,
      sessionId: evaluationSessions.uid,
      externalSessionId: evaluationSessions.externalSessionId,
      tool: evaluations.tool,
      enforcementAction: evaluations.enforcementAction,
      labels: evaluations.labels,
    })
    .from(evaluations)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(
      and(
        eq(evaluations.uid, placeholder('id')),
        eq(evaluations.integrationId, placeholder('integrationRow')),
      ),
    )
    .prepare();
  const resultOf = steady
    .select({ resultId: actionResults.resultId })
    .from(actionResults)
    .where(eq(actionResults.actionId, placeholder('actionRow')))
    .prepare();
  const find = (integrationRow: number, id: string) => byUid.get({ id: id.toLowerCase(), integrationRow });

  return {
    find(integrationRow, id) {
      const found = find(integrationRow, id);
      if (!found) return null;
      const { row: _, labels, ...action } = found;
      return { ...action, labels: parseList(labels) };
    },
    load(integrationRow, id) {
      const found = find(integrationRow, id);
      if (!found) return null;
      return { row: found.row, hasResult: resultOf.get({ actionRow: found.row }) !== undefined };
    },
    addResult(actionRow, resultRow) {
      db.insert(actionResults).values({ actionId: actionRow, resultId: resultRow }).run();
    },
  };
}
