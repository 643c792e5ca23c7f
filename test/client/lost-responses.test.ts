import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { createAssizeClient } from '../../src/client/index.ts';
import { listeningApp } from '../helpers/listen.ts';

/** A network that delivers every request, and loses the answer of every first attempt. */
async function lossyNetwork(t: Test, to: string) {
  const delivered = new Set<string>();
  const server = createServer((incoming, reply) => {
    const { method, url, headers } = incoming;
    const id = `${method} ${url} ${headers['idempotency-key'] ?? ''}`;
    const lost = !delivered.has(id);
    delivered.add(id);
    const onward = forward(to + url, { method, headers }, (response) => {
      if (lost) return response.resume().once('end', () => reply.destroy());
      reply.writeHead(response.statusCode ?? 500, response.headers);
      return response.pipe(reply);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('what is sent again because its answer was lost counts once', async (t) => {
  const app = await listeningApp(t);
  const { key } = await app.integration();
  const url = await lossyNetwork(t, app.url);
  const client = createAssizeClient({ url, apiKey: key, retryDelayMs: 1 });

  const session = await client.sessions.start();
  await session.evaluate({ input: { tool: 'look' } });
  await session.evaluate({ input: { tool: 'look' } });
  t.match(await session.end(), { status: 'COMPLETED', actionCount: 2 });
  t.equal((await client.sessions.list()).pagination.total, 1);
});

t.test("an idempotency key of the caller's own makes two calls one", async (t) => {
  const app = await listeningApp(t);
  const client = app.client((await app.integration()).key);
  const { id } = await client.sessions.create();
  const request = { input: { tool: 'look' }, sessionId: id };
  const [one, two] = [
    await client.evaluate(request, { idempotencyKey: 'step-1' }),
    await client.evaluate(request, { idempotencyKey: 'step-1' }),
  ];
  t.strictSame(two, { ...one, replayed: true });
  t.equal((await client.sessions.get(id)).actionCount, 1);
  await t.rejects(client.evaluate({ input: {} }, { idempotencyKey: 'step-1' }), { code: 'conflict' });
});
