import createFastify from 'fastify';
import t, { type Test } from 'tap';
import { type Conversation, protectRoute as protectFastify } from '../../src/adapters/fastify.ts';
import { protectRoute as protectNext } from '../../src/adapters/next.ts';
import { createGate } from '../../src/client/index.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

// Routes of agents: what a person asks is evaluated before the handler runs, and its tools in the same session.

interface Asked {
  chat: string;
  message: string;
}

async function gates(t: Test) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(
    id,
    rule('"EMAIL_ADDRESS" in dataTags', 'BLOCK').replace('when:', 'on: [PROMPT]\n    when:'),
  );
  await app.policy(id, rule('tool == "pay"', 'BLOCK'));
  const client = app.client(key);
  const down = app.client(key, { url: 'http://127.0.0.1:9', retries: 0 });
  const sessions = async () => (await client.sessions.list()).data;
  /** Decides about prompts only. */
  const unsure = {
    ...client,
    evaluate: (...asked: Parameters<typeof client.evaluate>) =>
      (asked[0].phase === 'PROMPT' ? client : down).evaluate(...asked),
  };
  return {
    gate: createGate({ client }),
    down: createGate({ client: down }),
    unsure: createGate({ client: unsure }),
    sessions,
  };
}

const lookup = { tool: 'crm.lookup', input: { name: 'Ada' } };
const ran = async () => 'a customer';

async function fastifyRoute(t: Test, gate: ReturnType<typeof createGate>) {
  const server = createFastify();
  t.teardown(() => server.close());
  const preHandler = protectFastify(gate, {
    session: ({ body }: { body: unknown }) => ({ externalSessionId: (body as Asked).chat }),
    prompt: ({ body }) => (body as Asked).message,
  });
  server.post('/chat', { preHandler }, async (asked) => {
    const { assize, body } = asked as unknown as { assize: Conversation; body: Asked };
    const request = body.message.startsWith('pay') ? { ...lookup, tool: 'pay' } : lookup;
    if (body.message.endsWith('!')) return assize.run(request, ran);
    return assize.run(request, ran).catch((error: Error) => error.message);
  });
  return async (body: object) => {
    const { statusCode, body: text } = await server.inject({ method: 'POST', url: '/chat', payload: body });
    return { status: statusCode, text };
  };
}

function nextRoute(_: Test, gate: ReturnType<typeof createGate>) {
  const options = {
    session: ({ body }: { body: unknown }) => ({ externalSessionId: (body as Asked).chat }),
    prompt: ({ body }: { body: unknown }) => (body as Asked).message,
  };
  const POST = protectNext(gate, options, async ({ assize, body }) => {
    const { message } = body as Asked;
    const request = message.startsWith('pay') ? { ...lookup, tool: 'pay' } : lookup;
    if (message.endsWith('!')) return new Response(await assize.run(request, ran));
    return new Response(await assize.run(request, ran).catch((error: Error) => error.message));
  });
  return async (body: object) => {
    const response = await POST(
      new Request('http://127.0.0.1/chat', { method: 'POST', body: JSON.stringify(body) }),
      {},
    );
    return { status: response.status, text: await response.text() };
  };
}

for (const [name, route] of Object.entries({ Fastify: fastifyRoute, Next: nextRoute })) {
  t.test(`${name}: evaluates what a person asks, and the tools of the handler, in one session`, async (t) => {
    const { gate, sessions } = await gates(t);
    const post = await route(t, gate);
    t.strictSame(await post({ chat: 'c-1', message: 'Is Ada a customer?' }), {
      status: 200,
      text: 'a customer',
    });
    t.match(await post({ chat: 'c-1', message: 'pay' }), { status: 200, text: /blocked by policy/ });
    const refused = await post({ chat: 'c-1', message: 'mail ada@example.com' });
    t.match(refused, { status: 403, text: /"error":"blocked by policy: / });
    const [session, ...others] = await sessions();
    t.equal(others.length, 0);
    t.match(session, { externalSessionId: 'c-1', actionCount: 2 });
  });

  t.test(
    `${name}: a stopped action that the handler does not catch is no failure of the server`,
    async (t) => {
      const { gate, unsure } = await gates(t);
      const stopped = await (await route(t, gate))({ chat: 'c-1', message: 'pay!' });
      t.match(stopped, { status: 403, text: /blocked by policy/ });
      const undecided = await (await route(t, unsure))({ chat: 'c-1', message: 'look!' });
      t.match(undecided, { status: 503, text: /no decision could be made/ });
    },
  );

  t.test(`${name}: runs no handler without a decision`, async (t) => {
    const { down } = await gates(t);
    const post = await route(t, down);
    t.match(await post({ chat: 'c-1', message: 'hi' }), { status: 503, text: /no decision could be made/ });
  });
}

t.test('Next: refuses a body that is not JSON', async (t) => {
  const { gate } = await gates(t);
  const POST = protectNext(gate, { session: () => ({}), prompt: () => 'x' }, () => new Response('ran'));
  const response = await POST(new Request('http://127.0.0.1/', { method: 'POST', body: '{' }), {});
  t.equal(response.status, 400);
});
