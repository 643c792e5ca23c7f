import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t from 'tap';
import { type Receiver, startReceiver } from './receiver.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

const run = promisify(execFile);
const program = new URL('send-once.ts', import.meta.url).pathname;

const sendOnce = async (url: string, env: Record<string, string>) => {
  const { stdout } = await run(process.execPath, [program, url], { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
};

const open = async (t: Tap, receiver: Promise<Receiver>) => {
  const opened = await receiver;
  t.teardown(() => opened.close());
  return opened;
};
type Tap = { teardown(close: () => Promise<void>): void };

t.test('trusts a private authority that Node was told of, and no unknown one', async (t) => {
  const tls = createSelfSignedCertificate();
  const file = `${t.testdir()}/authority.pem`;
  writeFileSync(file, tls.cert);
  const receiver = await open(
    t,
    startReceiver((_, response) => response.end(), tls),
  );
  const url = `https://127.0.0.1:${receiver.port}/`;
  t.same(await sendOnce(url, { NODE_EXTRA_CA_CERTS: file }), { delivered: true, status: 200 });
  t.match(await sendOnce(url, {}), { delivered: false, reason: /CERT/, permanent: false });
  t.equal(receiver.requests.length, 1, 'nothing was sent over the untrusted connection');
});

t.test('asks no proxy to dial, whatever the environment says', async (t) => {
  const proxy = await open(
    t,
    startReceiver((_, response) => response.end()),
  );
  const receiver = await open(
    t,
    startReceiver((_, response) => response.end()),
  );
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const env = {
    HTTP_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    ALL_PROXY: proxyUrl,
    NODE_USE_ENV_PROXY: '1',
  };
  t.match(await sendOnce(`http://127.0.0.1:${receiver.port}/`, env), { delivered: true });
  t.equal(proxy.connections.length, 0);
  t.equal(receiver.requests.length, 1);
});
