import type { EvaluationChain, EvaluationRow, ListedRow } from '../../evaluate/sqlite/evaluation-chain.ts';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import type { IdempotencyKeys } from '../../evaluate/sqlite/idempotency.ts';
import type { RecordedRows } from '../../evaluate/sqlite/record.ts';
import { namesIn } from '../../sql/wide-texts.ts';
import type { ListedEvaluation, StoredEvaluation } from '../evaluation-reads.ts';
import type { EvaluationStore } from '../evaluations.ts';
import { offsetOf } from '../pages.ts';
import { toStoredEvaluation } from '../stored-evaluations.ts';
import { createContentRetention } from './content-retention.ts';
import type { Sqlite } from './database.ts';
import { createEvaluationFeed } from './evaluation-feed.ts';
import { createEvaluationSearch } from './evaluation-search.ts';
import { createEvaluationTerms } from './evaluation-terms.ts';

export interface ReadRows
  extends Pick<RecordedRows, 'integrations' | 'sessions' | 'policySets' | 'actions' | 'blocks'> {
  chain: EvaluationChain;
  grants: Pick<GrantRows, 'usedBy'>;
  idempotencyKeys: Pick<IdempotencyKeys, 'forget'>;
}

/** The evaluations that are recorded: reads, and the erasing of content. */
export function createRecordedEvaluations(
  { client, db, steady, writer, read }: Sqlite,
  { integrations, sessions, chain, policySets, actions, blocks, grants, idempotencyKeys }: ReadRows,
): Omit<EvaluationStore, 'record'> {
  const feed = createEvaluationFeed({ db, steady, read }, toStored, grants);

  return {
    forgetContent: createContentRetention({ client, db, steady, writer }),
    forgetResponses: (before) => writer.run(() => idempotencyKeys.forget(before)),

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
