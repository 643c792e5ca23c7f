import type { NewEvaluation, Verdict } from '../../evaluate/evaluation.ts';
import type { Writes } from '../../evaluate/port.ts';
import type { TreeCounts } from '../../evaluate/session.ts';
import type { NewSession } from '../../evaluate/session-places.ts';
import { rootIdOf } from '../../evaluate/session-places.ts';
import type { Batch } from './batch.ts';
import type { WrittenPolicySet } from './batch-policy-sets.ts';
import type { LoadedStates } from './loaded-states.ts';
import type { SessionState } from './session-state.ts';

/** Applies what `settle` decided, in memory, for the batch to write. */
export function write(
  batch: Batch,
  evaluation: NewEvaluation,
  loaded: LoadedStates,
  writes: Writes,
  policySetOf: WrittenPolicySet,
): void {
  const { verdict, opens } = writes;
  const { integrationId, at, policySet, resultOf, idempotency } = evaluation;
  const session = opens ? openSession(batch, opens, integrationId, loaded.tree) : loaded.session;
  if (session && writes.names) batch.names.use(integrationId, writes.names, session.id, at);
  batch.evaluations.add(evaluation, writes, session, policySetOf);
  loaded.counters?.write(session, verdict.counterWrites, at);
  if (session) batch.counters.entities.noteRecorded(session.row);
  if (session) advance(batch, session, loaded.tree, evaluation, verdict);
  if (resultOf !== null) batch.withResult.add(resultOf);
  applyReviews(batch, session, evaluation, verdict);
  batch.usage.add(integrationId, at, { review: verdict.review !== null, opens, bytes: writes.bytes });
  batch.events.push(...verdict.events);
  const rest = writes.permit && {
    sessionId: writes.permit.inSession ? (session?.id ?? null) : null,
    policySetId: policySetOf.id,
    policySetKey: policySet.key,
  };
  batch.keys.keep(integrationId, idempotency, verdict.response, at, rest);
}

function openSession(
  { sessions, trees, names, known }: Batch,
  opens: NewSession,
  integrationId: string,
  tree: TreeCounts | null,
): SessionState {
  const session = sessions.open(opens);
  names.opened(session);
  const { entityId, place } = opens;
  const parentId = place?.parentId ?? null;
  known.sessions.set(opens.id, { integrationId, entityId, parentId, rootId: rootIdOf(opens) });
  if (tree) trees.begin(session, tree);
  return session;
}

function advance(
  { sessions, trees, sightings }: Batch,
  session: SessionState,
  tree: TreeCounts | null,
  evaluation: NewEvaluation,
  verdict: Verdict,
): void {
  sessions.advance(session, evaluation, verdict);
  if (tree) trees.advance(session, tree, evaluation, verdict);
  for (const { digest, sightings: seen } of verdict.sightings.writes) sightings.write(session, digest, seen);
  if (verdict.sightings.isFull) session.sightingsFull = true;
  trees.gatherLate(session, evaluation.at);
}

function applyReviews(
  { held }: Batch,
  session: SessionState | null,
  evaluation: NewEvaluation,
  verdict: Verdict,
): void {
  const { reviewRequestId, at } = evaluation;
  if (verdict.consumesReview && reviewRequestId !== null) held.consume(reviewRequestId, at);
  held.use(verdict.usesGrants, evaluation.id);
  if (verdict.review) held.open(verdict.review, session, evaluation);
  if (verdict.heldAgain) held.holdAgain(verdict.heldAgain, evaluation.id);
}
