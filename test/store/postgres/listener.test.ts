import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { openListener } from '../../../src/store/postgres/listener.ts';
import { createRevisions } from '../../../src/store/postgres/revisions.ts';
import { createDatabase, direct } from './open.ts';

t.test(
  'a change that commits is heard of by its notification, and one that is rolled back is not',
  async (t) => {
    const address = await createDatabase(t);
    const postgres = openPostgres(direct(address));
    t.teardown(() => postgres.close());
    const { raiseAll } = createRevisions(postgres);
    let count = 0;
    const listener = openListener(address, () => void count++);
    t.teardown(() => listener.close());
    const until = async (wanted: number): Promise<void> => {
      while (count < wanted) await setTimeout(2);
    };
    await until(1);
    const refused = postgres.change(async (tx) => {
      await raiseAll(tx);
      throw new Error('no');
    });
    await t.rejects(refused, { message: 'no' });
    await postgres.change(raiseAll);
    await until(2);
    t.equal(count, 2);

    await postgres.change(async (tx) => {
      await tx.execute(
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'LISTEN %' AND datname = current_database()`,
      );
    });
    await until(3);
    await postgres.change(raiseAll);
    await until(4);
    t.pass('it listens again');
  },
);

t.test('a listener that cannot connect can be closed', async () => {
  await openListener('postgres://127.0.0.1:1/none', () => undefined).close();
});
