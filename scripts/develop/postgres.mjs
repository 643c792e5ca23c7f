import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

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

const basic = { listen_addresses: '127.0.0.1', max_connections: 200 };

/** A server with a folder of its own, which `fill` makes from nothing or as a copy. */
async function openServer(fill, settings) {
  const programs = findPrograms();
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assize-postgres-'));
  const before = asUnprivileged(folder);
  const data = join(folder, 'data');
  function run(name, ...args) {
    const [command, ...rest] = [...before, join(programs, name), ...args];
    const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8', cwd: folder });
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  }
  fill(run, data);
  const port = await freePort();
  const all = { ...basic, port, unix_socket_directories: folder, ...settings };
  let server;
  /** Tries again while processes of a killed server are still ending. */
  async function start() {
    const giveUpAt = performance.now() + 5_000;
    for (;;) {
      try {
        return await startOnce();
      } catch (error) {
        if (!error.message.includes('is still in use') || performance.now() > giveUpAt) throw error;
        await setTimeout(50);
      }
    }
  }
  async function startOnce() {
    const [command, ...args] = [...before, join(programs, 'postgres'), '-D', data];
    for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`);
    server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
    await new Promise((resolve, reject) => {
      let log = '';
      server.stderr.on('data', (text) => {
        log = `${log}${text}`.slice(-4_000);
        if (/ready to accept (read-only )?connections/.test(log)) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
    });
    // The process that started it may end before it.
    server.unref();
    server.stderr.unref();
  }
  async function end(signal) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.ref();
    server.kill(signal);
    await ended;
  }
  await start();
  return {
    address: `postgres://assize@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return server.pid;
    },
    start,
    /** Ends it and all its processes as a power cut would; what was not written is lost. */
    async kill() {
      const children = spawnSync('ps', ['-o', 'pid=', '--ppid', `${server.pid}`], { encoding: 'utf8' });
      // The first, so that it starts none again.
      const ended = end('SIGKILL');
      for (const pid of children.stdout.split('\n').map(Number).filter(Boolean)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch (error) {
          if (error.code !== 'ESRCH') throw error;
        }
      }
      await ended;
    },
    promote: () => run('pg_ctl', '-D', data, '-w', 'promote'),
    async stop() {
      // Fast: ends connections.
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server; `stop` ends it and deletes its folder. `settings`: of postgresql.conf. */
export const startPostgres = (settings = {}) =>
  openServer(
    (run, data) => run('initdb', '-D', data, '-U', 'assize', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'),
    settings,
  );

/** Starts a server that follows another one, under the name `standby`. */
export const startStandby = (primary, settings = {}) =>
  openServer(
    (run, data) =>
      run(
        'pg_basebackup',
        '-D',
        data,
        '-R',
        '-N',
        '-c',
        'fast',
        '-d',
        `${primary.address}?application_name=standby`,
      ),
    settings,
  );
