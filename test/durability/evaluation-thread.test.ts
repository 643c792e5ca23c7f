import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../helpers/app.ts';
import { serveProcess } from '../helpers/process.ts';
import { auditDatabase } from './audit.ts';
import { createWorld } from './kills.ts';
import { budget } from './load.ts';
import { operatorKey, request, type ServiceProcess, startService } from './process.ts';
import { auditBudget } from './proofs.ts';

async function call(
  { url }: Pick<ServiceProcess, 'url'>,
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await request(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A service whose thread is ready: responses of its evaluations come from it. */
async function startWithThread(t: Test, env: Record<string, string> = {}, preload?: string) {
  const database = join(temporaryFolder(t), 'assize.db');
  const service = await startService(database, {
    ...(preload !== undefined && { preload }),
    env: {
      ASSIZE_EVALUATION_THREAD: 'on',
      ASSIZE_METRICS_TOKEN: 'm'.repeat(32),
      ...env,
    },
  });
  t.teardown(() => service.kill());
  const world = await createWorld(service);
  const evaluate = (body: object, key = world.apiKey, headers: Record<string, string> = {}) =>
    call(service, key, 'POST', '/v1/evaluate', body, headers);
  await evaluate({ input: { tool: 'first' } });
  // Until then the event loop evaluates, with the same results.
  while (!service.lines.some((line) => line.includes('in a thread of their own'))) await setTimeout(20);
  return { database, service, world, evaluate };
}

t.test(
  'a thread evaluates exactly what the event loop would',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const { database, service, world, evaluate } = await startWithThread(t);
    const limited = { sessionId: world.hot, input: { tool: 'limited' } };

    const responses = await Promise.all(Array.from({ length: 200 }, () => evaluate(limited)));
    t.strictSame(
      responses.filter(({ status }) => status !== 200),
      [],
    );
    const allowed = responses.filter(({ body }) => body.data.enforcementAction === 'ALLOW');
    t.equal(allowed.length, budget, 'a limit under 200 parallel requests');

    const once = { 'idempotency-key': 'once' };
    const first = await evaluate({ input: { tool: 'once' } }, world.apiKey, once);
    const again = await evaluate({ input: { tool: 'once' } }, world.apiKey, once);
    t.equal(again.headers.get('idempotent-replayed'), 'true');
    t.equal(again.body.data.evaluationRunId, first.body.data.evaluationRunId);
    t.match(await evaluate({ input: { tool: 'twice' } }, world.apiKey, once), { status: 409 });

    t.match(await evaluate({ sessionId: '01990000-0000-7000-8000-000000000000', input: { tool: 'x' } }), {
      status: 404,
      body: { errors: [{ code: 'not_found', path: '/sessionId' }] },
    });

    const ended = await call(service, world.apiKey, 'POST', `/v1/evaluation-sessions/${world.hot}/end`, {});
    t.equal(ended.status, 200);
    t.match(await evaluate(limited), { status: 409 }, 'an end by the event loop counts at once');

    const integrations = await call(service, operatorKey, 'GET', '/v1/integrations');
    const { id } = integrations.body.data[0];
    const created = await request(`${service.url}/v1/policies?activate=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/yaml' },
      body: 'schemaVersion: 1\nname: closed\nrules: [{ id: all, when: "true", effect: BLOCK }]\n',
    });
    const document = (await created.json()) as { data?: { id: string }; errors?: unknown };
    t.ok(document.data, JSON.stringify(document.errors));
    await call(service, operatorKey, 'PUT', `/v1/integrations/${id}/policies/${document.data?.id}`);
    const blocked = await evaluate({ input: { tool: 'anything' } });
    t.equal(blocked.body.data.enforcementAction, 'BLOCK', 'a policy counts from its response on');

    const stats = await call(service, operatorKey, 'GET', '/v1/stats?by=tool');
    const ofTool = stats.body.data.find(({ name }: { name: string }) => name === 'limited');
    t.match(ofTool, { evaluations: 200, allowed: budget }, 'statistics have what the thread recorded');

    const metrics = await request(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${'m'.repeat(32)}` },
    });
    const text = await metrics.text();
    const decisions = [...text.matchAll(/^assize_decisions_total\{[^}]*\} (\d+)$/gm)];
    t.ok(decisions.reduce((sum, [, count]) => sum + Number(count), 0) >= 200, 'metrics count them');
    t.match(text, /^assize_commit_changes_count [1-9]/m);

    await proveEvents(t, service);
    await call(service, operatorKey, 'DELETE', `/v1/integrations/${id}`);
    t.equal((await evaluate({ input: { tool: 'x' } })).status, 401);
    t.equal(await service.stop(), 0);
    t.strictSame([...auditBudget(database, world), ...auditDatabase(database)], []);
  },
);

