import type { InjectOptions } from 'fastify';
import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const fromConsole = { 'sec-fetch-site': 'same-origin', 'x-assize-console': '1' };

interface Visitor {
  cookie: string;
  send(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): ReturnType<TestApp['call']>;
}

/** A browser's requests: the cookie it was given, and the headers that it sends by itself. */
function visitor(app: TestApp): Visitor {
  const one: Visitor = {
    cookie: '',
    async send(method, url, body, headers = fromConsole) {
      const sent = { host: '127.0.0.1:3000', ...headers, ...(one.cookie && { cookie: one.cookie }) };
      const response = await app.call(null, method, url, body, sent);
      const set = String(response.headers['set-cookie'] ?? '');
      if (set !== '') one.cookie = set.split(';')[0] ?? '';
      return response;
    },
  };
  return one;
}

async function signedIn(t: Test): Promise<{ app: TestApp; one: Visitor }> {
  const app = await startApp(t);
  const one = visitor(app);
  t.equal((await one.send('POST', '/console/sign-in', { key: adminKey })).status, 200);
  return { app, one };
}

t.test('an operator key signs in, and its cookie is then a key for the API', async (t) => {
  const app = await startApp(t);
  const one = visitor(app);
  t.equal((await one.send('GET', '/console/signed-in')).status, 401);
  const { status, body, headers } = await one.send('POST', '/console/sign-in', { key: adminKey });
  t.equal(status, 200);
  t.strictSame(body.data, {
    signedInAt: '2030-01-01T00:00:00.000Z',
    signedInWith: 'KEY',
    expiresAt: '2030-01-01T00:30:00.000Z',
    isConfirmed: true,
    confirmedUntil: '2030-01-01T00:05:00.000Z',
  });
  t.match(
    String(headers['set-cookie']),
    /^assize-console=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  t.equal(headers['cache-control'], 'no-store');
  t.strictSame((await one.send('GET', '/console/signed-in')).body.data, body.data);
  t.equal((await one.send('GET', '/v1/integrations')).status, 200);
  t.notMatch(JSON.stringify(app.log), one.cookie.split('=')[1] ?? '');
});

t.test('whatever is not an operator key in force signs nobody in', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  for (const wrong of [`asz_admin_${'x'.repeat(43)}`, key, 'x', ' ']) {
    const { status, body, headers } = await visitor(app).send('POST', '/console/sign-in', { key: wrong });
    t.equal(status, 401);
    t.equal(headers['set-cookie'], undefined);
    t.notMatch(JSON.stringify(body), wrong.trim() || 'asz_');
  }
});

t.test('the cookie outside a loopback address is a __Host- cookie, for https only', async (t) => {
  const app = await startApp(t, { ASSIZE_TRUST_PROXY: 'true' });
  const setFor = async (headers: Record<string, string>) =>
    (await app.call(null, 'POST', '/console/sign-in', { key: adminKey }, { ...fromConsole, ...headers }))
      .headers['set-cookie'];
  const secure = /^__Host-assize-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
  t.match(await setFor({ host: 'console.example.com' }), secure);
  t.match(await setFor({ host: 'localhost.example.com' }), secure);
  t.match(await setFor({ host: '127.0.0.1', 'x-forwarded-proto': 'https' }), secure);
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    t.match(await setFor({ host }), /^assize-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  }
});

