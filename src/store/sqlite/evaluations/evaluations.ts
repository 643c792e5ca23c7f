import { and, asc, desc, eq, getTableColumns, gt, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PolicyTerms } from '../../../evaluate/evaluation.ts';
import type { EvaluationChain, EvaluationRow, ListedRow } from '../../../evaluate/sqlite/evaluation-chain.ts';
import type { GrantRows } from '../../../evaluate/sqlite/grants.ts';
import type { IdempotencyKeys } from '../../../evaluate/sqlite/idempotency.ts';
import type { RecordedRows } from '../../../evaluate/sqlite/record.ts';
import { namesIn } from '../../../sql/wide-texts.ts';
import {
  type EvaluationStore,
  type ListedEvaluation,
  type RemovedLabel,
  type StoredEvaluation,
  toStoredEvaluation,
  type WholeEvaluation,
} from '../../evaluations.ts';
import { offsetOf } from '../../pages.ts';
import { erasedContent } from '../../record.ts';
import { parseList } from '../../rows.ts';
import { erase } from '../client.ts';
import type { Sqlite } from '../database.ts';
import {
  clock,
  contentRetention,
  evaluationSessions,
  evaluations,
  integrations,
  policySets,
} from '../tables.ts';
import { createEvaluationSearch } from './evaluation-search.ts';
import { listedEvaluation } from './listed-columns.ts';

/** A step looks at so many evaluations, and deletes so many bytes: some 2 ms of the event loop. */
const mostRows = 250;
const mostBytes = 1_048_576;

/**
 * Evaluations are appended in the order of time, so one remembered id divides those without content from the others:
 * an index on their time would cost every insert. Those that a clock ahead of time made later than its correction count as
 * made at the correction: else they would keep all later ones from being deleted.
 */
function createContentRetention({
  client,
  db,
  steady,
  writer,
}: Pick<Sqlite, 'client' | 'db' | 'steady' | 'writer'>): EvaluationStore['forgetContent'] {
  const { input, targetMetadata, violations, contentSalt } = evaluations;
  const bytes = sql<number>`coalesce(octet_length(${input}), 0) + coalesce(octet_length(${targetMetadata}), 0)`;
  const oldest = steady
    .select({ id: evaluations.id, createdAt: evaluations.createdAt, bytes })
    .from(evaluations)
    .where(gt(evaluations.id, sql.placeholder('after')))
    .orderBy(asc(evaluations.id))
    .limit(mostRows)
    .prepare();

  const { placeholder } = sql;
  const withContent = steady
    .select({ id: evaluations.id, contentSalt, input, targetMetadata, violations })
    .from(evaluations)
    .where(
      and(
        gt(evaluations.id, placeholder('after')),
        lte(evaluations.id, placeholder('last')),
        or(isNotNull(contentSalt), isNotNull(input), isNotNull(targetMetadata)),
      ),
    )
    .prepare();
  /** The entry of the record stays what it was: it has the digests. Without their salt they say nothing of the content. */
  const forget = steady
    .update(evaluations)
    .set({
      input: null,
      targetMetadata: null,
      contentSalt: null,
      contentDigests: sql`${placeholder('contentDigests')}`,
      violations: sql`${placeholder('violations')}`,
    })
    .where(eq(evaluations.id, placeholder('id')))
    .prepare();

  function lastOfStep(after: number, before: number): number {
    let last = after;
    let deleted = 0;
    const { correctedAt, correctedEvaluationId } = db.select().from(clock).get() ?? {};
    const until = correctedEvaluationId ?? 0;
    for (const row of oldest.all({ after })) {
      deleted += row.bytes;
      // An evaluation that is larger than a step is a step of its own.
      const createdAt = row.id <= until ? Math.min(row.createdAt, correctedAt ?? 0) : row.createdAt;
      if (createdAt >= before || (deleted > mostBytes && last > after)) break;
      last = row.id;
    }
    return last;
  }

  return (before) =>
    writer.run(() => {
      const after = db.select().from(contentRetention).get()?.evaluationId ?? 0;
      const last = lastOfStep(after, before);
      if (last === after) return false;
      const rows = withContent.all({ after, last });
      erase(client, () => {
        for (const row of rows) forget.run({ id: row.id, ...erasedContent(row) });
      });
      db.insert(contentRetention)
        .values({ id: 1, evaluationId: last })
        .onConflictDoUpdate({ target: contentRetention.id, set: { evaluationId: last } })
        .run();
      return true;
    });
}

