import type { NewEvaluation } from '../../evaluate/evaluation.ts';
import type { Decide, RecordResult, Writes } from '../../evaluate/port.ts';
import { settle } from '../../evaluate/settle.ts';
import { likelySession, nameKey, opensOf } from './asked-session.ts';
import type { Batch } from './batch.ts';
import { apply, type Job } from './jobs.ts';
import { load } from './loaded-states.ts';
import { lockNames } from './locks.ts';
import { write } from './recorded-writes.ts';
import { want } from './recording-wants.ts';
import { NotLoaded } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** Records an evaluation. */
export function recordingJob(given: NewEvaluation, decide: Decide): Job<RecordResult> {
  const evaluation: NewEvaluation = {
    ...given,
    resultOf: given.resultOf?.toLowerCase() ?? null,
    reviewRequestId: given.reviewRequestId?.toLowerCase() ?? null,
    session: given.session && 'id' in given.session ? { id: given.session.id.toLowerCase() } : given.session,
  };
  const { integrationId, session: asked, policySet, idempotency } = evaluation;
  const opens = opensOf(evaluation);
  const name = nameKey(evaluation);
  const parentId = opens?.place?.parentId ?? null;

  return {
    sessionIds: [asked && 'id' in asked ? asked.id : null, parentId].filter((id) => id !== null),
    size: (evaluation.input?.length ?? 0) + (evaluation.targetMetadata?.length ?? 0) + 1_000,

    keys(known) {
      const id = likelySession(evaluation, known);
      const facts = id === null ? null : known.sessions.get(id);
      const keys = [facts?.rootId ?? id ?? opens?.place?.rootId ?? lockNames.chain(integrationId)];
      if (name !== null) keys.push(name);
      if (idempotency) keys.push(lockNames.idempotencyKey(integrationId, idempotency.key));
      return keys;
    },

    prepare(batch) {
      want(batch, evaluation);
    },

    run(batch) {
      const loaded = load(batch, evaluation);
      const { result, writes } = settle(loaded, evaluation, decide);
      // What it asked for in vain may have been taken for nothing.
      if (batch.isWanting) throw new NotLoaded();
      if (!writes) return result;
      const policySetOf = batch.policySets.ensure(policySet);
      if (policySetOf === null) return { kind: 'stale' };
      loaded.counters?.prepare(writes.verdict.counterWrites);
      if (loaded.session) prepareSession(batch, loaded.session, evaluation, writes);
      if (!loaded.session && !writes.opens) batch.chains.next(integrationId, null);
      apply(() => write(batch, evaluation, loaded, writes, policySetOf));
      return result;
    },
  };
}

/** Reads what the writes of a session need, so that nothing is missing then. Throws `NotLoaded`. */
function prepareSession(
  { sightings, trees }: Batch,
  session: SessionState,
  { at }: NewEvaluation,
  { verdict }: Writes,
): void {
  for (const { digest } of verdict.sightings.writes) {
    sightings.find(session, digest);
    trees.prepareLate(session, digest, at);
  }
  trees.gatherLate(session, at);
}
