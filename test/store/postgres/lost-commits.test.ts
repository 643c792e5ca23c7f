import pg from 'pg';
import t from 'tap';
import { openStore } from '../../../src/store/open.ts';
import { allMigrations } from '../../helpers/app.ts';
import { openLink } from '../../replicas/link.ts';
import * as make from '../samples.ts';
import { createDatabase } from './open.ts';

t.test('what was committed while the connection broke is found, and not done again', async (t) => {
  const address = await createDatabase(t);
  const link = await openLink(Number(new URL(address).port));
  t.teardown(() => link.close());
  const linked = Object.assign(new URL(address), { port: `${link.port}` }).href;
  const store = await openStore(linked, { migrations: allMigrations });
  t.teardown(() => store.close());
  const { id } = await make.createIntegration(store);

  let foundCommitted = 0;
  const { query } = pg.Pool.prototype;
  t.teardown(() => {
    pg.Pool.prototype.query = query;
  });
  // biome-ignore lint/suspicious/noExplicitAny: of any of its forms
  pg.Pool.prototype.query = async function (this: pg.Pool, ...args: any[]) {
    const result = await (query as (...all: unknown[]) => Promise<pg.QueryResult>).apply(this, args);
    const isProof = /^SELECT 1 FROM (evaluations|commit_marks) WHERE id/.test(args[0]?.text);
    if (isProof && result.rowCount === 1) foundCommitted++;
    return result;
  } as typeof query;

  const lost = 5;
  let recorded = 0;
  for (let round = 0; round < lost; round++) {
    link.loseCommits(1);
    const sent = Array.from({ length: 20 }, () =>
      store.evaluations.record(make.evaluation(id), () => make.verdict()),
    );
    for (const { kind } of await Promise.all(sent)) if (kind === 'recorded') recorded++;
    const session = make.session(id);
    link.loseCommits(link.commitsToLose() + 1);
    t.match(await store.sessions.create(session, '{}', null), { kind: 'created' });
  }
  t.equal(recorded, lost * 20);
  t.ok(foundCommitted >= lost, `${foundCommitted} were found committed`);
  const client = new pg.Client(address);
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query(
    'SELECT count(*)::int AS rows, count(DISTINCT chain_seq)::int AS places FROM evaluations',
  );
  t.strictSame(rows, [{ rows: lost * 20, places: lost * 20 }]);
});
