// tier: built

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const get = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url, headers });

const assetOf = (page: string): string => /src="(\/console\/assets\/main-\w+\.js)"/.exec(page)?.[1] ?? '';

t.test(
  '/ leads to the console, and every page of it is the same document under a strict policy',
  async (t) => {
    const app = await startApp(t);
    const root = await get(app, '/');
    t.equal(root.statusCode, 302);
    t.equal(root.headers.location, '/console/');
    const page = await get(app, '/console/');
    for (const url of ['/console/reviews', '/console/sessions/x?y=z']) {
      t.equal((await get(app, url)).body, page.body, url);
    }
    t.equal(
      page.headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    t.equal(page.headers['x-content-type-options'], 'nosniff');
    t.equal(page.headers['referrer-policy'], 'no-referrer');
    t.equal(page.headers['cache-control'], 'no-cache');
    t.notMatch(page.body, /https?:\/\/|<style|<script>|style="|onload/);
  },
);

t.test('files have names of their content, live for a year, and are sent compressed', async (t) => {
  const app = await startApp(t);
  const url = assetOf((await get(app, '/console/')).body);
  const plain = await get(app, url);
  t.equal(plain.statusCode, 200);
  t.equal(plain.headers['content-encoding'], undefined);
  t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  const br = await get(app, url, { 'accept-encoding': 'gzip, deflate, br' });
  t.equal(br.headers['content-encoding'], 'br');
  t.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body);
  const gzip = await get(app, url, { 'accept-encoding': 'gzip, br;q=0' });
  t.equal(gzip.headers['content-encoding'], 'gzip');
  t.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
  t.equal(br.headers.vary, 'accept-encoding');
  t.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3);
});

t.test('a page that has not changed is not sent again', async (t) => {
  const app = await startApp(t);
  const { headers } = await get(app, '/console/');
  const again = await get(app, '/console/', { 'if-none-match': String(headers.etag) });
  t.equal(again.statusCode, 304);
  t.equal(again.body, '');
});

t.test('only files of the console are served', async (t) => {
  const app = await startApp(t);
  for (const name of [
    'x.js',
    '../index.html',
    '..%2findex.html',
    '%2e%2e/%2e%2e/main.js',
    'constructor',
    '',
  ]) {
    const { statusCode, headers } = await get(app, `/console/assets/${name}`);
    t.ok(statusCode === 404 || String(headers['content-type']).startsWith('text/html'), name);
    t.notMatch(String(headers['content-type']), /javascript/);
  }
  t.equal((await app.http.inject({ method: 'POST', url: '/console/x' })).statusCode, 404);
});

t.test('turned off, there is neither page nor sign-in, and a cookie is nothing', async (t) => {
  const app = await startApp(t, { ASSIZE_CONSOLE: 'false' });
  for (const url of ['/', '/console/', '/console/signed-in', '/console/assets/x.js']) {
    t.equal((await get(app, url)).statusCode, 404, url);
  }
  const headers = { 'sec-fetch-site': 'same-origin', 'x-assize-console': '1', host: '127.0.0.1' };
  t.equal((await app.call(null, 'POST', '/console/sign-in', { key: adminKey }, headers)).status, 404);
  const signedIn = await app.services.signIns.signIn(adminKey, '127.0.0.1');
  const cookie = `assize-console=${signedIn?.token}`;
  t.equal((await app.call(null, 'GET', '/v1/policies', undefined, { ...headers, cookie })).status, 401);
});

t.test('bound to an address, it answers at no other', async (t) => {
  const app = await startApp(t, { ASSIZE_HOST: '0.0.0.0', ASSIZE_CONSOLE_HOST: '127.0.0.1' });
  await app.http.listen({ host: '0.0.0.0', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const cookie = `assize-console=${(await app.services.signIns.signIn(adminKey, '127.0.0.1'))?.token}`;
  const headers = { 'sec-fetch-site': 'same-origin', cookie, host: '127.0.0.1' };
  const statusAt = (host: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host, port, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .once('error', reject)
        .end();
    });
  for (const [path, there] of [
    ['/', 302],
    ['/console/', 200],
    ['/console/signed-in', 200],
    ['/v1/policies', 200],
  ] as const) {
    t.equal(await statusAt('127.0.0.1', path), there, path);
    t.equal(await statusAt('127.0.0.2', path), path === '/v1/policies' ? 401 : 404, path);
  }
  t.equal(await statusAt('127.0.0.2', '/health/live'), 200);
});

t.test('the API page has the marks of Assize, and no bar that loads another description', async (t) => {
  const app = await startApp(t);
  const page = await get(app, '/docs');
  t.match(page.body, '<title>Assize API</title>');
  t.match(page.body, '/docs/static/theme/favicon.svg');
  t.match((await get(app, '/docs/static/theme/assize.css')).body, '.download-url-wrapper { display: none; }');
  t.match((await get(app, '/docs/static/theme/favicon.svg')).headers['content-type'], /^image\/svg\+xml/);
});
