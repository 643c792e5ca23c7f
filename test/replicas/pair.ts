import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { openLink } from './link.ts';

/** Two replicas in processes of their own, started at once on one empty PostgreSQL server. */
export async function startPair(t: Test) {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  const recordKey = join(temporaryFolder(t), 'record-key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(recordKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const env = {
    ASSIZE_RECORD_KEY_FILE: recordKey,
    ASSIZE_SECRETS_KEY: randomBytes(32).toString('base64'),
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
  };
  const link = await openLink(server.port);
  t.teardown(() => link.close());
  const start = async (port: number, more = {}) => {
    const address = `postgres://assize@127.0.0.1:${port}/postgres`;
    const service = await startService(address, { env: { ...env, ...more } });
    t.teardown(() => service.kill());
    return service;
  };
  const database = new pg.Client(server.address);
  await database.connect();
  t.teardown(() => database.end());
  // Both at once: one migrates the database, and the other one waits for it.
  const services = await Promise.all([start(server.port), start(link.port)]);
  return {
    urls: services.map(({ url }) => url) as [string, string],
    /** The way of the second one to the database. */
    link,
    database,
    /** Replaces both, which then delete the content of earlier days. */
    async startRetention() {
      await Promise.all(services.map((service) => service.kill()));
      const more = { ASSIZE_RETENTION_DAYS: '1' };
      return Promise.all([start(server.port, more), start(server.port, more)]);
    },
  };
}

export async function ask(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object | string,
  more: Record<string, string> = {},
) {
  const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }), ...more },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was sent the way clients do
  const { data } = (await response.json()) as any;
  return { status: response.status, data };
}

/** A receiver of webhooks or callbacks, and how often each id came. */
export async function startReceiver(t: Test) {
  const ids: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return { ids, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
