// also on PostgreSQL

import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { openDump } from '../helpers/database-dump.ts';
import { callTool } from '../mcp/rpc.ts';

const filler = 'one line of an ordinary report without anything to find in it. '.repeat(1_600);
const policy = `
schemaVersion: 1
name: case-numbers
detectors:
  - { tag: CASE_NUMBER, category: CONFIDENTIAL, pattern: 'CN-[0-9]{6}' }
rules:
  - id: case-number-outside
    when: '"CASE_NUMBER" in dataTags'
    effect: BLOCK
    severity: HIGH
`;
const inputOf = (text: string, size: 'small' | 'large') => ({
  tool: 'mail.send',
  text: `${size === 'large' ? filler : ''}${text}`,
  to: 'ada@example.com',
});

t.test('a request over 64 KB is decided and kept as a small one, over REST and MCP', async (t) => {
  const app = await startApp(t);
  for (const kind of ['REST_API', 'MCP_SERVER'] as const) {
    const { id, key } = await app.integration(kind);
    await app.policy(id, policy);
    for (const [text, action] of [
      ['nothing', 'ALLOW'],
      ['CN-123456', 'BLOCK'],
    ] as const) {
      for (const size of ['small', 'large'] as const) {
        const body = { input: inputOf(text, size), targetMetadata: { owner: 'bob@example.com' } };
        const response =
          kind === 'REST_API'
            ? (await app.call(key, 'POST', '/v1/evaluate?redact=true', body)).body.data
            : (await callTool(app, key, 'evaluate', { ...body, redact: true })).structuredContent;
        t.equal(response.enforcementAction, action, `${kind} ${size} ${text}`);
        t.ok(response.dataTags.includes('EMAIL_ADDRESS'));
        t.equal(response.redactedInput.to, '[EMAIL_ADDRESS]');
        t.equal(
          response.redactedInput.text.length,
          inputOf(text, size).text.length + (action === 'BLOCK' ? 4 : 0),
        );
      }
    }
  }
});

t.test('large requests of many callers are all decided, a detector changed meanwhile included', async (t) => {
  const app = await startApp(t);
  const callers = await Promise.all([1, 2, 3].map(() => app.integration()));
  const first = callers[0]?.key ?? '';
  // Starts the thread: on a busy machine that takes longer than many scans, which have 10 s.
  await app.call(first, 'POST', '/v1/evaluate', { input: inputOf('', 'large') });
  const decisions = callers.flatMap(({ key }) =>
    Array.from({ length: 2 }, () =>
      app.call(key, 'POST', '/v1/evaluate', { input: inputOf('CN-123456', 'large') }),
    ),
  );
  for (const { id } of callers) await app.policy(id, policy);
  for (const { status, body } of await Promise.all(decisions)) {
    t.equal(status, 200);
    t.match(body.data.enforcementAction, /^(ALLOW|BLOCK)$/);
  }
  for (const { key } of callers) {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: inputOf('CN-123456', 'large') });
    t.equal(body.data.enforcementAction, 'BLOCK');
  }
});

t.test('a large request that cannot be scanned is not decided and not recorded', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const dump = await openDump(t, app.database);
  const before = await dump();
  await app.services.scanPool.close();
  const { status, body } = await app.call(key, 'POST', '/v1/evaluate', { input: inputOf('x', 'large') });
  t.equal(status, 500);
  t.equal(body.errors[0].code, 'internal');
  t.equal(await dump(), before);
  const small = await app.call(key, 'POST', '/v1/evaluate', { input: inputOf('x', 'small') });
  t.equal(small.status, 200);
});
