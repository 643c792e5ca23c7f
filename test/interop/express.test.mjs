import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import express from 'express';
import { protectRoute } from '../../lib/adapters/express.js';
import { createAssizeClient, createGate } from '../../lib/client/index.js';
import { rule } from '../helpers/policies.ts';
import { startService } from './service.mjs';

test('Express: a stopped prompt and one without a decision reach no handler', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(
    id,
    rule('"EMAIL_ADDRESS" in dataTags', 'BLOCK').replace('when:', 'on: [PROMPT]\n    when:'),
  );
  await service.policy(id, rule('tool == "pay"', 'BLOCK'));
  let handled = 0;
  const app = express();
  app.use(express.json());
  for (const [path, url] of Object.entries({ '/chat': service.base, '/down': 'http://127.0.0.1:9' })) {
    const gate = createGate({ client: createAssizeClient({ url, apiKey: key, retries: 0 }) });
    const options = { session: () => ({ externalSessionId: 'c-1' }), prompt: ({ body }) => body.message };
    app.post(path, protectRoute(gate, options), async ({ assize, body }, response) => {
      handled += 1;
      // What the handler does not catch.
      if (body.message === 'pay') await assize.run({ tool: 'pay', input: {} }, () => 'paid');
      response.json({});
    });
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const post = async (path, message) => {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    });
    const text = await response.text();
    return [response.status, text.startsWith('{') ? JSON.parse(text).error : text];
  };
  assert.deepEqual(await post('/chat', 'hello'), [200, undefined]);
  assert.equal((await post('/chat', 'pay'))[0], 403);
  const [blocked, why] = await post('/chat', 'mail ada@example.com');
  assert.match(`${blocked} ${why}`, /^403 blocked by policy: /);
  const [down, reason] = await post('/down', 'hello');
  assert.match(`${down} ${reason}`, /^503 .*no decision could be made/);
  assert.equal(handled, 2);
});
