import { EventEmitter, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { callTool, connect, legacy, modern, type Sent } from './rpc.ts';

interface Socketed extends TestApp {
  port: number;
  id: string;
  key: string;
}

async function listening(t: Test, env: Record<string, string> = {}): Promise<Socketed> {
  const app = await startApp(t, env);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const address = app.http.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { ...app, port: address.port, id, key };
}

function post(
  { port, key }: Socketed,
  { body, headers }: Sent,
  authorization: string | string[] = `Bearer ${key}`,
) {
  const sent = request({
    port,
    path: '/v1/mcp',
    method: 'POST',
    headers: [
      ...Object.entries(headers),
      ['host', `127.0.0.1:${port}`],
      ...[authorization].flat().map((value) => ['authorization', value]),
    ].flat(),
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify(body));
  return sent;
}

async function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(sent, 'response');
  return response;
}

/** The JSON of every event, as it comes. */
async function* events(response: IncomingMessage) {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });

async function held(app: Socketed): Promise<string> {
  await app.policy(app.id, rule('true', 'APPROVAL_REQUIRED'));
  return (await callTool(app, app.key, 'evaluate', { input: {} })).structuredContent.reviewRequestId;
}

t.test('of two Authorization headers none counts', async (t) => {
  const app = await listening(t);
  const good = `Bearer ${app.key}`;
  t.equal((await responseOf(post(app, modern('tools/list'), [good, good]))).statusCode, 401);
  t.equal((await responseOf(post(app, modern('tools/list'), [good]))).statusCode, 200);
});

t.test('who asked for progress hears of it while a review waits, in both eras', async (t) => {
  const app = await listening(t);
  const id = await held(app);
  const params = { name: 'await_review', arguments: { id } };
  const connection = await connect(app, app.key);
  const waiting = [
    modern('tools/call', params, { progressToken: 'p' }),
    legacy('tools/call', { ...params, _meta: { progressToken: 'p' } }, connection),
  ].map(async (sent) => events(await responseOf(post(app, sent))));
  const streams = await Promise.all(waiting);
  for (const stream of streams) {
    const { value } = await stream.next();
    t.match(value, {
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 0, total: 20, message: 'waiting for a human to decide' },
    });
  }
  await app.call(adminKey, 'POST', `/v1/reviews/${id}/approve`);
  for (const stream of streams) {
    const { value } = await stream.next();
    t.match(value.result.structuredContent, { id, status: 'APPROVED' });
  }
});

t.test('who goes away waits no more, in both eras, whether or not a stream had begun', async (t) => {
  const app = await listening(t);
  const id = await held(app);
  const connection = await connect(app, app.key);
  const { reviews } = app.services;
  const wait = reviews.await;
  const params = { name: 'await_review', arguments: { id } };
  const meta = { progressToken: 'p' };
  for (const [name, sent, streams] of [
    ['now, with progress', modern('tools/call', params, meta), true],
    ['now, without', modern('tools/call', params), false],
    ['before, with progress', legacy('tools/call', { ...params, _meta: meta }, connection), true],
    ['before, without', legacy('tools/call', params, connection), false],
  ] as const) {
    const signals = new EventEmitter();
    const waited = once(signals, 'wait');
    const ended = once(signals, 'end');
    reviews.await = async (integrationId, review, waitMs, signal) => {
      signals.emit('wait', signal);
      const response = await wait(integrationId, review, waitMs, signal);
      signals.emit('end');
      return response;
    };
    const call = post(app, sent);
    const [signal] = await waited;
    if (streams) await events(await responseOf(call)).next();
    t.equal(signal.aborted, false, `${name}: waits`);
    call.destroy();
    await ended;
    t.equal(signal.aborted, true, `${name}: ends`);
  }
  t.equal(
    (await callTool(app, app.key, 'await_review', { id, wait: 0 })).structuredContent.status,
    'PENDING',
  );
});

t.test('an action that was sent is recorded, though the client of an older revision went away', async (t) => {
  const app = await listening(t);
  const connection = await connect(app, app.key);
  const { evaluations } = app.services;
  const evaluate = evaluations.evaluate;
  const evaluated = new Promise((recorded) => {
    evaluations.evaluate = (...asked) => {
      // It has begun: now the client goes.
      sent.destroy();
      const response = evaluate(...asked);
      recorded(response);
      return response;
    };
  });
  const sent = post(app, legacy('tools/call', { name: 'evaluate', arguments: { input: {} } }, connection));
  await evaluated;
  const session = await callTool(app, app.key, 'get_session', {}, { connection });
  t.equal(session.structuredContent.actionCount, 1);
});

t.test('a listening stream opens, and ends when its key is regenerated', async (t) => {
  const app = await listening(t);
  const other = await app.integration('MCP_SERVER');
  const ours = events(await responseOf(post(app, listen)));
  const theirs = await responseOf(post(app, listen, `Bearer ${other.key}`));
  t.match((await ours.next()).value, { method: 'notifications/subscriptions/acknowledged' });
  let open = true;
  theirs.once('close', () => {
    open = false;
  });
  await app.call(adminKey, 'POST', `/v1/integrations/${app.id}/regenerate-key`);
  await t.rejects(ours.next(), { code: 'ECONNRESET' });
  t.equal(open, true, "another's goes on");
});

t.test('the service stops though streams are open', async (t) => {
  const app = await listening(t);
  const id = await held(app);
  const listener = events(await responseOf(post(app, listen)));
  await listener.next();
  const params = { name: 'await_review', arguments: { id } };
  const waiting = events(await responseOf(post(app, modern('tools/call', params, { progressToken: 'p' }))));
  await waiting.next();
  await app.http.close();
  t.pass('closed');
});

t.test('who only waits is no load: the service goes on for others', async (t) => {
  const app = await listening(t, { ASSIZE_MAX_IN_FLIGHT: '1' });
  const id = await held(app);
  const params = { name: 'await_review', arguments: { id } };
  for (const sent of [listen, modern('tools/call', params, { progressToken: 'p' })]) {
    await events(await responseOf(post(app, sent))).next();
  }
  t.equal((await callTool(app, app.key, 'list_reviews')).structuredContent.pagination.total, 1);
});

t.test('an integration has a bounded number of streams and waits open', async (t) => {
  const app = await listening(t, { ASSIZE_MAX_WAITING: '2' });
  const id = await held(app);
  const wait = modern('tools/call', { name: 'await_review', arguments: { id } }, { progressToken: 'p' });
  const first = await responseOf(post(app, listen));
  await events(await responseOf(post(app, wait))).next();
  for (const sent of [listen, wait]) {
    const refused = await responseOf(post(app, sent));
    t.equal(refused.statusCode, 429);
    t.equal(refused.headers['retry-after'], '5');
    refused.resume();
  }
  t.equal((await callTool(app, app.key, 'list_reviews')).structuredContent.pagination.total, 1);
  first.destroy();
  for (let status = 429; status === 429; ) {
    const again = await responseOf(post(app, listen));
    status = again.statusCode ?? 0;
    if (status === 429) again.resume();
    else t.equal(status, 200, 'its place is free again');
  }
});
