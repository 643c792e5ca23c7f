import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp, temporaryFolder } from '../../helpers/app.ts';
import { freePort } from '../../helpers/free-port.ts';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;
const unknownKey = `asz_live_${'u'.repeat(43)}`;
const lostLine = 'Redis cannot be used: each process counts rate limits alone';
const foundLine = 'Redis can be used again: rate limits count for all processes together';

async function startServer(t: Test, port: number): Promise<ChildProcess> {
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--dir', temporaryFolder(t)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  let told = '';
  for await (const text of server.stdout ?? []) {
    told += text;
    if (told.includes('Ready to accept connections')) break;
  }
  return server;
}

const logged = (app: TestApp, line: string): boolean => app.log.some((text) => text.includes(line));
/** Until the line is in the log of the app. */
async function hear(app: TestApp, line: string): Promise<void> {
  while (!logged(app, line)) await setTimeout(5);
}

const guess = async (app: TestApp): Promise<number> =>
  (await app.call(unknownKey, 'GET', '/v1/evaluation-sessions')).status;

t.test('processes count together, and alone while the server is dead', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  const server = await startServer(t, port);
  const settings = { ASSIZE_RATE_LIMIT_ADDRESS: '3', ASSIZE_REDIS: `redis://127.0.0.1:${port}` };
  const [one, other] = [await startApp(t, settings), await startApp(t, settings)];
  const alternately = async () => [
    await guess(one),
    await guess(other),
    await guess(one),
    await guess(other),
  ];
  t.strictSame(await alternately(), [401, 401, 401, 429], 'one limit for both');
  t.equal((await other.call(adminKey, 'GET', '/v1/integrations')).status, 200);

  server.kill('SIGKILL');
  await once(server, 'exit');
  await Promise.all([one, other].map((app) => hear(app, lostLine)));
  t.strictSame(
    [...(await alternately()), ...(await alternately())].filter((status) => status === 429).length,
    2,
  );
  t.equal(one.log.filter((text) => text.includes(lostLine)).length, 1, 'said once');

  await startServer(t, port);
  await Promise.all([one, other].map((app) => hear(app, foundLine)));
  t.strictSame(await alternately(), [401, 401, 401, 429], 'together again, from nothing');
});

t.test('an integration has one limit at all processes', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  await startServer(t, port);
  const settings = { ASSIZE_RATE_LIMIT_INTEGRATION: '3', ASSIZE_REDIS: `redis://127.0.0.1:${port}` };
  const one = await startApp(t, settings);
  const other = await startApp(t, settings, { database: one.database, clock: one.clock });
  const { key } = await one.integration();
  const statuses: number[] = [];
  for (const app of [one, other, one, other]) {
    statuses.push((await app.call(key, 'GET', '/v1/evaluation-sessions')).status);
  }
  t.strictSame(statuses, [200, 200, 200, 429]);
});

t.test('a server that does not answer holds up one request for a moment', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  const server = await startServer(t, port);
  const app = await startApp(t, { ASSIZE_REDIS: `redis://127.0.0.1:${port}` });
  t.equal(await guess(app), 401);
  server.kill('SIGSTOP');
  const begin = performance.now();
  t.equal(await guess(app), 401);
  t.ok(performance.now() - begin < 1_000);
  t.ok(logged(app, lostLine));
  const next = performance.now();
  t.equal(await guess(app), 401);
  t.ok(performance.now() - next < 200, 'the next one does not wait');
  server.kill('SIGCONT');
});

t.test('the service starts without the server', async (t) => {
  const app = await startApp(t, { ASSIZE_REDIS: `redis://127.0.0.1:${await freePort()}` });
  t.equal(await guess(app), 401);
  t.ok(logged(app, lostLine));
});
