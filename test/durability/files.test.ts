import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startApp, temporaryFolder } from '../helpers/app.ts';
import { auditDatabase } from './audit.ts';
import { operatorKey, request, type ServiceProcess, startService } from './process.ts';
import { turns } from './stored-app.ts';

// The files of a running service are moved, replaced or deleted.

async function ask(service: ServiceProcess, key: string, method: string, path: string, body?: unknown) {
  const response = await request(service.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    data: ((await response.json()) as { data?: Record<string, string> }).data,
  };
}

async function start(t: Test, database: string) {
  const service = await startService(database);
  t.teardown(() => service.kill());
  const made = await ask(service, operatorKey, 'POST', '/v1/integrations', { name: 'a', kind: 'AGENT' });
  const key = made.data?.apiKey ?? '';
  const session = await ask(service, key, 'POST', '/v1/evaluation-sessions');
  const evaluate = () =>
    ask(service, key, 'POST', '/v1/evaluate', { sessionId: session.data?.id, input: { tool: 'a' } });
  const ready = async () => (await ask(service, '', 'GET', '/health/ready')).status;
  const told = () => service.lines.filter((line) => line.includes('nothing more is recorded'));
  return { service, key, evaluate, ready, told, sessionId: session.data?.id ?? '' };
}

/** Answers the ids of all evaluations of the session. */
async function recorded(service: ServiceProcess, key: string, sessionId: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const path = `/v1/evaluation-sessions/${sessionId}/evaluations?size=200&page=${page}`;
    const { data } = await ask(service, key, 'GET', path);
    const rows = data as unknown as { evaluationRunId: string }[];
    if (rows.length === 0) return ids;
    for (const { evaluationRunId } of rows) ids.add(evaluationRunId);
  }
}

const log = (database: string) => `${database}-wal`;
const away = (file: string) => `${file}.away`;

/** What is done to the files under load, and what an operator does before the next start; null when nothing can be saved. */
const harms: [name: string, harm: (database: string) => void, mend: ((database: string) => void) | null][] = [
  ['the log is deleted', (database) => rmSync(log(database)), () => undefined],
  ['the log is moved', (database) => renameSync(log(database), away(log(database))), () => undefined],
  [
    'the log is replaced',
    (database) => {
      renameSync(log(database), away(log(database)));
      writeFileSync(log(database), '');
    },
    (database) => renameSync(away(log(database)), log(database)),
  ],
  [
    'the log is deleted, and a process that opens the database makes it anew',
    (database) => {
      rmSync(log(database));
      writeFileSync(log(database), '');
    },
    () => undefined,
  ],
  [
    'the database is moved',
    (database) => renameSync(database, away(database)),
    (database) => renameSync(away(database), database),
  ],
  [
    'the database is replaced by a copy',
    (database) => {
      copyFileSync(database, away(database));
      renameSync(database, `${database}.first`);
      renameSync(away(database), database);
    },
    (database) => renameSync(`${database}.first`, database),
  ],
  ['the database is deleted', (database) => rmSync(database), null],
  ['the index of the log is deleted', (database) => rmSync(`${database}-shm`), () => undefined],
];

for (const [name, harm, mend] of harms) {
  t.test(`${name} under load: nothing answered is lost, and then nothing is answered`, async (t) => {
    const database = join(temporaryFolder(t), 'assize.db');
    const { service, key, evaluate, ready, told, sessionId } = await start(t, database);
    const answered: string[] = [];
    let harmedAt = 0;
    const worker = async (): Promise<number> => {
      for (;;) {
        const { status, data } = await evaluate();
        if (status !== 200) return status;
        answered.push(data?.evaluationRunId ?? '');
        if (answered.length === 100) {
          harm(database);
          harmedAt = answered.length;
        }
        if (answered.length > 5_000) return status;
      }
    };
    const workers = 8;
    t.strictSame(new Set(await Promise.all(Array.from({ length: workers }, worker))), new Set([503]));
    // Those were on their way when the files changed.
    t.ok(answered.length - harmedAt <= workers, `${answered.length - harmedAt} answers after it`);
    t.equal((await evaluate()).status, 503);
    t.equal(await ready(), 503);
    t.equal((await ask(service, '', 'GET', '/health/live')).status, 200);
    // The log of the other process arrives in its own time.
    const until = performance.now() + 10_000;
    while (told().length === 0 && performance.now() < until)
      await new Promise((turn) => setTimeout(turn, 20));
    t.equal(told().length, 1, 'one line says so');
    t.equal(service.lines.filter((line) => line.includes('request failed')).length, 0);

    await service.kill();
    if (!mend) return;
    mend(database);
    const again = await startService(database);
    t.teardown(() => again.kill());
    const kept = await recorded(again, key, sessionId);
    t.strictSame(
      answered.filter((id) => !kept.has(id)),
      [],
    );
    t.equal(await again.stop(), 0);
    t.strictSame(auditDatabase(database), []);
  });
}

t.test('the loss is noticed while nothing is asked, and nothing answered before is lost', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const { service, key, evaluate, told, sessionId } = await start(t, database);
  const { data } = await evaluate();
  rmSync(log(database));
  while (told().length === 0) await turns(100);
  t.match(told()[0], /assize\.db-wal was (moved or deleted|replaced) while in use.*restart the service/);
  t.equal((await evaluate()).status, 503);
  await service.kill();
  const again = await startService(database);
  t.teardown(() => again.kill());
  t.ok((await recorded(again, key, sessionId)).has(data?.evaluationRunId ?? ''));
  await again.stop();
});

t.test('background work that fails because of the loss adds no lines of its own', async (t) => {
  const app = await startApp(t, {}, { database: join(temporaryFolder(t), 'assize.db') });
  rmSync(log(app.database));
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 503);
  app.services.dueVersions.start();
  await t.rejects(app.services.dueVersions.sweep(), { code: 'unavailable' });
  await turns(10);
  t.notMatch(app.log.join(''), /background work failed/);
});

t.test('a stop leaves the files that took the place of its own as they are', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const { service, ready } = await start(t, database);
  renameSync(log(database), away(log(database)));
  writeFileSync(log(database), 'of another process');
  t.equal(await ready(), 503);
  t.equal(await service.stop(), 0);
  t.ok(existsSync(log(database)));
});

t.test('ASSIZE_DATABASE_MUST_EXIST refuses a missing and an empty file, and makes none', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const env = { ASSIZE_DATABASE_MUST_EXIST: 'true' };
  await t.rejects(startService(database, { env }), {
    message: /assize: the database .* is missing, and ASSIZE_DATABASE_MUST_EXIST is true/,
  });
  t.notOk(existsSync(database));
  writeFileSync(database, '');
  await t.rejects(startService(database, { env }), { message: /is empty, and ASSIZE_DATABASE_MUST_EXIST/ });
  rmSync(database);
  await (await startService(database)).kill();
  const service = await startService(database, { env });
  t.equal((await ask(service, operatorKey, 'GET', '/v1/policies')).status, 200, 'that of an earlier start');
  await service.kill();
});
