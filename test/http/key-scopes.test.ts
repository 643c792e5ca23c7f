// also on PostgreSQL

import t from 'tap';
import { type KeyScope, keyScopes } from '../../src/features/integrations/words.ts';
import { hashedKey } from '../../src/services/access/keys.ts';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { describedRoutes } from '../helpers/described-routes.ts';
import { rule } from '../helpers/policies.ts';
import { callTool, connect, initialize, send } from '../mcp/rpc.ts';
import { filled } from './bad-input/filled.ts';
import { operations } from './bad-input/operations.ts';
import { openRequestFixtures } from './bad-input/request-fixtures.ts';

/** What each route that takes the key of an integration needs; written out, not derived. */
const needed: Record<string, KeyScope> = {
  evaluate: 'evaluate',
  findAllowedTools: 'evaluate',
  seeTools: 'evaluate',
  createEvaluationSession: 'sessions:open',
  endEvaluationSession: 'sessions:end',
  readEvaluationSession: 'read',
  listEvaluationSessions: 'read',
  listEvaluations: 'read',
  readEvaluation: 'read',
  listReviews: 'read',
  readReview: 'read',
};
const gateways: readonly (readonly ['GET' | 'POST', string])[] = [
  ['POST', '/access/v1/evaluation'],
  ['POST', '/access/v1/evaluations'],
  ['POST', '/v1/guardrails/litellm/beta/litellm_basic_guardrail_api'],
  ['POST', '/request'],
  ['POST', '/response'],
  ['GET', '/v1/ext-authz/orders/1'],
  ['POST', '/v1/mcp-proxy/crm'],
];

const keyWith = async (app: TestApp, integrationId: string, ...scopes: KeyScope[]): Promise<string> => {
  const path = `/v1/integrations/${integrationId}/keys`;
  return (await app.call(adminKey, 'POST', path, { scopes })).body.data.apiKey;
};
const lacking = (scope: KeyScope) => [
  { code: 'forbidden', message: `this needs a key with the scope ${scope}` },
];

t.test('every route takes keys with its scope and refuses all others, naming the scope', async (t) => {
  const fixtures = await openRequestFixtures(t);
  const { app, ids } = fixtures;
  const routes = (await describedRoutes(app)).filter(
    ({ callers, operationId }) => (callers === 'integration' || callers === 'any') && operationId !== 'mcp',
  );
  t.strictSame(routes.map(({ operationId }) => operationId).sort(), Object.keys(needed).sort());
  for (const { operationId, method, path } of routes) {
    const { params, body, headers } = operations[operationId] ?? {};
    const scope = needed[operationId] as KeyScope;
    const others = keyScopes.filter((one) => one !== scope);
    for (const scopes of [...others.map((one) => [one]), others, [scope]]) {
      const key = await keyWith(app, ids.integrationId, ...scopes);
      const response = await app.call(key, method, filled(fixtures, path, params), body, headers);
      const name = `${operationId} with ${scopes}`;
      if (scopes.includes(scope)) {
        const opens = operationId === 'evaluate';
        t.ok(opens ? response.status === 403 : response.status < 300, `${name} ${response.text}`);
        if (opens)
          t.match(response.body.errors, [{ message: /which needs a key with the scope sessions:open/ }]);
      } else {
        t.equal(response.status, 403, name);
        t.strictSame(response.body.errors, lacking(scope), name);
      }
      await revokeAll(app, ids.integrationId);
    }
  }
});

async function revokeAll(app: TestApp, id: string): Promise<void> {
  for (const key of (await app.call(adminKey, 'GET', `/v1/integrations/${id}/keys`)).body.data) {
    if (key.revokedAt === null && key.scopes.length < keyScopes.length)
      await app.call(adminKey, 'POST', `/v1/integrations/${id}/keys/${key.id}/revoke`);
  }
}

t.test('every gateway needs the scope evaluate', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration('REST_API');
  const key = await keyWith(app, id, 'sessions:open', 'sessions:end', 'read');
  for (const [method, url] of gateways) {
    const { status, text } = await app.call(key, method, url, method === 'GET' ? undefined : {});
    t.equal(status, 403, url);
    t.match(text, 'scope evaluate', url);
  }
});

