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
