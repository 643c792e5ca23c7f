import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { adminKey, createClock, startApp, type TestApp } from '../../helpers/app.ts';
import { type LocalProvider, startIdentityProvider } from '../../helpers/identity-provider.ts';

const host = '127.0.0.1:3000';
const ada = randomUUID();
const publicUrl = `http://${host}`;
const fromConsole = { host, 'sec-fetch-site': 'same-origin', 'x-assize-console': '1' };

const people = {
  ada: { email: 'Ada@example.com', email_verified: true },
  eve: { email: 'ada@example.com', email_verified: false },
  bob: { email: 'bob@example.com', email_verified: true },
  nameless: {},
  kim: { email: 'kim@example.com', email_verified: true },
  kelvin: { email: '\u212Aim@example.com', email_verified: true },
};

interface Browser {
  cookies: Map<string, string>;
  get(url: string, headers?: Record<string, string>): ReturnType<TestApp['call']>;
  post(url: string): ReturnType<TestApp['call']>;
}

function openBrowser(app: TestApp): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await app.call(null, method, url, undefined, { ...headers, ...(cookie && { cookie }) });
    for (const set of [response.headers['set-cookie'] ?? []].flat() as string[]) {
      const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (url, headers = fromConsole) => send('GET', url, headers),
    post: (url) => send('POST', url, fromConsole),
  };
}

interface Place {
  app: TestApp;
  provider: LocalProvider;
  /** Goes to the provider and back, and stops before the callback. Resolves with the path of the callback. */
  begin(one: Browser, login: string, query?: string): Promise<string>;
  /** The whole way. */
  signIn(one: Browser, login: string, query?: string): ReturnType<TestApp['call']>;
}

async function startPlace(t: Test, more: Record<string, string> = {}): Promise<Place> {
  const provider = await startIdentityProvider(t, publicUrl, people);
  // The time of the provider is the real one.
  const clock = createClock(Date.now());
  const app = await startApp(t, { ...provider.settings, ...more }, { clock });
  const owner = await app.store.operators.findFirstOwner();
  for (const [id, name, email] of [
    [ada, 'Ada', 'ada@example.com'],
    [randomUUID(), 'Kim', 'kim@example.com'],
  ] as const) {
    const { createdAt = 0 } = owner ?? {};
    await app.store.operators.create({
      id,
      name,
      email,
      roles: ['REVIEWER'],
      groups: [],
      entityId: null,
      createdAt,
    });
  }
  const place: Place = {
    app,
    provider,
    async begin(one, login, query = '') {
      const { status, headers } = await one.get(`/console/oidc/start${query}`);
      t.equal(status, 303);
      const { pathname, search } = await provider.signIn(headers.location, login);
      return pathname + search;
    },
    // The navigation comes from the provider: the browser says so.
    signIn: async (one, login, query) =>
      one.get(await place.begin(one, login, query), { host, 'sec-fetch-site': 'cross-site' }),
  };
  return place;
}

const failed = (reason: string): string => `/console/#sign-in-failed=${reason}`;

