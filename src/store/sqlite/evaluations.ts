import { settle } from '../../evaluate/settle.ts';
import type { ListedEvaluation, StoredEvaluation } from '../evaluation-reads.ts';
import type { EvaluationStore } from '../evaluations.ts';
import { namesIn } from '../listed-columns.ts';
import { offsetOf } from '../pages.ts';
import { toStoredEvaluation } from '../stored-evaluations.ts';
import type { ActionResults } from './action-results.ts';
import { createContentRetention } from './content-retention.ts';
import type { Sqlite } from './database.ts';
import type { EvaluationBlocks } from './evaluation-blocks.ts';
import type { EvaluationChain, EvaluationRow, ListedRow } from './evaluation-chain.ts';
import { createEvaluationFeed } from './evaluation-feed.ts';
import { createEvaluationSearch } from './evaluation-search.ts';
import { createEvaluationTerms } from './evaluation-terms.ts';
import type { GrantRows } from './grants.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { Recording } from './recording.ts';
import type { SessionStates } from './session-states.ts';

export function createEvaluations(
  { client, db, steady, writer, read }: Sqlite,
  integrations: IntegrationRows,
  sessions: SessionStates,
  chain: EvaluationChain,
  policySets: PolicySetRows,
  actions: ActionResults,
  recording: Recording,
  blocks: EvaluationBlocks,
  grants: Pick<GrantRows, 'usedBy'>,
  idempotencyKeys: Pick<IdempotencyKeys, 'forget'>,
): EvaluationStore {
  const feed = createEvaluationFeed({ db, steady, read }, toStored, grants);

  return {
    forgetContent: createContentRetention({ client, db, steady, writer }),
    forgetResponses: (before) => writer.run(() => idempotencyKeys.forget(before)),

    record: (evaluation, decide) =>
      writer.run(() => {
        const loaded = recording.load(evaluation);
        const { result, writes } = settle(loaded, evaluation, decide);
        if (writes) recording.apply(loaded, evaluation, writes);
        return result;
      }),

    find: (integrationId, id) =>
      read(() => {
        const found = feed.find(id);
        return found && (integrationId === null || integrationId === found.integrationId) ? found : null;
      }),

    findAction: (integrationId, id) => read(() => actions.find(integrations.find(integrationId), id)),

    listRecorded: feed.list,

    ...createEvaluationTerms({ client, db, read }),

    ...createEvaluationSearch({ client, db, read }, blocks, toStored),

    listInSession: (integrationId, sessionId, page, mostBytes) =>
      read(() => {
        const owner = integrationId === null ? null : integrations.find(integrationId);
        const session = sessions.read(owner, sessionId.toLowerCase());
        if (!session) return null;
        const last = {
          sessionRow: session.row.id,
          place: session.recordCount,
          evaluationId: session.lastEvaluationId,
        };
        const rows = chain.readPage(last, offsetOf(page), page.size, mostBytes);
        return { items: rows.map((row) => toListed(row, session.row.uid)), total: session.recordCount };
      }),
  };

  function toListed(row: ListedRow, sessionId: string | null): ListedEvaluation {
    return { ...toStored(row, sessionId), omitted: namesIn(row.omitted) };
  }

  function toStored(row: EvaluationRow, sessionId: string | null): StoredEvaluation {
    return toStoredEvaluation(row, {
      id: row.uid,
      sessionId,
      policies: policySets.membersOf(row.policySetId),
    });
  }
}
