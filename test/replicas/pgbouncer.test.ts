import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { assertTimed } from '../../src/store/postgres/client.ts';
import { operatorKey, startService } from '../durability/process.ts';
import { proveRecord } from '../durability/record.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { createSharedWorld, sharedBudget } from './load.ts';
import { ask } from './pair.ts';

const hasProgram = spawnSync('pgbouncer', ['--version']).status === 0;

interface Pooler {
  mode: 'session' | 'transaction';
  /** Connections to the server. */
  size: number;
}

/** The address of a pooler before this server. */
async function startPooler(t: Test, server: { port: number }, { mode, size }: Pooler): Promise<string> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=assize
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  let log = '';
  for await (const text of child.stderr) {
    log += text;
    if (log.includes('process up')) break;
  }
  if (!log.includes('process up')) throw new Error(`pgbouncer did not start: ${log}`);
  return `postgres://assize@127.0.0.1:${port}/postgres`;
}

/** As docs/scale.md says. */
const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

async function startServer(t: Test) {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  const database = new pg.Client(server.address);
  await database.connect();
  t.teardown(() => database.end());
  for (const name of timeouts) await database.query(`ALTER ROLE assize SET ${name} = '2s'`);
  return { ...server, database };
}

async function startReplicas(t: Test, address: string, more: Record<string, string> = {}) {
  const env = { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem'), ...more };
  const replicas = [await startService(address, { env }), await startService(address, { env })] as const;
  t.teardown(() => Promise.all(replicas.map((replica) => replica.kill())));
  return replicas;
}

/** Sends it so often at once, to either replica in turn. */
async function evaluate(
  urls: readonly string[],
  count: number,
  apiKey: string,
  body: object,
): Promise<(string | number)[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const { status, data } = await ask(
        urls[place % urls.length] ?? '',
        apiKey,
        'POST',
        '/v1/evaluate',
        body,
      );
      return data?.enforcementAction ?? status;
    }),
  );
}
const countOf = (actions: readonly unknown[], action: unknown): number =>
  actions.filter((one) => one === action).length;

t.test('replicas work behind pgbouncer in session mode', { skip: !hasProgram }, async (t) => {
  const server = await startServer(t);
  const replicas = await startReplicas(t, await startPooler(t, server, { mode: 'session', size: 40 }));
  const world = await createSharedWorld(replicas[0].url);
  const urls = replicas.map(({ url }) => url);
  const actions = await evaluate(urls, 48, world.apiKey, {
    sessionId: world.hot,
    input: { tool: 'limited' },
  });
  t.equal(countOf(actions, 'ALLOW'), 40, 'the limit is exact');
});

t.test('replicas work behind pgbouncer in transaction mode, unprepared', { skip: !hasProgram }, async (t) => {
  const server = await startServer(t);
  // Fewer connections than a single replica has to the pooler.
  const address = await startPooler(t, server, { mode: 'transaction', size: 4 });
  const direct = {
    ASSIZE_DATABASE_DIRECT: server.address,
    ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem'),
  };
  const replicas = await startReplicas(t, address, { ...direct, ASSIZE_DATABASE_PREPARE: 'false' });
  const urls = replicas.map(({ url }) => url) as [string, string];
  const world = await createSharedWorld(urls[0]);
  for (const [body, most] of [
    [{ sessionId: world.hot, input: { tool: 'limited' } }, 40],
    [{ input: { tool: 'shared' } }, sharedBudget],
  ] as const) {
    const actions = await evaluate(urls, most + 20, world.apiKey, body);
    t.strictSame([countOf(actions, 'ALLOW'), countOf(actions, 'BLOCK')], [most, 20], 'the limit is exact');
  }
  const inSession = { sessionId: world.hot, input: { tool: 'held' } };
  const { data: held } = await ask(urls[0], world.apiKey, 'POST', '/v1/evaluate', inSession);
  const review = `/v1/reviews/${held.reviewRequestId}`;
  const waiting = ask(urls[1], world.apiKey, 'GET', `${review}?wait=20`);
  t.equal((await ask(urls[0], operatorKey, 'POST', `${review}/approve`, {})).status, 200);
  t.match(await waiting, { data: { status: 'APPROVED' } });
  t.strictSame(await proveRecord(urls[1]), []);
  const document = 'schemaVersion: 1\nname: n\nrules: [{ id: r, when: "true", effect: BLOCK }]';
  const simulated = await fetch(`${urls[0]}/v1/policies/simulate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ document }),
  });
  const lines = (await simulated.text()).trim().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '');
  const evaluations = 40 + 20 + sharedBudget + 20 + 1;
  t.match(last, { type: 'result', evaluations }, last.message ?? 'a replay reads all that is recorded');
});

t.test(
  'a pooler that drops timeouts which the role does not have is refused',
  {
    skip: !hasProgram,
  },
  async (t) => {
    const server = await startServer(t);
    await server.database.query('ALTER ROLE assize RESET idle_in_transaction_session_timeout');
    const url = await startPooler(t, server, { mode: 'session', size: 40 });
    await t.rejects(assertTimed({ url }), {
      message: /drops timeouts.*ALTER ROLE … SET idle_in_transaction_session_timeout = '2000ms'/,
    });
    await server.database.query("ALTER ROLE assize SET idle_in_transaction_session_timeout = '2s'");
    await assertTimed({ url: server.address });
  },
);
