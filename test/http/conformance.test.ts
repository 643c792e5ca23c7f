import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import { describedRoutes, openConformance } from '../helpers/described-routes.ts';
import { rule } from '../helpers/policies.ts';

const sessions = '/v1/evaluation-sessions';
const yaml = { 'content-type': 'application/yaml' };

t.test('every route answers what the OpenAPI document says, with every field filled', async (t) => {
  const app = await startApp(t);
  const conformance = await openConformance(app);
  const asked = new Set<string>();
  const ask = async (...request: Parameters<typeof app.call>) => {
    const answer = await app.call(...request);
    const [, method, url] = request;
    t.ok(answer.status < 300, `${method} ${url} ${answer.status}`);
    t.equal(conformance(method, url, answer), null);
    asked.add(`${method} ${url.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, '{}')}`);
    return answer.body?.data;
  };
  const manage = (
    ...[method, url, body, headers]: Parameters<typeof app.call> extends [unknown, ...infer R] ? R : never
  ) => ask(adminKey, method, url, body, headers);

  for (const url of ['/health/live', '/health/ready']) await ask(null, 'GET', url);
  const expiring = { apiKeyExpiresAt: '2031-01-01T00:00:00Z' };
  const made = await manage('POST', '/v1/integrations', {
    ...expiring,
    name: 'n',
    kind: 'AGENT',
    description: 'd',
    settings: {
      contentRetention: 'full',
      disabledTags: ['US_SSN'],
      enabledTags: ['URL'],
      requestsPerMinute: 9_000,
    },
  });
  const integration = `/v1/integrations/${made.id}`;
  const document = rule('tool == "held"', 'APPROVAL_REQUIRED', 'onError: WARN');
  const { id: policyId } = await manage('POST', '/v1/policies?activate=true', document, yaml);
  const { id: spare } = await manage('POST', '/v1/policies', document, yaml);
  const { id: warning } = await manage(
    'POST',
    '/v1/policies?activate=true',
    rule('tool == "warned"', 'WARN'),
    yaml,
  );
  for (const id of [policyId, warning]) await manage('PUT', `${integration}/policies/${id}`);

  const input = { tool: 'held', to: 'ada@example.com' };
  const more = { targetKey: 't', targetMetadata: { a: [null] }, correlationId: 'c' };
  const opened = await ask(made.apiKey, 'POST', sessions, { entityId: made.id, metadata: { a: { b: [1] } } });
  const sessionId = opened.id;
  const evaluate = (body: object) =>
    ask(made.apiKey, 'POST', '/v1/evaluate?redact=true', { ...more, sessionId, ...body });
  const held = await evaluate({ input, callbackUrl: 'https://example.com/x' });
  const { reviewRequestId } = held;
  t.ok(reviewRequestId && held.redactedInput && held.violations.length === 1);
  await manage('POST', `/v1/reviews/${reviewRequestId}/approve`, { comment: 'good' });
  const used = await evaluate({ input, reviewRequestId });
  t.match(used, { enforcementAction: 'ALLOW', approval: { applied: true } });
  await evaluate({ input: { tool: 'warned' } });
  const second = await evaluate({ input: { tool: 'held' } });
  await manage('POST', `/v1/reviews/${second.reviewRequestId}/reject`);
  for (const key of [made.apiKey, adminKey]) {
    const reviews = await ask(key, 'GET', `/v1/reviews?sessionId=${sessionId}`);
    t.equal(reviews.length, 2);
    await ask(key, 'GET', `/v1/reviews/${reviewRequestId}?wait=1`);
  }
  const read = await ask(made.apiKey, 'GET', `${sessions}/${sessionId}`);
  t.equal(read.recentActions.length, 4);
  t.equal((await ask(made.apiKey, 'GET', `${sessions}/${sessionId}/evaluations`)).length, 4);
  await ask(made.apiKey, 'POST', `${sessions}/${sessionId}/end`);
  t.match(await ask(made.apiKey, 'GET', sessions), [{ endedAt: /Z$/ }]);
  const recorded = await manage('GET', '/v1/evaluations');
  t.equal(recorded.length, 4);
  await ask(made.apiKey, 'GET', `/v1/evaluations/${recorded[0].evaluationRunId}`);
  const person = { name: 'n', email: 'a@b', roles: ['AUDITOR'], groups: ['g'], entityId: made.id };
  const { id: operatorId } = await manage('POST', '/v1/operators', person);
  await manage('PATCH', `/v1/operators/${operatorId}`, { email: null, entityId: null });
  const limited = { operatorId, name: 'k', expiresAt: '2031-01-01T00:00:00Z', ipRanges: ['10.0.0.0/8'] };
  await manage('POST', '/v1/operator-keys', limited);
  t.match(await manage('GET', `/v1/operators/${operatorId}`), { keys: [{ name: 'k' }] });
  t.equal((await manage('GET', '/v1/operators')).length, 2);
  await manage('GET', '/v1/operators/me');
  const { id: keyId } = await manage('POST', '/v1/operator-keys');
  await manage('POST', `/v1/operator-keys/${keyId}/revoke`);
  t.equal((await manage('GET', '/v1/operator-keys')).length, 3);

  t.equal((await manage('GET', `${integration}/policies`)).length, 2);
  await manage('DELETE', `${integration}/policies/${warning}`);
  await manage('PUT', `/v1/policies/${policyId}`, document, yaml);
  t.equal((await manage('GET', `/v1/policies/${policyId}/versions`)).length, 2);
  await manage('GET', `/v1/policies/${policyId}`);
  t.equal((await manage('GET', '/v1/policies')).length, 3);
  await manage('POST', `/v1/policies/${policyId}/activate`, { version: 1 });
  await manage('POST', `/v1/policies/${policyId}/deprecate`);
  await manage('DELETE', `/v1/policies/${spare}`);
  t.match(await manage('POST', '/v1/policies/check', 'name: X', yaml), {
    valid: false,
    issues: [{ line: 1 }],
  });
  const test = { name: 'n', given: { tool: 'held' }, expect: { enforcementAction: 'ALLOW' } };
  const failing = `${document}\ntests: [${JSON.stringify(test)}]`;
  t.match(await manage('POST', '/v1/policies/check', failing, yaml), {
    tests: [{ passed: false, message: /./ }],
  });

  await manage('PATCH', integration, { description: null });
  await manage('GET', integration);
  await manage('GET', '/v1/integrations');
  await manage('POST', `${integration}/regenerate-key`, expiring);
  await manage('POST', `${integration}/regenerate-webhook-secret`);
  await manage('DELETE', integration);

  const audited = await manage('GET', '/v1/audit');
  t.ok(audited.some((entry: { before: unknown }) => entry.before !== null));
  for (const url of [`/v1/audit/${audited[0].id}`, '/v1/audit/export']) await manage('GET', url);

  const routes = (await describedRoutes(app)).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  t.strictSame([...asked].sort(), routes.sort(), 'no route was left out');
});

t.test('an answer that drifts is noticed', async (t) => {
  const app = await startApp(t);
  const conformance = await openConformance(app);
  const check = (statusCode: number, body: object) =>
    conformance('GET', '/health/ready', { status: statusCode, body });
  const envelope = { success: true, statusCode: 200, data: { status: 'ok' } };
  t.equal(check(200, envelope), null);
  t.match(check(200, { ...envelope, extra: 1 }), /additional/);
  t.match(check(200, { ...envelope, data: {} }), /status/);
  t.match(check(200, { ...envelope, data: { status: 'ok', extra: 1 } }), /additional/);
  t.match(check(201, envelope), /describes no 201/);
  t.match(check(503, { success: false, statusCode: 503, errors: [{ message: 'x' }] }), /code/);
  t.match(conformance('GET', '/nowhere', { status: 404, body: {} }), /success/);
});
