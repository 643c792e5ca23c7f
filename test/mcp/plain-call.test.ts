import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { callTool, modern, type Sent } from './rpc.ts';

/** Says the same as a plain header, and is the SDK's to read. */
const bySdk = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': 'application/json; charset=utf-8' },
});
const call = (name: string, args: unknown, meta = {}): Sent =>
  modern('tools/call', { name, arguments: args }, meta);
/** The SDK writes a result first. */
const isPlain = (text: string): boolean => text.startsWith('{"jsonrpc":"2.0","id":1,"result"');

t.test('a plain call is answered as the SDK answers it', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER', { contentRetention: 'full' });
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const { structuredContent: held } = await callTool(app, key, 'evaluate', {
    input: { tool: 'pay', note: '"quoted", ünï, \u2028' },
  });
  const send = ({ body, headers }: Sent) => app.call(key, 'POST', '/v1/mcp', body, headers);
  const results: Record<string, Sent> = {
    'a session': call('get_session', { sessionId: held.sessionId }),
    'a list': call('list_reviews', {}),
    'a review': call('await_review', { id: held.reviewRequestId, wait: 0 }),
  };
  const refusals: Record<string, Sent> = {
    'what a service refuses': call('get_session', { sessionId: held.evaluationRunId }),
    'what the schema refuses': call('list_reviews', { size: 'all' }),
    'a tool that is not there': call('nothing', {}),
    'a session that can be none': call('list_reviews', {}, { 'dev.assize/sessionId': 'x' }),
  };
  for (const [what, sent] of Object.entries({ ...results, ...refusals })) {
    const [plain, sdk] = [await send(sent), await send(bySdk(sent))];
    t.equal(isPlain(plain.text), what in results, what);
    t.notOk(what in results && isPlain(sdk.text), `${what}, by the SDK`);
    t.strictSame(plain.body, sdk.body, what);
    for (const header of ['content-type', 'ratelimit-limit'])
      t.equal(plain.headers[header], sdk.headers[header]);
  }
});

t.test('a call runs once, whoever words its end', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  let runs = 0;
  app.services.evaluations.evaluate = async () => {
    runs++;
    throw new Error('no words for it');
  };
  const { body, headers } = call('evaluate', { input: { tool: 'x' } });
  const response = await app.call(key, 'POST', '/v1/mcp', body, headers);
  t.equal(response.body.error.message, 'internal server error');
  t.equal(runs, 1);
});

t.test('what may have a meaning of its own is left to the SDK', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const plain = call('evaluate', { input: { tool: 'x' } });
  const { params, ...message } = plain.body as { params: object };
  const withHeader = (name: string, value: string): Sent => ({
    ...plain,
    headers: { ...plain.headers, [name]: value },
  });
  const others: Record<string, Sent> = {
    'another field of the call': { ...plain, body: { ...message, params: { ...params, task: {} } } },
    'a token of progress': call('evaluate', { input: { tool: 'x' } }, { progressToken: 1 }),
    'a name in base64': withHeader('mcp-name', `=?base64?${btoa('evaluate')}?=`),
    'spaces around a header': withHeader('mcp-method', 'tools/call '),
    'another revision': withHeader('mcp-protocol-version', '2025-11-25'),
    'a client that takes no stream': withHeader('accept', 'application/json'),
    'an envelope with a mistake': call(
      'evaluate',
      { input: { tool: 'x' } },
      { 'io.modelcontextprotocol/clientInfo': { name: 7 } },
    ),
    'a version of JSON-RPC that is none': { ...plain, body: { ...message, params, jsonrpc: '1.0' } },
  };
  for (const [what, { body, headers }] of Object.entries({ plain, ...others })) {
    const { text } = await app.call(key, 'POST', '/v1/mcp', body, headers);
    t.equal(isPlain(text), what === 'plain', what);
  }
});
