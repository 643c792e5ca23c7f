import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { openConformance } from '../../helpers/described-routes.ts';

const sessions = '/v1/evaluation-sessions';
const unknownKey = `asz_live_${'u'.repeat(43)}`;
type Reply = Awaited<ReturnType<TestApp['call']>>;

/** Requests one after another, because the counter is a live one. */
async function statuses(times: number, ask: () => Promise<Reply>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) found.push((await ask()).status);
  return found;
}

const limited = (max: number) => ({
  success: false,
  statusCode: 429,
  errors: [{ code: 'rate_limited', message: `at most ${max} requests a minute` }],
});
const countdown = /^([1-9]|[1-5][0-9]|60)$/;

t.test(
  'guessed keys and unknown URLs of one address share a limit; a good key passes meanwhile',
  async (t) => {
    const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '5' });
    const conformance = await openConformance(app);
    const { key } = await app.integration();
    const guess = () => app.call(unknownKey, 'GET', sessions);
    const lost = () => app.call(null, 'GET', '/wp-login.php');
    t.strictSame(await statuses(2, guess), [401, 401]);
    t.strictSame(await statuses(2, lost), [404, 404]);
    t.equal((await app.call(null, 'GET', '/%zz')).status, 400, 'a URL that cannot be decoded counts too');
    for (const [name, ask] of [
      ['a guessed key', guess],
      ['an unknown URL', lost],
      ['a missing key', () => app.call(null, 'POST', '/v1/evaluate', { input: {} })],
      ['a URL that cannot be decoded', () => app.call(null, 'GET', '/%zz')],
      ['a good key on an unknown URL', () => app.call(key, 'GET', '/v1/nothing')],
    ] as const) {
      const response = await ask();
      t.strictSame(response.body, limited(5), name);
      t.equal(response.status, 429, name);
      t.match(String(response.headers['retry-after']), countdown, name);
      t.match(String(response.headers['ratelimit-reset']), countdown, name);
      t.equal(String(response.headers['ratelimit-limit']), '5', name);
      t.equal(String(response.headers['ratelimit-remaining']), '0', name);
      t.notOk('www-authenticate' in response.headers, name);
      t.ok(response.headers['x-request-id'], name);
      t.equal(conformance('GET', '/nowhere', response), null, name);
    }
    t.strictSame(await statuses(3, () => app.call(key, 'GET', sessions)), [200, 200, 200]);
    t.equal((await app.call(adminKey, 'GET', '/v1/integrations')).status, 200);
    t.equal((await app.call(key, 'GET', `${sessions}/x`)).status, 400, 'bad input of a good key is no guess');
  },
);

t.test('each integration has a limit of its own, which may differ', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '3' });
  const usual = await app.integration();
  const other = await app.integration();
  const strict = await app.integration('AGENT', { requestsPerMinute: 1 });
  const free = await app.integration('AGENT', { requestsPerMinute: 0 });
  const by = (key: string) => () => app.call(key, 'POST', '/v1/evaluate', { input: {} });
  t.strictSame(await statuses(4, by(usual.key)), [200, 200, 200, 429]);
  t.strictSame(await statuses(4, by(other.key)), [200, 200, 200, 429], "one's limit is not the other's");
  t.strictSame(await statuses(2, by(strict.key)), [200, 429]);
  t.strictSame(await statuses(6, by(free.key)), [200, 200, 200, 200, 200, 200]);
  const response = await by(usual.key)();
  t.strictSame(response.body, limited(3));
  t.match(String(response.headers['retry-after']), countdown);
  t.strictSame((await by(strict.key)()).body, limited(1));

  const change = { settings: { requestsPerMinute: 10 } };
  await app.call(adminKey, 'PATCH', `/v1/integrations/${strict.id}`, change);
  t.equal((await by(strict.key)()).status, 200, 'a new limit holds from the next request on');
  const { body } = await app.call(adminKey, 'POST', `/v1/integrations/${usual.id}/regenerate-key`);
  t.equal((await by(body.data.apiKey)()).status, 429, 'a new key is no new limit');
  t.equal((await app.call(adminKey, 'GET', '/v1/integrations')).status, 200, 'operators have none');
});

t.test('refused requests of an integration count against its limit', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '2' });
  const { key } = await app.integration();
  t.strictSame(await statuses(3, () => app.call(key, 'GET', '/v1/integrations')), [403, 403, 429]);
});

t.test('an answer within the limit says how much is left', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '2' });
  const { key } = await app.integration();
  const { headers } = await app.call(key, 'GET', sessions);
  t.equal(String(headers['ratelimit-limit']), '2');
  t.equal(String(headers['ratelimit-remaining']), '1');
  t.match(String(headers['ratelimit-reset']), countdown);
  t.notOk('retry-after' in headers);
});

t.test('0 is no limit', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '0', ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { key } = await app.integration();
  t.strictSame(new Set(await statuses(310, () => app.call(unknownKey, 'GET', sessions))), new Set([401]));
  const { status, headers } = await app.call(key, 'GET', sessions);
  t.equal(status, 200);
  t.notOk('ratelimit-limit' in headers);
});

t.test('health is never limited', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '1', ASSIZE_RATE_LIMIT_INTEGRATION: '1' });
  const guesses = await statuses(2, () => app.call(unknownKey, 'GET', sessions));
  t.strictSame(guesses, [401, 429], 'the address is beyond its limit');
  for (const url of ['/health/live', '/health/ready']) {
    t.strictSame(await statuses(3, () => app.call(null, 'GET', url)), [200, 200, 200]);
  }
});

t.test('X-Forwarded-For names the address only behind a trusted proxy', async (t) => {
  const from = (app: TestApp, address: string) => async () =>
    app.call(unknownKey, 'GET', sessions, undefined, { 'x-forwarded-for': address });
  for (const [trust, expected] of [
    ['false', 429],
    ['10.0.0.0/8', 429],
    ['true', 401],
    ['127.0.0.1', 401],
  ] as const) {
    const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '1', ASSIZE_TRUST_PROXY: trust });
    t.strictSame(await statuses(2, from(app, '203.0.113.1')), [401, 429], trust);
    t.equal((await from(app, '203.0.113.2')()).status, expected, `another address, trusting ${trust}`);
  }
});
