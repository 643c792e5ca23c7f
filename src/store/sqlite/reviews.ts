import { count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { namesIn } from '../listed-columns.ts';
import { mostCounted, offsetOf } from '../pages.ts';
import type { ReviewFilter, ReviewStore, StoredReview } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { createReviewCancellations, type ReviewCancellations } from './review-cancellations.ts';
import {
  columns,
  listedColumns,
  type ReviewRow,
  selectListed,
  selectReviews,
  times,
} from './review-columns.ts';
import { createReviewDecisions, type RowsOfReviews } from './review-decisions.ts';
import { matching, valuesOf } from './review-filter.ts';
import { reviews } from './tables.ts';

type Value = string | number;

export function createReviews(
  sqlite: Sqlite,
  rows: RowsOfReviews,
): {
  reviews: ReviewStore;
  findStored: (id: string, now: number) => StoredReview | null;
  cancellations: ReviewCancellations;
} {
  const { client, db, writer, read } = sqlite;
  const { contents, eventLog } = rows;
  const { placeholder } = sql;
  const select = (where: SQL | undefined) => selectReviews(db, where);
  const wholeOf = ({ row, input, targetKey, targetMetadata }: ReviewRow): StoredReview['whole'] => {
    const held = contents.find(row);
    return {
      input: held?.input ?? input,
      targetKey: held?.targetKey ?? targetKey,
      targetMetadata: held?.targetMetadata ?? targetMetadata,
      isMasked: held?.isMasked === 1,
    };
  };
  const byUid = prepareHotRead<ReviewRow, Value[]>(
    client,
    columns,
    select(eq(reviews.uid, placeholder('id'))),
    [...times('mostBytes'), 'id'],
  );
  const byRow = prepareHotRead<ReviewRow, Value[]>(
    client,
    columns,
    select(eq(reviews.id, placeholder('row'))),
    [...times('mostBytes'), 'row'],
  );
  const find = (id: string): ReviewRow | undefined =>
    byUid.get(...times(Number.MAX_SAFE_INTEGER), id.toLowerCase());

  const findRow = (row: number): ReviewRow | undefined => byRow.get(...times(Number.MAX_SAFE_INTEGER), row);
  const cancellations = createReviewCancellations({ db }, findRow, rows);

  /** The statements of a filter. Which fields it has makes their text; building that text costs more than running it. */
  function prepareList(filter: ReviewFilter, names: string[]) {
    const where = matching(filter);
    const hasTime = filter.from !== undefined || filter.to !== undefined;
    // In the order of the index by time, a page is found without looking at all reviews of that time.
    const newestFirst = hasTime ? [desc(reviews.createdAt), desc(reviews.id)] : [desc(reviews.id)];
    const found = db
      .select({ id: reviews.id })
      .from(reviews)
      .where(where)
      .orderBy(...newestFirst)
      .limit(placeholder('limit'))
      .offset(placeholder('offset'));
    // What a page shows is read of its reviews alone.
    const page = selectListed(db, inArray(reviews.id, found)).orderBy(...newestFirst);
    const total = { total: count() };
    const counted = db
      .select({ one: sql`1` })
      .from(reviews)
      .where(where)
      .limit(placeholder('most'))
      .as('counted');
    return {
      page: prepareHotRead<ReviewRow, Value[]>(client, listedColumns, page, [
        ...times('mostBytes'),
        ...names,
        'limit',
        'offset',
      ]),
      total: prepareHotRead<{ total: number }, Value[]>(client, total, db.select(total).from(counted), [
        ...names,
        'most',
      ]),
    };
  }
  const prepared = new Map<string, ReturnType<typeof prepareList>>();
  function listOf(filter: ReviewFilter, names: string[]): ReturnType<typeof prepareList> {
    const form = `${filter.status} ${filter.assignee === null} ${names}`;
    let list = prepared.get(form);
    if (!list) {
      list = prepareList(filter, names);
      prepared.set(form, list);
    }
    return list;
  }

  const store: ReviewStore = {
    find: (integrationId, id, now) =>
      read(() => {
        const row = find(id);
        const isTheirs = integrationId === null || row?.integrationId === integrationId;
        if (!row || !isTheirs) return null;
        const review = toStoredReview(row, now);
        if (review.status === 'PENDING') review.whole = wholeOf(row);
        return review;
      }),

    list: (filter, page, now, most) =>
      read(() => {
        const values = valuesOf(filter, now);
        const list = listOf(filter, Object.keys(values));
        const of = Object.values(values);
        return {
          items: list.page
            .all(...times(most), ...of, page.size, offsetOf(page))
            .map((row) => ({ ...toStoredReview(row, now), omitted: namesIn(row.omitted) })),
          total: list.total.get(...of, mostCounted + 1)?.total ?? 0,
        };
      }),

    ...createReviewDecisions(sqlite, find, rows),

    async forgetExpired(now, event, cancelling) {
      const nextExpiry = await read(contents.findNextExpiry);
      if (nextExpiry === null || nextExpiry > now) return;
      const end = (row: number): void => {
        const found = findRow(row);
        const expired = found && toStoredReview(found, now);
        if (expired?.status === 'CANCELLED') cancellations.cancel(row, now, cancelling);
        else {
          contents.forget(row);
          if (event && expired) eventLog.append(event(expired));
        }
      };
      while (await writer.run(() => contents.endExpired(now, end)));
    },
  };
  const findStored = (id: string, now: number): StoredReview | null => {
    const row = find(id);
    return row ? toStoredReview(row, now) : null;
  };
  return { reviews: store, findStored, cancellations };
}