t.test('an evaluation opens a session only with the scope for it, whichever way it names one', async (t) => {
  const app = await startApp(t);
  const { id, key: full } = await app.integration('AGENT');
  const key = await keyWith(app, id, 'evaluate', 'read');
  const evaluate = (body: object, by = key) => app.call(by, 'POST', '/v1/evaluate', { input: {}, ...body });
  const refused = { status: 403, body: { errors: [{ message: /sessions:open/ }] } };
  t.match(await evaluate({}), refused);
  t.match(await evaluate({ externalSessionId: 'run 1' }), refused);
  t.equal((await app.call(full, 'GET', '/v1/evaluations')).status, 403);
  t.equal((await app.call(full, 'GET', '/v1/evaluation-sessions')).body.pagination.total, 0);
  const { sessionId } = (await evaluate({ externalSessionId: 'run 1' }, full)).body.data;
  t.match(await evaluate({ externalSessionId: 'run 1' }), { status: 200, body: { data: { sessionId } } });
  t.match(await evaluate({ sessionId }), { status: 200 });
  t.match(await evaluate({ externalSessionId: 'child', parentSessionId: sessionId }), refused);
  await app.call(full, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.match(await evaluate({ externalSessionId: 'run 1' }), refused, 'the ended one is not opened again');
});

t.test('a key whose scopes a request lacks is told so before anything is looked for', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const key = await keyWith(app, id, 'evaluate');
  const missing = '00000000-0000-4000-8000-000000000000';
  for (const url of [`/v1/reviews/${missing}`, `/v1/evaluations/${missing}`, '/v1/reviews?size=x']) {
    t.strictSame((await app.call(key, 'GET', url)).body.errors, lacking('read'), url);
  }
});

t.test('every tool of MCP needs its scope, by the plain path and through the SDK', async (t) => {
  const app = await startApp(t);
  const { id, key: full } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "held"', 'APPROVAL_REQUIRED'));
  const { structuredContent: held } = await callTool(app, full, 'evaluate', { input: { tool: 'held' } });
  const tools: Record<string, [KeyScope, object]> = {
    evaluate: ['evaluate', { input: {} }],
    start_session: ['sessions:open', {}],
    end_session: ['sessions:end', {}],
    get_session: ['read', {}],
    list_reviews: ['read', {}],
    await_review: ['read', { id: held.reviewRequestId }],
  };
  for (const [name, [scope, args]] of Object.entries(tools)) {
    const key = await keyWith(app, id, ...keyScopes.filter((one) => one !== scope));
    for (const how of [{}, { connection: '' }]) {
      const result = await callTool(app, key, name, args as Record<string, unknown>, how);
      t.match(
        result,
        {
          isError: true,
          content: [{ text: `forbidden: this needs a key with the scope ${scope}` }],
        },
        name,
      );
    }
  }
  await callTool(app, full, 'end_session');
  const key = await keyWith(app, id, 'evaluate');
  const opens = await callTool(app, key, 'evaluate', { input: {} });
  t.match(opens, { isError: true, content: [{ text: /sessions:open/ }] });
});

t.test('connections of MCP need the scopes of the session that they open and end', async (t) => {
  const app = await startApp(t);
  const { id, key: full } = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
  const narrow = await keyWith(app, id, 'evaluate', 'read');
  t.equal((await send(app, narrow, initialize())).status, 403);
  t.equal((await app.call(full, 'GET', '/v1/evaluation-sessions')).body.pagination.total, 0);
  const connection = await connect(app, full);
  const headers = { 'mcp-session-id': connection };
  t.equal((await app.call(narrow, 'DELETE', '/v1/mcp', undefined, headers)).status, 403);
  t.equal((await app.call(full, 'DELETE', '/v1/mcp', undefined, headers)).status, 204);
});

t.test('a key that is revoked while its request is on the way decides nothing', async (t) => {
  const app = await startApp(t);
  const { authentication, evaluations } = app.services;
  const { id } = await app.integration();
  const url = `/v1/integrations/${id}/keys`;
  const { id: keyId, apiKey } = (await app.call(adminKey, 'POST', url)).body.data;
  // As another process does that has not heard of what follows.
  const caller = await authentication.identify(hashedKey(apiKey), '127.0.0.1');
  if (caller?.kind !== 'integration') throw new Error('there is no caller');
  const options = { transport: 'REST', redact: false, idempotencyKey: null, text: '' } as const;
  const evaluate = () => evaluations.evaluate(caller, { input: { tool: 'a' } }, options);

  await app.policy(id, rule('tool == "b"', 'BLOCK'));
  t.match(await evaluate(), { data: { enforcementAction: 'ALLOW' } }, 'it still stands');
  t.equal((await app.call(adminKey, 'POST', `${url}/${keyId}/revoke`)).status, 200);
  await t.rejects(evaluate(), { code: 'unauthenticated' });
});
