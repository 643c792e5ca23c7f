// also on PostgreSQL

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { freePort } from '../../helpers/free-port.ts';
import { askRedis, respServer, startRedis } from '../../helpers/redis.ts';
import { until } from '../../helpers/until.ts';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;
const unknownKey = `asz_live_${'u'.repeat(43)}`;
const lostLine = 'Redis cannot be used: each process counts rate limits alone';
const foundLine = 'Redis can be used again: rate limits count for all processes together';

const logged = (app: TestApp, line: string): boolean => app.log.some((text) => text.includes(line));
/** Until the line is in the log of the app. */
async function hear(app: TestApp, line: string): Promise<void> {
  while (!logged(app, line)) await setTimeout(5);
}

const guess = async (app: TestApp): Promise<number> =>
  (await app.call(unknownKey, 'GET', '/v1/evaluation-sessions')).status;

t.test('processes count together, and alone while the server is dead', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  const server = await startRedis(t, port);
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

  await startRedis(t, port);
  await Promise.all([one, other].map((app) => hear(app, foundLine)));
  t.strictSame(await alternately(), [401, 401, 401, 429], 'together again, from nothing');
});

t.test('an integration has one limit at all processes', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  await startRedis(t, port);
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
  const server = await startRedis(t, port);
  const app = await startApp(t, { ASSIZE_REDIS: `redis://127.0.0.1:${port}` });
  t.equal(await guess(app), 401);
  server.kill('SIGSTOP');
  const begin = performance.now();
  t.equal(await guess(app), 401);
  const waitedMs = performance.now() - begin;
  t.ok(waitedMs < 10_000, 'it never answers');
  t.ok(logged(app, lostLine));
  const next = performance.now();
  t.equal(await guess(app), 401);
  t.ok(performance.now() - next < waitedMs / 2, 'the next one does not wait');
  server.kill('SIGCONT');
});

t.test('the service starts without the server', async (t) => {
  const app = await startApp(t, { ASSIZE_REDIS: `redis://127.0.0.1:${await freePort()}` });
  t.equal(await guess(app), 401);
  t.ok(logged(app, lostLine));
});

const notCounts: Record<string, string> = {
  nil: '$-1\r\n',
  'an empty list': '*0\r\n',
  'a list of nils': '*2\r\n$-1\r\n$-1\r\n',
  'the count alone': '*1\r\n:1\r\n',
  zero: '*2\r\n:0\r\n:60000\r\n',
  'a negative count': '*2\r\n:-7\r\n:60000\r\n',
  'a count as text': '*2\r\n$1\r\n1\r\n:60000\r\n',
  'a count beyond exact numbers': '*2\r\n:9007199254740993\r\n:60000\r\n',
  'a window that has ended': '*2\r\n:1\r\n:-2\r\n',
  'a window of years': '*2\r\n:1\r\n:900000000000\r\n',
  'a number': ':1\r\n',
  'a text': '+OK\r\n',
  'an error': '-READONLY this is a replica\r\n',
};
for (const [name, answer] of Object.entries(notCounts)) {
  t.test(`a server that answers ${name} means that the process counts alone`, async (t) => {
    const server = await respServer(t, () => answer);
    const app = await startApp(t, {
      ASSIZE_RATE_LIMIT_ADDRESS: '2',
      ASSIZE_REDIS: `redis://127.0.0.1:${server.port}`,
    });
    t.notOk(logged(app, lostLine), 'it is there');
    t.strictSame([await guess(app), await guess(app), await guess(app)], [401, 401, 429]);
    t.ok(logged(app, lostLine));
    t.equal(server.counted(), 1, 'it is left alone for a moment');
  });
}

t.test('a server that counts well again is used again, over the same connection', async (t) => {
  let answer = '$-1\r\n';
  const server = await respServer(t, () => answer);
  const app = await startApp(t, { ASSIZE_REDIS: `redis://127.0.0.1:${server.port}` });
  t.equal(await guess(app), 401);
  answer = '*2\r\n:1000000\r\n:60000\r\n';
  await until(
    () => guess(app),
    (status) => status === 429,
  );
  t.ok(logged(app, foundLine));
});

for (const [name, behave] of Object.entries({
  'says nothing': () => undefined,
  'closes every connection': (socket: Socket) => socket.destroy(),
  'speaks another protocol': (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
})) {
  t.test(`the service starts although the server ${name}`, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      behave(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    const app = await startApp(t, {
      ASSIZE_RATE_LIMIT_ADDRESS: '2',
      ASSIZE_REDIS: `redis://127.0.0.1:${port}`,
    });
    t.strictSame([await guess(app), await guess(app), await guess(app)], [401, 401, 429]);
    await hear(app, lostLine);
  });
}

t.test('a counter that has lost its end gets one', { skip: !hasServer }, async (t) => {
  const port = await freePort();
  await startRedis(t, port);
  const app = await startApp(t, {
    ASSIZE_RATE_LIMIT_ADDRESS: '1',
    ASSIZE_REDIS: `redis://127.0.0.1:${port}`,
  });
  t.equal(await guess(app), 401);
  t.equal(await askRedis(port, 'PERSIST assize:limit:127.0.0.1'), ':1');
  t.equal(await guess(app), 429);
  t.match(await askRedis(port, 'PTTL assize:limit:127.0.0.1'), /^:[1-9]/);
});
