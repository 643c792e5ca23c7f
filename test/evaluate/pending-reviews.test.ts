import Database from 'better-sqlite3';
import t from 'tap';
import { pendingReviewsQuery } from '../../src/evaluate/sqlite/integration-rows.ts';
import { startApp } from '../helpers/app.ts';

t.test(
  'the pending reviews of an integration are counted in an index, without a look at their rows',
  async (t) => {
    const { database } = await startApp(t);
    const client = new Database(database, { readonly: true });
    t.teardown(() => client.close());
    const plan = client.prepare(`EXPLAIN QUERY PLAN ${pendingReviewsQuery}`).all(1, 0) as {
      detail: string;
    }[];
    t.strictSame(
      plan.map(({ detail }) => detail),
      ['SEARCH reviews USING COVERING INDEX reviews_pending (integration_id=? AND expires_at>?)'],
    );
  },
);
