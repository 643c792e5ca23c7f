import type { NewEvaluation } from '../../evaluate/evaluation.ts';
import type { NewSession } from '../../evaluate/session-places.ts';
import { likelySession, opensOf } from './asked-session.ts';
import type { Batch } from './batch.ts';
import { actionOf } from './held-actions.ts';

/** Says what recording an evaluation most likely reads, so that one query loads it for a whole batch. */
export function want(batch: Batch, evaluation: NewEvaluation): void {
  const { integrationId, policySet, idempotency, quotas, at, resultOf, reviewRequestId } = evaluation;
  for (const id of [integrationId, ...evaluation.delegators.map((one) => one.integrationId)])
    batch.integrations.want(id);
  batch.keys.want(integrationId, idempotency);
  batch.policySets.want(policySet);
  if (resultOf !== null) batch.actions.want(resultOf);
  if (reviewRequestId !== null) batch.held.named.want(reviewRequestId);
  const id = likelySession(evaluation, batch.known);
  const opens = opensOf(evaluation);
  batch.usage.want(integrationId, quotas, at, opens !== null && id === null);
  wantSessions(batch, evaluation, id, opens?.place?.parentId ?? null);
  wantCounters(batch, evaluation, id, opens);
}

function wantSessions(
  batch: Batch,
  evaluation: NewEvaluation,
  id: string | null,
  parentId: string | null,
): void {
  const { integrationId, session: asked, needs } = evaluation;
  if (!asked) {
    batch.chains.want(integrationId);
    if (needs.pendingReview) batch.held.ofAction.want(...actionOf(null, evaluation));
  } else if ('name' in asked) batch.names.wantNamed(integrationId, asked.name);
  else if ('externalSessionId' in asked) batch.names.wantExternal(integrationId, asked.externalSessionId);
  if (id !== null) wantUpFrom(batch, id, id === parentId);
  if (parentId !== null) wantUpFrom(batch, parentId, true);
  if (id !== null && needs.recentActions) batch.sessions.actions.want(id);
}

/** A session and those above it; of those above it, also how many children they have. */
function wantUpFrom({ locks, known, trees }: Batch, lowest: string, isParent: boolean): void {
  locks.wantSession(lowest);
  for (const id of known.sessions.upFrom(lowest)) if (id !== lowest || isParent) trees.children.want(id);
}

function wantCounters(
  { known, trees, counters }: Batch,
  { integrationId, needs }: NewEvaluation,
  id: string | null,
  opens: NewSession | null,
): void {
  const facts = id === null ? null : known.sessions.get(id);
  const root = facts && facts.rootId !== id ? facts.rootId : (opens?.place?.rootId ?? null);
  if (root !== null) trees.counts.want(root);
  const entityId = facts?.entityId ?? opens?.entityId ?? null;
  for (const scope of new Set(needs.counters?.map(({ over }) => over)))
    if (scope === 'entity' || scope === 'integration') counters.want(integrationId, scope, entityId);
}