/** Evaluations of all integrations. */
interface EvaluationFeed {
  /** With all of its content. Synchronous: it runs inside a read. */
  find(id: string): WholeEvaluation | null;
  /** In the order of their rows: what was recorded later has a greater row id, whoever recorded it. */
  list: EvaluationStore['listRecorded'];
}

function createEvaluationFeed(
  { db, steady, read }: Pick<Sqlite, 'db' | 'steady' | 'read'>,
  toStored: (row: EvaluationRow, sessionId: string | null) => StoredEvaluation,
  grants: Pick<GrantRows, 'usedBy'>,
): EvaluationFeed {
  const owners = { sessionId: evaluationSessions.uid, integrationId: integrations.id };
  const byUid = steady
    .select({ row: getTableColumns(evaluations), ...owners })
    .from(evaluations)
    .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(eq(evaluations.uid, sql.placeholder('id')))
    .prepare();
  const select = (where: SQL | undefined, order: SQL, limit: number, mostBytes: number) =>
    db
      .select({ row: listedEvaluation(mostBytes), ...owners })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .where(where)
      .orderBy(order)
      .limit(limit)
      .all();
  const rowOf = (id: string) =>
    db.select({ id: evaluations.id }).from(evaluations).where(eq(evaluations.uid, id.toLowerCase())).get();

  return {
    find(id) {
      const found = byUid.get({ id: id.toLowerCase() });
      if (!found) return null;
      const { row, sessionId, integrationId } = found;
      // Only what a review belongs to can have used a grant.
      const used = row.reviewUid === null ? [] : grants.usedBy(row.id);
      return { ...toStored(row, sessionId), integrationId, grants: used };
    },
    list: (after, limit, mostBytes) =>
      read(() => {
        const place = after === null ? null : rowOf(after);
        if (place === undefined) return null;
        const rows = place
          ? select(gt(evaluations.id, place.id), asc(evaluations.id), limit, mostBytes)
          : select(undefined, desc(evaluations.id), limit, mostBytes).reverse();
        return rows.map(({ row, sessionId, integrationId }) => ({
          ...toStored(row, sessionId),
          omitted: namesIn(row.omitted),
          integrationId,
        }));
      }),
  };
}

/** Evaluations of a session that are walked back over to find the first one after a removal. */
const mostWalked = 5_000;

/** The terms that decided an evaluation, besides those in its own row. */
function createEvaluationTerms({
  client,
  db,
  read,
}: Pick<Sqlite, 'client' | 'db' | 'read'>): Pick<
  EvaluationStore,
  'findTerms' | 'listRemovedLabels' | 'countRejections'
> {
  const removed = client.prepare<[{ id: string; most: number }], RemovedLabel>(
    `SELECT c.label, (
       WITH RECURSIVE back (id, previous) AS (
         SELECT e.id, e.previous_id
         UNION ALL
         SELECT b.id, b.previous_id FROM back JOIN evaluations b ON b.id = back.previous
         WHERE back.previous > c.after_evaluation_id
         LIMIT :most
       )
       SELECT uid FROM evaluations WHERE id = (SELECT min(id) FROM back)
     ) AS "before"
     FROM evaluations e JOIN session_changes c ON c.session_id = e.session_id
     WHERE e.uid = :id AND c.kind = 'LABEL_REMOVED' AND c.after_evaluation_id < e.id ORDER BY c.id`,
  );

  const rejections = client
    .prepare<[string], number>(
      `SELECT count(*) FROM evaluations e JOIN session_changes c ON c.session_id = e.session_id
       WHERE e.uid = ? AND c.kind = 'REJECTED' AND c.after_evaluation_id < e.id`,
    )
    .pluck();

  return {
    countRejections: (id) => read(() => rejections.get(id.toLowerCase()) ?? 0),

    findTerms: (id) =>
      read(() => {
        const found = db
          .select({ terms: policySets.terms })
          .from(evaluations)
          .innerJoin(policySets, eq(policySets.id, evaluations.policySetId))
          .where(eq(evaluations.uid, id.toLowerCase()))
          .get();
        return parseList<PolicyTerms>(found?.terms ?? null);
      }),
    listRemovedLabels: (id) => read(() => removed.all({ id: id.toLowerCase(), most: mostWalked })),
  };
}

interface ReadRows
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