/** Readers of events are told of what the thread decided. */
async function proveEvents(t: Test, service: ServiceProcess): Promise<void> {
  const { body } = await call(service, operatorKey, 'GET', '/v1/events?type=evaluation.*', undefined, {
    accept: 'application/json',
  });
  t.ok(body.data.events.length > 0);
}

t.test('what the thread acknowledged survives a kill', { skip: process.platform !== 'linux' }, async (t) => {
  const { database, service, world, evaluate } = await startWithThread(t);
  let acknowledged = 0;
  const sending = Array.from({ length: 32 }, async () => {
    for (;;) {
      const sent = await evaluate({ sessionId: world.hot, input: { tool: 'limited' } }).catch(() => null);
      if (!sent) return;
      acknowledged++;
    }
  });
  while (acknowledged < 400) await setTimeout(5);
  await service.kill();
  await Promise.all(sending);
  const next = await startService(database);
  t.teardown(() => next.kill());
  const { body } = await call(next, world.apiKey, 'GET', `/v1/evaluation-sessions/${world.hot}`);
  t.ok(body.data.actionCount >= acknowledged, `${body.data.actionCount} of ${acknowledged}`);
  t.strictSame([...auditBudget(database, world), ...auditDatabase(database)], []);
});

/** A module that throws in the evaluation thread as soon as `when` holds. */
function breaking(t: Test, when: string): string {
  const file = join(temporaryFolder(t), 'breaking.mjs');
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs';
    import { isMainThread, workerData } from 'node:worker_threads';
    const breakNow = () => { if (${when}) throw new Error('broken by the test'); };
    if (!isMainThread && workerData?.observes) { breakNow(); setInterval(breakNow, 5); }`,
  );
  return file;
}

t.test('a thread that fails ends the process at once, and acknowledges nothing', async (t) => {
  const sign = join(temporaryFolder(t), 'sign');
  const preload = breaking(t, `existsSync(${JSON.stringify(sign)})`);
  const { service, evaluate } = await startWithThread(t, {}, preload);
  const refused = new Set<number>();
  const sending = Array.from({ length: 16 }, async () => {
    for (;;) {
      const sent = await evaluate({ input: { tool: 'x' } }).catch(() => null);
      if (!sent) return;
      if (sent.status !== 200) refused.add(sent.status);
    }
  });
  const beganAt = performance.now();
  writeFileSync(sign, '');
  t.equal(await service.exited, 1);
  t.ok(performance.now() - beganAt < 10_000, 'before the grace of a stop is over');
  await Promise.all(sending);
  t.strictSame(
    [...refused].filter((status) => status !== 503),
    [],
  );
});

t.test('a thread that cannot start leaves evaluations and stops as they are', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const service = await startService(database, {
    preload: breaking(t, 'true'),
    env: { ASSIZE_EVALUATION_THREAD: 'on' },
  });
  t.teardown(() => service.kill());
  const world = await createWorld(service);
  const evaluate = () => call(service, world.apiKey, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.match(await evaluate(), { status: 200 });
  while (!service.lines.some((line) => line.includes('broken by the test'))) await setTimeout(20);
  t.match(await evaluate(), { status: 200 });
  t.equal(await service.stop(), 0);
});

t.test('the thread has the settings that the process was started with', async (t) => {
  const cwd = temporaryFolder(t);
  const file = join(cwd, 'assize.env');
  const settings = `ASSIZE_ADMIN_KEY=${operatorKey}\nASSIZE_DEMO=false\nASSIZE_EVALUATION_THREAD=on\n`;
  writeFileSync(file, `${settings}ASSIZE_DATABASE=${cwd}/first.db\n`);
  const served = serveProcess(t, {}, { cwd });
  const service = { url: await served.url() };
  const world = await createWorld(service);
  // As for the next start.
  writeFileSync(file, `${settings}ASSIZE_DATABASE=${cwd}/second.db\nASSIZE_SESSION_MAX_TOOLS=1\n`);
  const evaluate = () => call(service, world.apiKey, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.match(await evaluate(), { status: 200 });
  await served.prints(/in a thread of their own/);
  t.match(await evaluate(), { status: 200 });
  t.notOk(existsSync(`${cwd}/second.db`));
});
