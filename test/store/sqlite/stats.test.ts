import { join } from 'node:path';
import t from 'tap';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import * as make from '../samples.ts';

t.test('large inputs are counted in short steps, and each once', async (t) => {
  const store = openSqliteStore({
    file: join(temporaryFolder(t), 'assize.db'),
    migrations,
    onSyncFailure: (error) => t.fail(error.message),
  });
  t.teardown(() => store.close());
  const { id } = await make.createIntegration(store);
  const revision = await make.revisionOf(store, id);
  const input = JSON.stringify({ text: 'x'.repeat(1_000_000) });
  for (let place = 0; place < 40; place++)
    await store.evaluations.record(make.evaluation(id, { input, revision }), () => make.verdict());
  t.ok(await store.stats.count(), '40 MB take more than one step');
  while (await store.stats.count());
  const hour = Math.floor(make.start / 3_600_000);
  const query = { dimension: 'tool', unit: 'hour', from: hour, to: hour + 1, integrationId: null } as const;
  t.match(await store.stats.read(query, 1), [{ name: 'x', allowed: 40 }]);
});

t.test(
  'evaluations of two processes, and those beside a change that failed, are counted once each',
  async (t) => {
    const file = join(temporaryFolder(t), 'assize.db');
    const open = () => openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
    const [one, other] = [open(), open()];
    t.teardown(() => Promise.all([one.close(), other.close()]));
    const { id } = await make.createIntegration(one);
    const revision = await make.revisionOf(one, id);
    const record = (store: typeof one, tool: string) =>
      store.evaluations.record(make.evaluation(id, { tool, revision }), () => make.verdict());
    const hour = Math.floor(make.start / 3_600_000);
    const query = { dimension: 'tool', unit: 'hour', from: hour, to: hour + 1, integrationId: null } as const;
    const counts = async () =>
      Object.fromEntries((await one.stats.read(query, 10)).map(({ name, allowed }) => [name, allowed]));
    for (const store of [one, one, other, one, other, other, one]) await record(store, 'a');
    const failing = one.evaluations.record(make.evaluation(id, { tool: 'b', revision }), () => {
      throw new Error('a bug');
    });
    const settled = await Promise.allSettled([record(one, 'c'), failing, record(one, 'c')]);
    t.strictSame(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    while (await one.stats.count());
    t.strictSame(await counts(), { a: 7, c: 2 });
    await record(one, 'a');
    while (await other.stats.count());
    while (await one.stats.count());
    t.strictSame(await counts(), { a: 8, c: 2 });
    await record(other, 'a');
    await record(one, 'a');
    while (await one.stats.count());
    t.strictSame(await counts(), { a: 10, c: 2 });
  },
);
