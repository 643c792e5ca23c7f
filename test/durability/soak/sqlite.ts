import { execFile } from 'node:child_process';
import { copyFileSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import Database from 'better-sqlite3';
import type { Lifetime } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { freePort } from '../../helpers/free-port.ts';
import { processEnvironment, program, root } from '../../helpers/process.ts';
import { isReady } from '../../replicas/balancer.ts';
import { loadUntil } from '../../replicas/load.ts';
import { auditDatabase } from '../audit.ts';
import { auditEvents, endClaims, openEventReceiver, proveDelivered, subscribe } from '../events.ts';
import { createWorld } from '../kills.ts';
import { type Caller, createCaller, policy, type Sent } from '../load.ts';
import { operatorKey, request, type ServiceProcess, startService } from '../process.ts';
import { auditBudget, proveAcknowledged, proveReplay } from '../proofs.ts';
import { createRandom } from '../random.ts';
import { leaveFree, smallDisk } from '../small-disk.ts';
import { handlesOf, watchMemory } from './process-use.ts';
import type { Findings } from './soak.ts';
import { followEvents } from './stream.ts';
import { createTally } from './tally.ts';

interface Options {
  /** Milliseconds in which processes are killed, and then in which one process lives through everything else. */
  killedMs: number;
  livedMs: number;
  seed: number;
  connections?: number;
  /** Each connection waits so long before a request. */
  pauseMs?: number;
  findings: Findings;
}

/** By what is said of it: resolves once it has happened. */
type Happenings = Record<string, () => Promise<void>>;

const dayMs = 86_400_000;
/** Of the small disk, which grows and shrinks: more than a day's record. */
const megabytes = 4_096;
/** Requests of a round that are sent again under their idempotency keys. */
const mostReplayed = 100;
/** How long the whole database is not looked through. */
const auditEveryMs = 180_000;

/** The service on SQLite over HTTPS, on a disk of its own, with a clock that can be moved. */
export async function soakSqlite(lifetime: Lifetime & { comment(text: string): void }, options: Options) {
  const { seed, findings, connections = 12, pauseMs = 100 } = options;
  const { count, wrong } = findings;
  const folder = temporaryFolder(lifetime);
  const disk = smallDisk(lifetime, megabytes);
  const database = join(disk ?? folder, 'assize.db');
  const clock = join(folder, 'clock');
  const authority = createAuthority(folder, 'authority');
  const tls = { cert: join(folder, 'tls.pem'), key: join(folder, 'tls.key') };
  const useCertificate = (name: string) => {
    const pair = authority.sign(name);
    copyFileSync(pair.cert, tls.cert);
    copyFileSync(pair.key, tls.key);
  };
  useCertificate('server-0');
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, readFileSync(authority.file, 'utf8')]);
  lifetime.teardown(() => setDefaultCACertificates(before));
  /** Written in place: the service reads it at any moment. */
  const clockFile = openSync(clock, 'w');
  const moveClock = (ms: number) => void writeSync(clockFile, String(ms).padEnd(20), 0);

  const env = {
    ASSIZE_PORT: String(await freePort()),
    ASSIZE_TLS_CERT: tls.cert,
    ASSIZE_TLS_KEY: tls.key,
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
    ASSIZE_RETENTION_DAYS: '1',
    SOAK_CLOCK: clock,
  };
  const preload = join(import.meta.dirname, 'moved-clock.mjs');
  const start = () => startService(database, { preload, env });
  const url = `https://127.0.0.1:${env.ASSIZE_PORT}`;
  const ready = async () => {
    while (!(await isReady(url))) await setTimeout(20);
  };
  const cli = (...args: string[]) =>
    command(program, args, {
      ASSIZE_URL: url,
      ASSIZE_ADMIN_KEY: operatorKey,
      NODE_EXTRA_CA_CERTS: authority.file,
    });

  // Content that retention deletes while everything else goes on.
  moveClock(-3 * dayMs);
  let service: ServiceProcess = await start();
  lifetime.teardown(() => service.kill());
  const old = await createOldSession(url);
  await service.stop();
  moveClock(0);
  service = await start();
  const confirmed = await cli('retention', 'confirm', '--database', database);
  if (confirmed.code !== 0) wrong.push(`retention is not confirmed: ${confirmed.text}`);

  const world = await createWorld({ url });
  const receiver = await openEventReceiver();
  lifetime.teardown(() => receiver.close());
  await subscribe(url, receiver);
  const stream = followEvents(url);
  lifetime.teardown(() => stream.close());
  const random = createRandom(seed);
  const tally = createTally();
  /** A connection that stays open would keep the log that is deleted. */
  function reading<T>(read: (client: Database.Database) => T): T {
    const client = new Database(database, { readonly: true });
    try {
      return read(client);
    } finally {
      client.close();
    }
  }

  /** What is wrong in the whole database, by every audit. */
  async function audit(): Promise<void> {
    count('audits of the whole database');
    wrong.push(
      ...auditDatabase(database),
      ...auditBudget(database, world),
      ...auditEvents(database),
      ...reading((client) => tally.compare(client, new Set([old]))),
    );
  }

  /** Something happens under load; the service serves again when `happen` resolves. */
  async function round(happen: () => Promise<void>): Promise<void> {
    const caller = createCaller(url, connections);
    const paced: Caller = {
      ...caller,
      send: (sent) => setTimeout(pauseMs).then(() => caller.send(sent)),
    };
    const journal: Sent[] = [];
    const ending = new AbortController();
    const loading = loadUntil(paced, world, random, connections, journal, ending.signal);
    await setTimeout(300 + random.below(900));
    await happen();
    await ready();
    await setTimeout(200);
    ending.abort();
    await loading;
    reading((client) => {
      for (const sent of journal)
        if (sent.response) proveAcknowledged(client, sent, (one) => void wrong.push(one));
    });
    const repeatable = journal.filter(({ onceKey }) => onceKey !== null).slice(0, mostReplayed);
    await Promise.all(repeatable.map((sent) => proveReplay(caller, sent, (one) => void wrong.push(one))));
    await caller.close();
    const { unanswered, recorded } = reading((client) => tally.add(client, journal));
    count('changes answered', journal.filter(({ response }) => response !== null).length);
    count('requests repeated under their idempotency key', repeatable.length);
    count('actions without a response', unanswered);
    count('actions without a response that were recorded', recorded);
  }

  const killed: Happenings = {
    async 'the process is killed'() {
      await service.kill();
      endClaims(database);
      service = await start();
    },
    async 'the process is stopped and started'() {
      const code = await service.stop();
      if (code !== 0) wrong.push(`the process ended with ${code}`);
      endClaims(database);
      service = await start();
    },
    async 'the log of the database is deleted'() {
      rmSync(`${database}-wal`);
      const isTold = () => service.lines.some((line) => line.includes('nothing more is recorded'));
      for (let left = 500; left > 0 && !isTold(); left--) await setTimeout(20);
      if (!isTold()) wrong.push('the loss of the log was not noticed');
      if (await isReady(url)) wrong.push('the service is ready without its log');
      await service.kill();
      endClaims(database);
      service = await start();
    },
  };
  let certificates = 0;
  const lived: Happenings = {
    async 'the disk is full'() {
      if (disk === null) return;
      leaveFree(disk, 65_536);
      let isRefusing = false;
      for (let left = 400; left > 0 && !isRefusing; left--) {
        await setTimeout(25);
        isRefusing = !(await isReady(url));
      }
      if (!isRefusing) wrong.push('the service is ready on a full disk');
      await setTimeout(500);
      leaveFree(disk, megabytes * 1_048_576);
    },
    async 'the clock jumps ahead and back'() {
      moveClock(90_000);
      await setTimeout(1_000);
      moveClock(-600_000);
      await setTimeout(1_000);
      moveClock(0);
    },
    async 'the process hangs'() {
      process.kill(service.pid, 'SIGSTOP');
      await setTimeout(1_500);
      process.kill(service.pid, 'SIGCONT');
    },
    async 'a backup is taken'() {
      const copy = join(folder, 'backup.db');
      const { code, text } = await cli('backup', copy, '--database', database, '--force');
      if (code !== 0) wrong.push(`no backup: ${text}`);
      else wrong.push(...auditDatabase(copy).map((one) => `in a backup: ${one}`));
      rmSync(copy, { force: true });
    },
    async 'the record is replayed'() {
      const response = await request(`${url}/v1/policies/simulate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ document: policy, differences: 3 }),
      });
      const lines = (await response.text()).trim().split('\n');
      const result = JSON.parse(lines.at(-1) ?? '{}');
      if (result.type !== 'result' || result.changed !== 0)
        wrong.push(`a replay that changes nothing says ${lines.slice(-4).join(' ')}`);
    },
    async 'the certificate is replaced'() {
      const name = `server-${++certificates}`;
      useCertificate(name);
      let served = '';
      for (let left = 300; left > 0 && served !== name; left--) {
        await setTimeout(100);
        served = await certificateOf(Number(env.ASSIZE_PORT));
      }
      if (served !== name) wrong.push(`the certificate is ${served}, and not ${name}`);
    },
  };

  /** In turn, until the time is over and the first `fewest` have happened. */
  async function go(mostMs: number, happenings: Happenings, fewest: number, between?: string) {
    const until = performance.now() + mostMs;
    let auditedAt = performance.now();
    const names = Object.keys(happenings).filter((name) => name !== between);
    for (let turn = 0; performance.now() < until || turn < fewest; turn++) {
      for (const name of [between, names[turn % names.length]]) {
        if (name === undefined) continue;
        await round(happenings[name] as () => Promise<void>);
        if (disk !== null || name !== 'the disk is full') count(name);
      }
      findings.say();
      if (performance.now() - auditedAt < auditEveryMs) continue;
      await audit();
      auditedAt = performance.now();
    }
  }

  await go(
    options.killedMs,
    { ...killed, ...lived },
    Object.keys(killed).length - 1,
    'the process is killed',
  );
  await audit();

  await service.stop();
  endClaims(database);
  service = await start();
  const isLong = options.livedMs > 120_000;
  if (isLong) {
    // Threads that stay are started when they are first needed: the one of checkpoints has seven handles.
    await go(0, lived, Object.keys(lived).length);
    await setTimeout(threadsEndMs);
  } else await round(() => setTimeout(5_000));
  const handlesBefore = handlesOf(service.pid);
  const stopWatching = watchMemory(service.pid);
  const { pid } = service;
  await go(options.livedMs, lived, Object.keys(lived).length);
  if (service.pid !== pid) wrong.push('the process that was to live was replaced');
  const memory = stopWatching();
  let handlesAfter = handlesOf(service.pid);
  for (let left = threadsEndMs / 1_000; left > 0 && handlesAfter.length > handlesBefore.length; left--) {
    await setTimeout(1_000);
    handlesAfter = handlesOf(service.pid);
  }
  const newHandles = difference(handlesAfter, handlesBefore);
  // SQLite keeps a file open for as long as the process has a lock on it, although its connection was closed.
  if (handlesAfter.length > handlesBefore.length + (isLong ? 2 : 10))
    wrong.push(`handles that were not open before: ${newHandles.join(', ')}`);
  // A heap takes some minutes to find its size.
  if (memory.seconds >= 300 && memory.after > memory.before * 1.2)
    wrong.push(`memory grew from ${memory.before} to ${memory.after} MB`);

  wrong.push(...(await proveDelivered(database, receiver)));
  await proveStream();
  await audit();
  await proveWhole();
  await proveErased();
  count('sessions with counters as their callers counted', tally.sessions);
  count('events delivered to a webhook', receiver.received.size);
  count('events read from the stream', stream.events);
  count('connections of the stream', stream.connections);
  const code = await service.stop();
  if (code !== 0) wrong.push(`the process ended with ${code}`);
  wrong.push(...auditDatabase(database));
  return { memory, handles: { before: handlesBefore.length, after: handlesAfter.length, new: newHandles } };

  async function proveStream(): Promise<void> {
    const newest = () =>
      reading((client) => client.prepare<[], number>('SELECT max(id) FROM events').pluck().get() ?? 0);
    for (let left = 300; left > 0 && stream.last < newest(); left--) await setTimeout(100);
    if (stream.last < newest()) wrong.push(`the stream is at ${stream.last} of ${newest()}`);
    wrong.push(...stream.wrong);
  }

  /** Both verifiers, over one export. */
  async function proveWhole(): Promise<void> {
    const file = join(folder, 'record.ndjson');
    const { code, text, out } = await cli('audit', 'export');
    if (code !== 0) wrong.push(`the record is not exported: ${text}`);
    writeFileSync(file, out);
    const alone = await command(join(root, 'clients/verifier/verify-record.mjs'), [file], {});
    const own = await cli('audit', 'verify', file);
    for (const [name, verified] of Object.entries({
      'assize audit verify': own,
      'verify-record.mjs': alone,
    })) {
      if (verified.code !== 0) wrong.push(`${name}: ${verified.text}`);
      else
        count(
          `entries that ${name} finds whole`,
          out.split('\n').filter((line) => line.includes('"hash"')).length,
        );
    }
  }

  /** Retention starts at the first quiet period of the process; under load that never pauses, after a minute. */
  async function proveErased(): Promise<void> {
    const unerased = () =>
      reading((client) =>
        client
          .prepare<[string], number>(
            `SELECT count(*) FROM evaluations e JOIN evaluation_sessions s ON s.id = e.session_id WHERE s.uid = ? AND e.input IS NOT NULL`,
          )
          .pluck()
          .get(old),
      );
    let left = unerased();
    for (const until = performance.now() + 60_000; left !== 0 && performance.now() < until; left = unerased())
      await setTimeout(100);
    if (left !== 0) wrong.push(`${left} evaluations of three days ago still have their content`);
    else count('evaluations whose content was deleted in time', oldActions);
  }
}

/** A thread that checks policies has seven handles, and ends after 30 seconds without work. Idle connections end sooner. */
const threadsEndMs = 45_000;
const oldActions = 40;

/** Some actions with content, in a session that has ended. */
async function createOldSession(url: string): Promise<string> {
  const call = async (key: string, path: string, body: object) => {
    const response = await request(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const settings = { contentRetention: 'full' };
  const { apiKey = '' } = await call(operatorKey, '/v1/integrations', {
    name: 'old',
    kind: 'AGENT',
    settings,
  });
  const { id = '' } = await call(apiKey, '/v1/evaluation-sessions', {});
  for (let place = 0; place < oldActions; place++)
    await call(apiKey, '/v1/evaluate', { sessionId: id, input: { tool: 'old', text: `content ${place}` } });
  await call(apiKey, `/v1/evaluation-sessions/${id}/end`, { status: 'COMPLETED' });
  return id;
}

/** The members of `all` that are left when each of `taken` is taken out once. */
function difference(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken];
  return all.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** The common name of the certificate that the service presents. */
const certificateOf = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }).on('error', () => resolve('none'));
  });

const command = (main: string, args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; out: string; text: string }>((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...processEnvironment, ...env }, maxBuffer: 2 ** 30 },
      (error, stdout, stderr) =>
        resolve({
          code: error ? Number(error.code ?? 1) : 0,
          out: stdout,
          text: `${stderr}${stdout.slice(-2_000)}`,
        }),
    );
  });
