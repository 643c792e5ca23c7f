import Fastify from 'fastify';
import t from 'tap';
import { shedOverload } from '../../../src/http/plugins/overload.ts';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { openDump } from '../../helpers/database-dump.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps the event loop busy until the app has measured it; bounded, because a measurement may never come. */
async function press({ http }: TestApp): Promise<void> {
  const until = performance.now() + 10_000;
  while (!http.isUnderPressure() && performance.now() < until) {
    const busy = performance.now() + 60;
    while (performance.now() < busy);
    await turn();
  }
}

t.test('an overloaded service answers 503 and records nothing; health checks pass', async (t) => {
  const app = await startApp(t, { ASSIZE_OVERLOAD_DELAY_MS: '5' });
  const { key } = await app.integration();
  const dump = openDump(t, app.database);
  const before = dump();
  await press(app);
  t.ok(app.http.isUnderPressure());
  for (const [by, method, url] of [
    [key, 'POST', '/v1/evaluate'],
    [null, 'GET', '/v1/evaluation-sessions'],
    [null, 'GET', '/health'],
    [null, 'GET', '/healthy/live'],
    [null, 'GET', '/nowhere'],
  ] as const) {
    await press(app);
    const { status, headers, body } = await app.call(
      by,
      method,
      url,
      method === 'POST' ? { input: {} } : undefined,
    );
    t.equal(status, 503, url);
    t.equal(String(headers['retry-after']), '1', url);
    t.ok(headers['x-request-id'], url);
    t.strictSame(body, {
      success: false,
      statusCode: 503,
      errors: [{ code: 'unavailable', message: 'the service is overloaded' }],
    });
  }
  for (const url of ['/health/live', '/health/ready']) {
    await press(app);
    t.equal((await app.call(null, 'GET', url)).status, 200, url);
  }
  t.equal(dump(), before);
});

t.test('with a delay of 0 nothing is watched', async (t) => {
  const plain = Fastify();
  await shedOverload(plain, 0);
  await plain.ready();
  t.notOk(plain.hasDecorator('isUnderPressure'));
});
