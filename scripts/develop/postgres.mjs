import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A PostgreSQL server of its own, for tests.

const debian = '/usr/lib/postgresql';

/** The folder of the server's programs: Debian keeps those of each version in its own. */
function findPrograms() {
  if (process.env.ASSIZE_POSTGRES_BIN) return process.env.ASSIZE_POSTGRES_BIN;
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Boolean) : [];
  if (versions.length === 0)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql, or set ASSIZE_POSTGRES_BIN');
  return join(debian, String(Math.max(...versions)), 'bin');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** The server refuses to run as root. */
function asUnprivileged(folder) {
  if (process.getuid() !== 0) return [];
  const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || 65_534;
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  chownSync(folder, uid, gid);
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
}

/** Starts a server; `stop` ends it and deletes its folder. `settings`: of postgresql.conf. */
export async function startPostgres(settings = {}) {
  const programs = findPrograms();
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assize-postgres-'));
  const before = asUnprivileged(folder);
  const run = (program, ...args) => [...before, join(programs, program), ...args];
  const data = join(folder, 'data');
  const [initdb, ...initArgs] = run(
    'initdb',
    '-D',
    data,
    '-U',
    'assize',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  );
  const made = spawnSync(initdb, initArgs, { encoding: 'utf8', cwd: folder });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    ...settings,
  };
  const [postgres, ...args] = run(
    'postgres',
    '-D',
    data,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  );
  const server = spawn(postgres, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  await new Promise((resolve, reject) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log = `${log}${text}`.slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  // The process that started it may end before it.
  server.unref();
  server.stderr.unref();
  return {
    address: `postgres://assize@127.0.0.1:${port}/postgres`,
    data,
    process: server,
    async stop() {
      const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : null;
      server.ref();
      // Fast: ends connections.
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
