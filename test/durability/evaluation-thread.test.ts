import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../helpers/app.ts';
import { auditDatabase } from './audit.ts';
import { createWorld } from './kills.ts';
import { budget } from './load.ts';
import { operatorKey, request, type ServiceProcess, startService } from './process.ts';
import { auditBudget } from './proofs.ts';

async function call(
  { url }: ServiceProcess,
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
async function startWithThread(t: Test, env: Record<string, string> = {}) {
  const database = join(temporaryFolder(t), 'assize.db');
  const service = await startService(database, {
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
