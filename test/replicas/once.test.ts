import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { operatorKey, startService } from '../durability/process.ts';
import { proveRecord } from '../durability/record.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { readStream } from '../helpers/event-stream.ts';
import { until } from '../helpers/until.ts';
import { openLink } from './link.ts';

// What has to happen once across replicas, and promptly on each: two processes on one database.

const policy = `
schemaVersion: 1
name: some-are-stopped
counters:
  limited: { over: integration, within: 1h, where: tool == "limited" }
rules:
  - { id: limited, tool: limited, when: counters.limited >= 10, effect: BLOCK }
  - { id: blocked, tool: blocked, when: "true", effect: BLOCK }
  - { id: held, tool: held, when: "true", effect: APPROVAL_REQUIRED }
`;

async function startReplicas(t: Test) {
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

async function ask(url: string, key: string, method: string, path: string, body?: object | string) {
  const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was sent the way clients do
  const { data } = (await response.json()) as any;
  return { status: response.status, data };
}

/** A receiver of webhooks, and how often each id came. */
async function startReceiver(t: Test) {
  const ids: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return { ids, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

t.test('two replicas act as one service', async (t) => {
  const {
    urls: [one, other],
    link,
    database,
    startRetention,
  } = await startReplicas(t);
  const receiver = await startReceiver(t);
  const operator = (url: string, method: string, path: string, body?: object | string) =>
    ask(url, operatorKey, method, path, body);
  const { data: integration } = await operator(one, 'POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  const { data: created } = await operator(one, 'POST', '/v1/policies?activate=true', policy);
  await operator(other, 'PUT', `/v1/integrations/${integration.id}/policies/${created.id}`, {});
  const hook = { name: 'all', format: 'EVENTS', url: receiver.url, types: ['evaluation.*'] };
  t.equal((await operator(other, 'POST', '/v1/webhooks', hook)).status, 201);
  const evaluate = (url: string, tool: string, key = integration.apiKey) =>
    ask(url, key, 'POST', '/v1/evaluate', { input: { tool } });
  const streams = await Promise.all(
    [one, other].map((url) => readStream(t, `${url}/v1/events?type=evaluation.*`, operatorKey)),
  );

  await t.test('webhooks, streams and statistics have what both decided, each once', async (t) => {
    const decided = await Promise.all(
      Array.from({ length: 20 }, (_, place) => evaluate(place % 2 ? one : other, 'blocked')),
    );
    t.ok(decided.every(({ data }) => data.enforcementAction === 'BLOCK'));
    const eventIds = (stream: (typeof streams)[number]) =>
      stream.messages.flatMap(({ id, data }) => (id && data?.type ? [String(data.id)] : []));
    const arrived = () => [receiver.ids.length, ...streams.map((stream) => eventIds(stream).length)];
    await until(arrived, (counts) => counts.every((count) => count >= 20));
    // A second delivery would come by now.
    await new Promise((pass) => setTimeout(pass, 500));
    for (const ids of [receiver.ids, ...streams.map(eventIds)])
      t.strictSame([ids.length, new Set(ids).size], [20, 20]);
    for (const url of [one, other]) {
      const { data } = await operator(url, 'GET', '/v1/stats?by=tool&unit=day');
      t.match(data, [{ name: 'blocked', evaluations: 20, blocked: 20 }]);
    }
  });

  await t.test('who waits at one replica hears of a decision at the other', async (t) => {
    const { data: held } = await evaluate(one, 'held');
    const waiting = ask(one, integration.apiKey, 'GET', `/v1/reviews/${held.reviewRequestId}?wait=20`);
    const startedAt = performance.now();
    const decision = await operator(other, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
    t.equal(decision.status, 200, JSON.stringify(decision));
    t.match(await waiting, { data: { status: 'APPROVED' } });
    t.ok(performance.now() - startedAt < 5_000, 'long before the wait is over');
  });

  await t.test('a key that is revoked at one replica decides nothing more at the other', async (t) => {
    for (let round = 0; round < 2; round++) {
      const keys = `/v1/integrations/${integration.id}/keys`;
      const { data: issued } = await operator(one, 'POST', keys, { name: `${round}` });
      const used = await Promise.all([
        evaluate(one, 'x', issued.apiKey),
        evaluate(other, 'x', issued.apiKey),
      ]);
      t.strictSame(
        used.map(({ status }) => status),
        [200, 200],
      );
      await operator(one, 'POST', `${keys}/${issued.id}/revoke`, {});
      const after = await Promise.all(Array.from({ length: 5 }, () => evaluate(other, 'x', issued.apiKey)));
      t.strictSame(
        after.map(({ status }) => status),
        Array(5).fill(401),
      );
    }
  });

  await t.test('roots of the record are signed one after another, whoever is asked', async (t) => {
    for (let round = 0; round < 2; round++) {
      await Promise.all([one, other].map((url) => evaluate(url, 'x')));
      // Each export signs a root over what was recorded before it.
      const problems = await Promise.all([one, other].map(proveRecord));
      t.strictSame(problems.flat(), []);
    }
    const roots = await Promise.all(
      [one, other].map(async (url) => (await operator(url, 'GET', '/v1/record/roots')).data),
    );
    t.strictSame(roots[0], roots[1]);
    t.ok(roots[0].length >= 2);
    t.strictSame(
      roots[0].map(({ seq }: { seq: number }) => seq),
      roots[0].map((_: object, place: number) => place + 1),
    );
  });

  await t.test(
    'a replica that is cut off from the database holds up nobody, and a limit stays exact',
    async (t) => {
      const limited = (url: string) => evaluate(url, 'limited');
      await Promise.all([one, other, one, other].map(limited));
      link.partition();
      const meanwhile = Promise.all(Array.from({ length: 6 }, () => limited(other)));
      const served = await Promise.all(Array.from({ length: 4 }, () => limited(one)));
      t.ok(served.every(({ status, data }) => status === 200 && data.enforcementAction === 'ALLOW'));
      link.heal();
      const late = await meanwhile;
      t.ok(late.every(({ status }) => status === 200 || status === 503));
      // What got 503 was not done, or its row says what it used.
      for (let more = 0; more < 6; more++) await limited(other);
      const { rows } = await database.query(
        `SELECT enforcement_action AS action, count(*)::int FROM evaluations WHERE tool = 'limited' GROUP BY 1`,
      );
      t.equal(rows.find(({ action }) => action === 'ALLOW')?.count, 10);
      const answered = late.filter(({ status }) => status === 200).length;
      const recorded = rows.reduce((total, { count }) => total + count, 0);
      t.ok(recorded >= 4 + 4 + answered + 6, 'nothing that was answered is lost');
      t.ok(recorded <= 4 + 4 + 6 + 6, 'and nothing is recorded twice');
    },
  );

  await t.test('both delete old content, each row once', async (t) => {
    await database.query(`UPDATE evaluations SET created_at = created_at - 2 * 86400000`);
    // Deleting takes a second, in which the other one looks as well.
    await database.query(`
      CREATE TABLE deletions (id uuid);
      CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO deletions VALUES (NEW.id); PERFORM pg_sleep(0.02); RETURN NEW; END $$;
      CREATE TRIGGER note_deletion AFTER UPDATE OF input ON evaluations FOR EACH ROW EXECUTE FUNCTION note_deletion()`);
    const services = await startRetention();
    const count = async (condition: string) =>
      (await database.query(`SELECT count(*)::int FROM ${condition}`)).rows[0].count as number;
    await until(
      () => count('evaluations WHERE input IS NOT NULL'),
      (left) => left === 0,
    );
    // A stop lets the step under way finish.
    await Promise.all(services.map((service) => service.stop()));
    t.equal(await count('deletions'), await count('evaluations'));
    t.equal(await count('(SELECT DISTINCT id FROM deletions) AS once'), await count('deletions'));
  });
});
