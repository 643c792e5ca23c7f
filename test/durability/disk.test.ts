import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startApp, temporaryFolder } from '../helpers/app.ts';
import { auditDatabase } from './audit.ts';
import { operatorKey, request, startService } from './process.ts';
import { empty, fill, smallDisk } from './small-disk.ts';
import { createDisk, startAppOn, until } from './stored-app.ts';

t.test(
  'when a sync fails nobody is told that anything was kept, and the process is told to stop',
  async (t) => {
    const disk = createDisk();
    const app = await startAppOn(t, disk);
    const { key } = await app.integration();
    const kept = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
    const { sessionId } = kept.body.data;
    const url = `/v1/evaluation-sessions/${sessionId}`;
    const evaluate = () => app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'a' } });

    disk.hold();
    const waiting = [evaluate(), evaluate()];
    await until(() => disk.heldCount() === 1);
    // Committed while the sync is under way, and a read that saw both.
    waiting.push(evaluate(), app.call(key, 'POST', `${url}/end`, {}), app.call(key, 'GET', url));
    disk.breakDown();
    disk.release();
    for (const { status, headers } of await Promise.all(waiting)) {
      t.equal(status, 503);
      t.equal(headers['retry-after'], '1');
    }
    await until(() => app.failures.length > 0);
    t.match(app.failures, [{ code: 'EIO' }]);

    const syncs = disk.syncCount();
    t.equal((await evaluate()).status, 503);
    t.equal((await app.call(key, 'GET', url)).status, 503, 'a read would show what may be lost');
    t.equal((await app.call(null, 'GET', '/health/ready')).status, 503);
    t.equal((await app.call(null, 'GET', '/health/live')).status, 200);
    t.equal(disk.syncCount(), syncs, 'a second sync would say that all is well');
    t.equal(app.failures.length, 1);

    await app.store.close();
    const again = await startApp(t, {}, { database: app.database, clock: app.clock });
    const { body } = await again.call(key, 'GET', `${url}/evaluations`);
    t.equal(body.data.at(-1).evaluationRunId, kept.body.data.evaluationRunId);
    t.strictSame(auditDatabase(app.database), []);
  },
);

t.test(
  'the process ends with a clear message when the disk fails, and starts again with all it answered',
  async (t) => {
    const folder = temporaryFolder(t);
    const database = join(folder, 'assize.db');
    const fault = join(folder, 'fault');
    const preload = join(folder, 'failing-disk.mjs');
    writeFileSync(
      preload,
      `import fs from 'node:fs';
     import { syncBuiltinESMExports } from 'node:module';
     const { fdatasync } = fs;
     fs.fdatasync = (descriptor, done) => fs.existsSync(${JSON.stringify(fault)})
       ? setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
       : fdatasync(descriptor, done);
     syncBuiltinESMExports();`,
    );
    let service = await startService(database, { preload });
    const create = () =>
      request(`${service.url}/v1/integrations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'kept', kind: 'AGENT' }),
      });
    const kept = (await (await create()).json()) as { data: { id: string } };
    writeFileSync(fault, '');
    // The service writes by itself, too: when that meets the disk first, the connection ends with the process.
    const refused = await create().then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    t.ok(refused === 503 || String(refused).startsWith('no response'), String(refused));
    t.equal(await service.exited, 1);
    const said = service.lines.join('\n');
    t.match(said, /the disk could not be synced/);
    t.match(said, /EIO/);

    rmSync(fault);
    service = await startService(database, { preload });
    const read = await request(`${service.url}/v1/integrations/${kept.data.id}`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    t.equal(read.status, 200);
    t.equal(await service.stop(), 0);
  },
);

t.test('a full disk refuses, keeps what was answered, and is used again once it has space', async (t) => {
  const folder = smallDisk(t, 24);
  if (folder === null) return;
  const database = join(folder, 'assize.db');
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' }, { database });
  const { key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const sessionId = body.data.id as string;
  const evaluate = () =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'a', text: 'x'.repeat(5_000) } });
  const ready = async () => (await app.call(null, 'GET', '/health/ready')).status;
  const ids: string[] = [];
  const send = async (): Promise<number[]> => {
    const responses = await Promise.all(Array.from({ length: 8 }, evaluate));
    for (const response of responses)
      if (response.status === 200) ids.push(response.body.data.evaluationRunId);
    return responses.map(({ status }) => status);
  };
  t.strictSame(new Set(await send()), new Set([200]));

  for (let times = 0; times < 3; times++) {
    fill(folder, 60_000);
    let statuses: number[] = [];
    while (!statuses.includes(503)) statuses = await send();
    fill(folder);
    t.strictSame(new Set(await send()), new Set([503]), 'all that needs space is refused');
    t.equal(await ready(), 503);
    const read = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
    t.equal(read.status, 200, 'what is there can be read');
    t.equal(read.body.data.actionCount, ids.length, 'and nothing refused was counted');
    empty(folder);
    t.equal(await ready(), 200);
    t.strictSame(new Set(await send()), new Set([200]));
  }

  const listed: string[] = [];
  for (let page = 1; listed.length < ids.length; page++) {
    const url = `/v1/evaluation-sessions/${sessionId}/evaluations?size=200&page=${page}`;
    const { data } = (await app.call(key, 'GET', url)).body;
    if (data.length === 0) break;
    listed.push(...data.map((evaluation: { evaluationRunId: string }) => evaluation.evaluationRunId));
  }
  t.strictSame(new Set(listed), new Set(ids));
  t.equal(listed.length, ids.length);
  t.strictSame(auditDatabase(database), []);
});
