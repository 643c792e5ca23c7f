import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const inside = '192.0.2.7';
const outside = '203.0.113.5';
const proxy = '10.0.0.1';

const from = async (app: TestApp, remoteAddress: string, headers = {}, key = adminKey) =>
  app.http.inject({
    url: key === adminKey ? '/v1/operators/me' : '/v1/reviews',
    remoteAddress,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });

t.test('operators call from their networks only, and elsewhere are refused like strangers', async (t) => {
  const app = await startApp(t, { ASSIZE_OPERATOR_NETWORKS: '192.0.2.0/24, ::1' });
  const unknown = await from(app, outside, { authorization: `Bearer asz_admin_${'x'.repeat(43)}` });
  for (const address of [inside, `::ffff:${inside}`, '::1']) {
    t.equal((await from(app, address)).statusCode, 200, address);
  }
  for (const address of [outside, '192.0.3.1', '::2', '127.0.0.1']) {
    const refused = await from(app, address);
    t.equal(refused.statusCode, 401, address);
    t.equal(refused.body, unknown.body, 'to the byte');
  }
});

t.test('no header of a caller changes where it is', async (t) => {
  const app = await startApp(t, { ASSIZE_OPERATOR_NETWORKS: '192.0.2.0/24', ASSIZE_TRUST_PROXY: proxy });
  for (const headers of [
    { 'x-forwarded-for': inside },
    { 'x-real-ip': inside },
    { forwarded: `for=${inside}` },
    { 'x-client-ip': inside, 'cf-connecting-ip': inside, 'true-client-ip': inside },
  ]) {
    t.equal((await from(app, outside, headers)).statusCode, 401, JSON.stringify(headers));
  }
  t.equal((await from(app, proxy, { 'x-forwarded-for': inside })).statusCode, 200, 'the proxy says so');
  for (const forwarded of [`${inside}, ${outside}`, outside, `${inside},${outside},${proxy}`]) {
    t.equal((await from(app, proxy, { 'x-forwarded-for': forwarded })).statusCode, 401, forwarded);
  }
});

t.test('the console signs nobody in from elsewhere, and a sign-in does not travel', async (t) => {
  const app = await startApp(t, { ASSIZE_OPERATOR_NETWORKS: '192.0.2.0/24' });
  t.equal(await app.services.signIns.signIn(adminKey, outside), null);
  const link = await app.services.signIns.createLink(adminKey);
  t.equal(await app.services.signIns.signInByLink(link, outside), null);
  const { token = '' } = (await app.services.signIns.signIn(adminKey, inside)) ?? {};
  t.ok(await app.services.signIns.identify(token, inside, true));
  t.equal(await app.services.signIns.identify(token, outside, true), null);
  t.equal(await app.services.signIns.confirm(token, adminKey, outside), null);
});

t.test('integrations call from everywhere', async (t) => {
  const app = await startApp(t, { ASSIZE_OPERATOR_NETWORKS: '127.0.0.0/8' });
  const { key } = await app.integration();
  t.equal((await from(app, outside, {}, key)).statusCode, 200);
});
