import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { createSharedWorld } from './load.ts';

const hasProgram = spawnSync('pgbouncer', ['--version']).status === 0;

/** The address of a pooler in session mode, before this server. */
async function startPooler(t: Test, server: { port: number }): Promise<string> {
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
pool_mode = session
default_pool_size = 40
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

t.test('replicas work behind pgbouncer in session mode', { skip: !hasProgram }, async (t) => {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  const address = await startPooler(t, server);
  const env = { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') };
  const replicas = [await startService(address, { env }), await startService(address, { env })] as const;
  t.teardown(() => Promise.all(replicas.map((replica) => replica.kill())));
  const [one, other] = replicas;
  const world = await createSharedWorld(one.url);
  const send = (url: string, path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const input = { tool: 'limited' };
  const actions = await Promise.all(
    Array.from({ length: 48 }, async (_, place) => {
      const { url } = place % 2 === 0 ? one : other;
      const response = await send(url, '/v1/evaluate', { sessionId: world.hot, input });
      return ((await response.json()) as { data: { enforcementAction: string } }).data.enforcementAction;
    }),
  );
  t.equal(actions.filter((action) => action === 'ALLOW').length, 40, 'the limit is exact');
});
