// also on PostgreSQL

import { hash } from 'node:crypto';
import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { openDump } from '../helpers/database-dump.ts';
import { listen } from '../helpers/raw-http.ts';

const sessions = '/v1/evaluation-sessions';

t.test(
  'an Idempotency-Key that is empty, too long or doubled is refused, and nothing is written',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration();
    const { id } = (await app.call(key, 'POST', sessions)).body.data;
    const dump = await openDump(t, app.database);
    const { exchange } = await listen(t, app);
    const characters = 'the Idempotency-Key header must have 1 to 255 characters';
    const once = 'the Idempotency-Key header must be sent once';
    const cases: [string, string, string][] = [
      ['empty', 'idempotency-key:\r\n', characters],
      ['blank', 'idempotency-key:   \r\n', characters],
      ['256 characters', `idempotency-key: ${'k'.repeat(256)}\r\n`, characters],
      ['two', 'idempotency-key: a\r\nidempotency-key: b\r\n', once],
      ['the same twice', 'idempotency-key: a\r\nIdempotency-Key: a\r\n', once],
      ['one and an empty one', 'idempotency-key: a\r\nidempotency-key:\r\n', once],
    ];
    for (const url of [sessions, `${sessions}/${id}/end`, '/v1/evaluate']) {
      const body = url === '/v1/evaluate' ? '{"input":{}}' : '{}';
      const request = (headers: string) =>
        `POST ${url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const before = await dump();
      for (const [name, headers, message] of cases) {
        const response = await exchange(request(headers));
        t.strictSame(
          response.body,
          { success: false, statusCode: 400, errors: [{ code: 'invalid', message }] },
          `${url} ${name}`,
        );
        t.equal(await dump(), before, `${url} ${name}: nothing was written`);
      }
      t.match(await exchange(request(`idempotency-key: ${'k'.repeat(248)}${url.slice(-7)}\r\n`)), {
        status: /^20[01]$/,
      });
    }
  },
);

t.test('an Idempotency-Key is stored as its SHA-256 alone', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const sent = 'order-4712-of-ada';
  const { status } = await app.call(key, 'POST', '/v1/evaluate', { input: {} }, { 'idempotency-key': sent });
  t.equal(status, 200);
  const stored = await (await openDump(t, app.database))();
  t.ok(stored.includes(hash('sha256', sent)));
  t.notOk(stored.includes(sent));
});