t.test(
  'who the provider names by a verified e-mail address acts as that operator, without a key',
  async (t) => {
    const { app, provider, signIn } = await startPlace(t);
    const one = openBrowser(app);
    t.strictSame((await one.get('/console/sign-in')).body.data, {
      identityProvider: new URL(provider.issuer).host,
    });
    const page = '/console/reviews?id=1';
    const { status, headers } = await signIn(one, 'ada', `?page=${encodeURIComponent(page)}`);
    t.equal(status, 303);
    t.equal(headers.location, page);
    t.match(headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    t.strictSame([...one.cookies.keys()], ['assize-console'], 'the cookie of the attempt is gone');
    t.match((await one.get('/v1/operators/me')).body.data, { name: 'Ada', keyId: null, roles: ['REVIEWER'] });
    t.match((await one.get('/console/signed-in')).body.data, {
      signedInWith: 'IDENTITY_PROVIDER',
      isConfirmed: false,
    });
    t.equal((await one.get('/v1/operators')).status, 403, 'the roles are those of the operator');
    t.equal((await one.post('/console/sign-out')).status, 204);
    t.equal((await one.get('/v1/operators/me')).status, 401);
    const entries = async (action: string) =>
      (await app.call(adminKey, 'GET', `/v1/audit?action=${action}`)).body.data;
    const actor = { name: 'Ada', keyId: null };
    t.match(await entries('signIn'), [{ actor, path: '/console/oidc/callback', statusCode: 303 }]);
    t.match(await entries('signOut'), [{ actor, path: '/console/sign-out', statusCode: 204 }]);
  },
);

t.test('a sign-in ends at once when its operator is disabled, and none begins', async (t) => {
  const { app, signIn } = await startPlace(t);
  const one = openBrowser(app);
  await signIn(one, 'ada');
  await app.store.operators.change(ada, { status: 'DISABLED' }, app.clock.now());
  t.equal((await one.get('/v1/operators/me')).status, 401);
  t.equal((await signIn(openBrowser(app), 'ada')).headers.location, failed('unknown'));
});

t.test('only a verified e-mail address of an operator signs in', async (t) => {
  const { app, signIn } = await startPlace(t);
  for (const [login, reason] of [
    ['eve', 'unverified'],
    ['nameless', 'unverified'],
    ['bob', 'unknown'],
    ['kelvin', 'unknown'],
  ] as const) {
    const one = openBrowser(app);
    t.equal((await signIn(one, login)).headers.location, failed(reason), login);
    t.strictSame([...one.cookies], [], login);
  }
});

t.test('an operator of another network is unknown', async (t) => {
  const { app, signIn } = await startPlace(t, { ASSIZE_OPERATOR_NETWORKS: '203.0.113.0/24' });
  t.equal((await signIn(openBrowser(app), 'ada')).headers.location, failed('unknown'));
});

t.test('nobody ends the attempt of another: a page cannot sign somebody in as somebody else', async (t) => {
  const { app, begin } = await startPlace(t);
  const [attacker, victim] = [openBrowser(app), openBrowser(app)];
  const path = await begin(attacker, 'ada');
  t.equal((await victim.get(path)).headers.location, failed('restart'), 'who began nothing');
  await begin(victim, 'bob');
  t.equal((await victim.get(path)).headers.location, failed('restart'), 'who began another one');
  t.strictSame([...victim.cookies], []);
  const started = await victim.get('/console/oidc/start', { host, 'sec-fetch-site': 'cross-site' });
  t.equal(started.headers.location, '/console/', 'another site cannot begin one');
  t.strictSame([...victim.cookies], []);
});

t.test('a forged state, a code that was used, and a response of another issuer sign nobody in', async (t) => {
  const { app, begin } = await startPlace(t);
  const one = openBrowser(app);
  const forged = (await begin(one, 'ada')).replace(/state=[^&]+/, 'state=forged');
  t.equal((await one.get(forged)).headers.location, failed('restart'));

  const path = await begin(one, 'ada');
  const attempt = one.cookies.get('assize-oidc') ?? '';
  t.equal((await one.get(path)).headers.location, '/console/');
  t.equal((await one.get(path)).headers.location, failed('restart'), 'the attempt is over');
  const replay = openBrowser(app);
  replay.cookies.set('assize-oidc', attempt);
  t.equal((await replay.get(path)).headers.location, failed('failed'), 'the provider refuses the code');

  const mixedUp = (await begin(one, 'ada')).replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example');
  t.match(mixedUp, 'evil.example');
  t.equal((await one.get(mixedUp)).headers.location, failed('failed'));
  await begin(one, 'ada');
  for (const query of ['', '?', '?error=access_denied', '?code=x&code=y', `?state=${'x'.repeat(4_000)}`]) {
    t.equal((await one.get(`/console/oidc/callback${query}`)).headers.location, failed('restart'), query);
  }
  t.notMatch(app.log.join(''), new URL(publicUrl + path).searchParams.get('code') ?? 'no code');
});

t.test('who says no at the provider is told so', async (t) => {
  const { app, provider } = await startPlace(t);
  const one = openBrowser(app);
  const { headers } = await one.get('/console/oidc/start');
  const state = new URL(headers.location).searchParams.get('state');
  const iss = encodeURIComponent(provider.issuer);
  const path = `/console/oidc/callback?error=access_denied&state=${state}&iss=${iss}`;
  t.equal((await one.get(path)).headers.location, failed('refused'));
});

t.test('signing in leads to a page of the console and nowhere else', async (t) => {
  const { app, signIn } = await startPlace(t);
  for (const page of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/console',
    '/consoles',
    '/docs',
    '/console/#sign-in=x',
    `/console/${'x'.repeat(1_000)}`,
    '/console/../../',
    '/console/%2e%2e/docs',
    '\n//evil.example',
  ]) {
    const { headers } = await signIn(openBrowser(app), 'ada', `?page=${encodeURIComponent(page)}`);
    t.equal(headers.location, '/console/', page);
  }
});

t.test(
  'signing in again as the same operator confirms the sign-in, and as another one ends it',
  async (t) => {
    const { app, signIn } = await startPlace(t);
    await app.store.operators.change(ada, { roles: ['OWNER'] }, app.clock.now());
    const one = openBrowser(app);
    await signIn(one, 'ada');
    const [token] = [...one.cookies.values()];
    const refused = await one.post('/v1/operator-keys');
    t.equal(refused.status, 403);
    t.match(refused.text, 'sign in at the identity provider again');

    await signIn(one, 'ada', '?again=1');
    t.strictSame([...one.cookies.values()], [token], 'other tabs go on');
    t.match((await one.get('/console/signed-in')).body.data, { isConfirmed: true });
    t.equal((await one.post('/v1/operator-keys')).status, 201);

    const before = openBrowser(app);
    before.cookies.set('assize-console', token ?? '');
    await signIn(one, 'kim');
    t.match((await one.get('/v1/operators/me')).body.data, { name: 'Kim' });
    t.equal((await before.get('/v1/operators/me')).status, 401);
  },
);

t.test('without the provider, and at another address, the page says what to do', async (t) => {
  const { app, provider } = await startPlace(t);
  const one = openBrowser(app);
  const elsewhere = { ...fromConsole, host: 'localhost:3000' };
  t.equal((await one.get('/console/oidc/start', elsewhere)).headers.location, failed('elsewhere'));
  await provider.close();
  t.equal((await one.get('/console/oidc/start')).headers.location, failed('unreachable'));
  t.strictSame([...one.cookies], []);
});

t.test('without the setting there is nothing to sign in at', async (t) => {
  const app = await startApp(t);
  const one = openBrowser(app);
  t.strictSame((await one.get('/console/sign-in')).body.data, { identityProvider: null });
});
