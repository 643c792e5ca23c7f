import pg from 'pg';
import t, { type Test } from 'tap';
import { openStore } from '../../../src/store/open.ts';
import { adminKey, allMigrations, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { openLink } from '../../replicas/link.ts';
import * as make from '../samples.ts';
import { createDatabase } from './open.ts';

/** A database behind a link, and how many lost commits were found to have happened. */
async function openLinked(t: Test) {
  const address = await createDatabase(t);
  const link = await openLink(Number(new URL(address).port));
  t.teardown(() => link.close());
  const linked = Object.assign(new URL(address), { port: `${link.port}` }).href;
  const found = { committed: 0 };
  const { query } = pg.Pool.prototype;
  t.teardown(() => {
    pg.Pool.prototype.query = query;
  });
  // biome-ignore lint/suspicious/noExplicitAny: of any of its forms
  pg.Pool.prototype.query = async function (this: pg.Pool, ...args: any[]) {
    const result = await (query as (...all: unknown[]) => Promise<pg.QueryResult>).apply(this, args);
    const isProof = /^SELECT 1 FROM (evaluations|commit_marks) WHERE id/.test(args[0]?.text);
    if (isProof && result.rowCount === 1) found.committed++;
    return result;
  } as typeof query;
  return { address, link, linked, found };
}

t.test('what was committed while the connection broke is found, and not done again', async (t) => {
  const { address, link, linked, found } = await openLinked(t);
  const store = await openStore(linked, { migrations: allMigrations });
  t.teardown(() => store.close());
  const { id } = await make.createIntegration(store);

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
  t.ok(found.committed >= lost, `${found.committed} were found committed`);
  const client = new pg.Client(address);
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query(
    'SELECT count(*)::int AS rows, count(DISTINCT chain_seq)::int AS places FROM evaluations',
  );
  t.strictSame(rows, [{ rows: lost * 20, places: lost * 20 }]);
});

/** Calls that change something each: done twice, they would be refused or be in the audit twice. */
async function managementCalls(app: TestApp) {
  const held = await heldIntegration(app);
  let made = 0;
  const by =
    (method: 'POST' | 'DELETE', path: string, body?: unknown, headers?: Record<string, string>) => () => {
      made++;
      return app.call(adminKey, method, `/v1${path}`, body, headers);
    };
  let number = 0;
  const next = () => ++number;
  const yaml = { 'content-type': 'application/yaml' };
  const policy = () => by('POST', '/policies', rule('true', 'WARN').replace('one-rule', `p${next()}`), yaml);
  const integration = () => by('POST', '/integrations', { name: `made ${next()}`, kind: 'AGENT' });
  const idOf = async (create: ReturnType<typeof by>): Promise<string> => (await create()).body.data.id;
  const pay = () => held.evaluate({ input: { tool: 'pay', amount: next() } });
  const review = async (): Promise<string> => (await pay()).reviewRequestId;
  const calls = {
    'create an integration': async () => integration(),
    'delete an integration': async () => by('DELETE', `/integrations/${await idOf(integration())}`),
    'create a policy': async () => policy(),
    'activate a policy': async () => by('POST', `/policies/${await idOf(policy())}/activate`),
    'create a list': async () =>
      by('POST', '/lists', { name: `list_${next()}`, kind: 'DOMAINS', entries: [] }),
    'create an operator': async () =>
      by('POST', '/operators', { name: `person ${next()}`, roles: ['READ_ONLY'] }),
    'approve a review': async () => by('POST', `/reviews/${await review()}/approve`, {}),
    'reject a review': async () => by('POST', `/reviews/${await review()}/reject`, { comment: 'no' }),
    'acknowledge a violation': async () =>
      by('POST', `/violations/${(await pay()).violations[0].id}/acknowledge`),
    'end a session': async () => {
      const { body } = await app.call(held.key, 'POST', '/v1/evaluation-sessions');
      return by('POST', `/evaluation-sessions/${body.data.id}/end`);
    },
  };
  return { calls, madeCount: () => made };
}

t.test('a management call whose commit was lost answers as if it were not, and is done once', async (t) => {
  const { link, linked, found } = await openLinked(t);
  const app = await startApp(t, {}, { database: linked });
  const { calls, madeCount } = await managementCalls(app);
  const auditCount = async () => (await app.store.audit.list({}, { page: 1, size: 1 }, 1_000)).total;
  const before = await auditCount();
  for (const [name, prepare] of Object.entries(calls)) {
    const foundBefore = found.committed;
    // Whichever of its commits is lost, of reads as well. They are fewer where something is still known: then it begins anew.
    for (let passing = 0, tries = 0; tries < 100; passing++, tries++) {
      const call = await prepare();
      link.loseCommits(1, passing);
      const { status, text } = await call();
      const wasLost = link.commitsToLose() === 0;
      link.loseCommits(0);
      t.ok([200, 201, 204].includes(status), `${name}, after ${passing} commits: ${status} ${text}`);
      if (!wasLost && found.committed > foundBefore) break;
      if (!wasLost) passing = -1;
    }
    t.ok(found.committed > foundBefore, `${name}: a commit was lost and found`);
  }
  t.equal((await auditCount()) - before, madeCount());
});