t.test('a request that another site may have caused is refused, whatever its cookie', async (t) => {
  const { one } = await signedIn(t);
  const create = { name: 'x', kind: 'AGENT' };
  for (const headers of [
    {},
    { 'x-assize-console': '1' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site', 'x-assize-console': '1' },
    { 'sec-fetch-site': 'cross-site', 'x-assize-console': '1' },
    { 'sec-fetch-site': 'none', 'x-assize-console': '1' },
  ]) {
    t.equal((await one.send('POST', '/v1/integrations', create, headers)).status, 403);
    t.equal((await one.send('POST', '/console/sign-out', undefined, headers)).status, 403);
    t.equal(
      (await visitor((await signedIn(t)).app).send('POST', '/console/sign-in', { key: adminKey }, headers))
        .status,
      403,
    );
  }
  t.equal((await one.send('GET', '/v1/integrations', undefined, {})).status, 403);
  t.equal(
    (await one.send('GET', '/v1/integrations', undefined, { 'sec-fetch-site': 'cross-site' })).status,
    403,
  );
  t.equal(
    (await one.send('GET', '/v1/integrations', undefined, { 'sec-fetch-site': 'same-origin' })).status,
    200,
  );
  const form = { ...fromConsole, 'content-type': 'application/x-www-form-urlencoded' };
  t.equal((await one.send('POST', '/v1/integrations', 'name=x', form)).status, 415);
  t.equal((await one.send('POST', '/v1/integrations', create)).status, 201);
});

t.test('a cookie never stands in for a key that was sent, and an integration key stays one', async (t) => {
  const { app, one } = await signedIn(t);
  const { key } = await app.integration();
  for (const authorization of ['Bearer x', 'Basic x', `Bearer asz_admin_${'x'.repeat(43)}`]) {
    t.equal(
      (await one.send('GET', '/v1/integrations', undefined, { ...fromConsole, authorization })).status,
      401,
    );
  }
  const asIntegration = { ...fromConsole, authorization: `Bearer ${key}` };
  t.equal((await one.send('GET', '/v1/integrations', undefined, asIntegration)).status, 403);
  t.equal((await one.send('POST', '/v1/evaluate', { input: {} })).status, 403);
});

t.test('a cookie that is sent twice, cut or foreign is none', async (t) => {
  const { app, one } = await signedIn(t);
  const { cookie } = one;
  for (const wrong of [
    `${cookie}; ${cookie}`,
    cookie.slice(0, -1),
    `${cookie}x`,
    `x${cookie}`,
    `__Host-${cookie}`,
    'assize-console=',
  ]) {
    const { status } = await app.call(null, 'GET', '/v1/integrations', undefined, {
      ...fromConsole,
      host: '127.0.0.1',
      cookie: wrong,
    });
    t.equal(status, 401, wrong);
  }
  t.equal((await one.send('GET', '/v1/integrations')).status, 200);
});

t.test('a sign-in ends 30 minutes after the last use by a person', async (t) => {
  const { app, one } = await signedIn(t);
  const background = { ...fromConsole, 'x-assize-background': '1' };
  app.clock.advance(29 * 60_000);
  t.equal((await one.send('GET', '/v1/integrations')).status, 200);
  app.clock.advance(29 * 60_000);
  t.equal((await one.send('GET', '/v1/integrations', undefined, background)).status, 200);
  t.equal((await one.send('GET', '/console/signed-in')).status, 200);
  app.clock.advance(60_000);
  t.equal((await one.send('GET', '/v1/integrations')).status, 401, 'what the page does by itself is no use');
});

t.test('a sign-in ends after 12 hours whatever happens', async (t) => {
  const { app, one } = await signedIn(t);
  for (let minutes = 20; minutes < 720; minutes += 20) {
    app.clock.advance(20 * 60_000);
    t.equal((await one.send('GET', '/v1/policies')).status, 200);
  }
  app.clock.advance(20 * 60_000 - 1);
  const { body } = await one.send('GET', '/console/signed-in');
  t.equal(body.data.expiresAt, '2030-01-01T12:00:00.000Z');
  app.clock.advance(1);
  t.equal((await one.send('GET', '/v1/policies')).status, 401);
});

t.test('keys and integrations are changed only shortly after the operator proved who it is', async (t) => {
  const { app, one } = await signedIn(t);
  const { id } = await app.integration();
  const policy = await app.policy(
    id,
    'schemaVersion: 1\nname: p\nrules: [{ id: r, when: "true", effect: WARN, severity: LOW }]',
  );
  app.clock.advance(5 * 60_000);
  const changes = [
    ['POST', '/v1/operator-keys', undefined],
    ['POST', `/v1/operator-keys/${id}/revoke`, undefined],
    ['POST', '/v1/integrations', { name: 'x', kind: 'AGENT' }],
    ['PATCH', `/v1/integrations/${id}`, { name: 'x' }],
    ['DELETE', `/v1/integrations/${id}`, undefined],
    ['POST', `/v1/integrations/${id}/regenerate-key`, undefined],
    ['POST', `/v1/integrations/${id}/regenerate-webhook-secret`, undefined],
  ] as const;
  for (const [method, url, body] of changes) {
    const response = await one.send(method, url, body);
    t.equal(response.status, 403, `${method} ${url}`);
    t.match(response.body.errors[0].message, /enter the operator key again/);
  }
  t.equal((await one.send('DELETE', `/v1/integrations/${id}/policies/${policy}`)).status, 200);
  t.equal((await one.send('GET', '/v1/operator-keys')).status, 200);

  const other = `asz_admin_${'o'.repeat(43)}`;
  t.equal((await one.send('POST', '/console/confirm', { key: other })).status, 401);
  const confirmed = await one.send('POST', '/console/confirm', { key: adminKey });
  t.equal(confirmed.body.data.confirmedUntil, '2030-01-01T00:10:00.000Z');
  t.equal((await one.send('POST', '/v1/operator-keys')).status, 201);
});

t.test('another operator’s key confirms nothing, and nothing confirms an ended sign-in', async (t) => {
  const { app, one } = await signedIn(t);
  const other = (await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data.key;
  t.equal((await one.send('POST', '/console/confirm', { key: other })).status, 401);
  app.clock.advance(30 * 60_000);
  t.equal((await one.send('POST', '/console/confirm', { key: adminKey })).status, 401);
});

t.test('a revoked key ends its sign-ins at once', async (t) => {
  const app = await startApp(t);
  const { id, key } = (await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data;
  const one = visitor(app);
  await one.send('POST', '/console/sign-in', { key });
  t.equal((await one.send('GET', '/v1/policies')).status, 200);
  await app.call(adminKey, 'POST', `/v1/operator-keys/${id}/revoke`);
  t.equal((await one.send('GET', '/v1/policies')).status, 401);
  t.equal((await one.send('POST', '/console/confirm', { key })).status, 401);
});

t.test(
  'signing out ends the sign-in, not only the cookie, and signing in anew ends the one before',
  async (t) => {
    const { app, one } = await signedIn(t);
    const again = visitor(app);
    again.cookie = one.cookie;
    await again.send('POST', '/console/sign-in', { key: adminKey });
    t.not(again.cookie, one.cookie);
    t.equal((await one.send('GET', '/v1/policies')).status, 401);
    const { cookie } = again;
    const out = await again.send('POST', '/console/sign-out');
    t.equal(out.status, 204);
    t.match(String(out.headers['set-cookie']), /^assize-console=; .*Max-Age=0$/);
    again.cookie = cookie;
    t.equal((await again.send('GET', '/v1/policies')).status, 401);
    t.equal((await visitor(app).send('POST', '/console/sign-out')).status, 204, 'nobody is signed in');
  },
);

t.test('a link signs in once, within ten minutes', async (t) => {
  const app = await startApp(t);
  const [link, late] = [
    await app.services.signIns.createLink(adminKey),
    await app.services.signIns.createLink(adminKey),
  ];
  const one = visitor(app);
  t.equal((await one.send('POST', '/console/sign-in', { link })).status, 200);
  t.equal((await one.send('GET', '/v1/policies')).status, 200);
  t.equal((await visitor(app).send('POST', '/console/sign-in', { link })).status, 401);
  app.clock.advance(10 * 60_000);
  t.equal((await visitor(app).send('POST', '/console/sign-in', { link: late })).status, 401);
});

t.test('a body that is not exactly a key or a link is refused with its field', async (t) => {
  const app = await startApp(t);
  const refused = async (url: string, body: unknown, path: string) => {
    const response = await visitor(app).send('POST', url, body);
    t.equal(response.status, 400, JSON.stringify(body));
    t.ok(
      response.body.errors.some((one: { path?: string }) => one.path === path),
      response.text,
    );
  };
  for (const field of ['key', 'link']) {
    for (const value of [1, null, '', 'x'.repeat(201), {}, []]) {
      await refused('/console/sign-in', { [field]: value }, `/${field}`);
    }
  }
  await refused('/console/sign-in', {}, '');
  await refused('/console/sign-in', { key: 'x', link: 'y' }, '');
  await refused('/console/sign-in', { key: 'x', more: 1 }, '/more');
  for (const value of [undefined, 1, null, '', 'x'.repeat(201)]) {
    await refused('/console/confirm', { key: value }, '/key');
  }
  await refused('/console/confirm', { key: 'x', more: 1 }, '/more');
  await refused('/console/sign-out', { more: 1 }, '/more');
});

t.test('guessing keys is limited by address', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '3' });
  const guess = async () => (await visitor(app).send('POST', '/console/sign-in', { key: 'x' })).status;
  t.strictSame([await guess(), await guess(), await guess(), await guess()], [401, 401, 401, 429]);
});

t.test('one key has at most fifty sign-ins', async (t) => {
  const { app, one } = await signedIn(t);
  for (let n = 0; n < 50; n++) await visitor(app).send('POST', '/console/sign-in', { key: adminKey });
  t.equal((await one.send('GET', '/v1/policies')).status, 401, 'the oldest ended');
});
