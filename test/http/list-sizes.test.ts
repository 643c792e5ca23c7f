import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';

const mostBytes = 2_000_000;

async function list(t: Test, app: TestApp, key: string, url: string) {
  const { status, body, text } = await app.call(key, 'GET', url);
  t.equal(status, 200, url);
  const bytes = Buffer.byteLength(text);
  t.ok(bytes <= mostBytes, `${url}: ${bytes} bytes`);
  return body.data;
}

async function start(t: Test) {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const evaluate = (request: object) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId: body.data.id, ...request });
  return { app, id, key, sessionId: body.data.id as string, evaluate };
}

t.test('evaluations of 1 MB are listed without their content, and read with it', async (t) => {
  const { app, key, sessionId, evaluate } = await start(t);
  const big = 'a'.repeat(950_000);
  for (let n = 0; n < 8; n++) await evaluate({ input: { tool: 'write', n, big } });
  const small = (await evaluate({ input: { tool: 'write', n: 'small' } })).body.data;

  const url = `/v1/evaluation-sessions/${sessionId}/evaluations`;
  const data = await list(t, app, key, `${url}?size=200`);
  t.equal(data.length, 9);
  t.match(data[0], { evaluationRunId: small.evaluationRunId, input: { n: 'small' } });
  t.notOk('omitted' in data[0], 'an entry that fits is whole');
  t.match(data[1], { input: null, omitted: ['input'], tool: 'write', enforcementAction: 'ALLOW' });
  const [whole] = await list(t, app, key, `${url}?size=1&page=2`);
  t.equal(whole.input.big.length, big.length, 'a smaller page has room for it');
  const followed = await list(t, app, adminKey, '/v1/evaluations?size=200');
  t.equal(followed.length, 9);
  t.match(followed[0], { input: null, omitted: ['input'] });
});

t.test('what is wide beside the input is left out as well, widest first', async (t) => {
  const { app, key, sessionId, evaluate } = await start(t);
  const mails = Array.from({ length: 3_000 }, (_, n) => `ann${n}@example.com`);
  await evaluate({ input: { tool: 'x', mails }, targetMetadata: { note: 'b'.repeat(20_000) } });
  const wide = '\u{1f600}'.repeat(1_000);
  const escaped = '\u0001'.repeat(1_000);
  await evaluate({ input: { tool: wide }, targetKey: escaped, correlationId: escaped.slice(0, 255) });
  const url = `/v1/evaluation-sessions/${sessionId}/evaluations?size=200`;
  const [second, first] = await list(t, app, key, url);
  t.match(first, { input: null, detections: [], targetMetadata: null, tool: 'x' });
  t.strictSame([...first.omitted].sort(), ['detections', 'input', 'targetMetadata']);
  t.ok(second.omitted.length > 0);
  t.ok(JSON.stringify(second).length <= 10_000);
});

t.test('sessions with many long names of tools are listed by their first ones', async (t) => {
  const { app, key, sessionId, evaluate } = await start(t);
  const names = Array.from({ length: 300 }, (_, n) => String(n).padEnd(1_000, '\u4e00'));
  for (let n = 0; n < names.length; n += 100) {
    await Promise.all(names.slice(n, n + 100).map((tool) => evaluate({ input: { tool } })));
  }
  for (let n = 0; n < 25; n++) await evaluate({ input: { tool: `z${n}` } });
  const metadata = { text: '\u00e9'.repeat(8_000) };
  for (let n = 0; n < 199; n++) await app.call(key, 'POST', '/v1/evaluation-sessions', { metadata });

  const listed = await list(t, app, key, '/v1/evaluation-sessions?size=200');
  t.equal(listed.length, 200);
  t.match(listed[0], { metadata: {}, omitted: ['metadata'] });
  const one = listed.find(({ id }: { id: string }) => id === sessionId);
  t.equal(one.toolsUsedTotal, 257);
  t.equal(one.toolsUsed.length, 2, 'as many as fit');
  t.notOk('toolCounts' in one || 'attemptCounts' in one || 'recentActions' in one);
  const oldest = await list(t, app, key, '/v1/evaluation-sessions?size=10&page=20');
  t.equal(oldest.at(-1).toolsUsed.length, 20, 'the first twenty where they fit');
  const [latest] = await list(t, app, key, '/v1/evaluation-sessions?size=10');
  t.same(latest.metadata, metadata);
  const read = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.equal(Object.keys(read.body.data.toolCounts).length, 257, 'a single read has them all');
});

t.test('versions of large policies and long descriptions are listed within the limit', async (t) => {
  const app = await startApp(t);
  const document = `schemaVersion: 1\nname: large\n# ${'x'.repeat(200_000)}\nrules: [{ id: a, tool: x, when: "true", effect: WARN }]\n`;
  const yaml = { 'content-type': 'application/yaml' };
  const { body } = await app.call(adminKey, 'POST', '/v1/policies', document, yaml);
  for (let n = 0; n < 14; n++)
    await app.call(adminKey, 'PUT', `/v1/policies/${body.data.id}`, document, yaml);
  const url = `/v1/policies/${body.data.id}/versions`;
  const versions = await list(t, app, adminKey, `${url}?size=200`);
  t.equal(versions.length, 15);
  t.match(versions[0], { version: 15, document: null, omitted: ['document'] });
  t.equal((await list(t, app, adminKey, `${url}?size=5&page=2`))[0].document, document);

  const description = '\u0001'.repeat(2_000);
  for (let n = 0; n < 200; n++) {
    await app.call(adminKey, 'POST', '/v1/integrations', { name: `n${n}`, kind: 'AGENT', description });
  }
  const integrations = await list(t, app, adminKey, '/v1/integrations?size=200');
  t.match(integrations[0], { description: null, omitted: ['description'] });
  t.equal((await list(t, app, adminKey, '/v1/integrations?size=10'))[0].description, description);
});

t.test('reviews of large actions are listed without their content', async (t) => {
  const { app, id, key, sessionId, evaluate } = await start(t);
  await app.policy(
    id,
    'schemaVersion: 1\nname: hold\nrules: [{ id: r, tool: write, when: "true", effect: APPROVAL_REQUIRED }]\n',
  );
  const big = 'a'.repeat(900_000);
  for (let n = 0; n < 4; n++) await evaluate({ input: { tool: 'write', n, big }, targetKey: `t${n}` });
  for (const as of [key, adminKey]) {
    const reviews = await list(t, app, as, `/v1/reviews?sessionId=${sessionId}&size=200`);
    t.equal(reviews.length, 4);
    t.match(reviews[0], { input: null, omitted: ['input'], tool: 'write', targetKey: 't3' });
    t.equal(reviews[0].violations.length, 1);
    const read = await app.call(as, 'GET', `/v1/reviews/${reviews[0].id}`);
    t.equal(read.body.data.input.big.length, big.length, 'a single read has it');
    t.notOk('omitted' in read.body.data);
  }
});
