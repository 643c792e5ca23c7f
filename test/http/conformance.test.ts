import t from 'tap';
import { newId } from '../../src/services/ids.ts';
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
    const response = await app.call(...request);
    const [, method, url] = request;
    t.ok(response.status < 300, `${method} ${url} ${response.status}`);
    t.equal(conformance(method, url, response), null);
    asked.add(`${method} ${url.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}|(?<=\/)\d+(?=\/|$)/g, '{}')}`);
    return response.body?.data;
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
  await manage('POST', '/v1/policies/simulate', {});
  const { id: warning } = await manage(
    'POST',
    '/v1/policies?activate=true',
    rule('tool == "warned"', 'WARN'),
    yaml,
  );
  for (const id of [policyId, warning]) await manage('PUT', `${integration}/policies/${id}`);

  const input = { tool: 'held', to: 'ada@example.com' };
  const more = { targetKey: 't', targetMetadata: { a: [null] }, correlationId: 'c' };
  const entity = { id: made.id, name: 'n', kind: 'TEAM', owner: 'o', metadata: { a: [1] } };
  const { id: entityId } = await manage('POST', '/v1/entities', entity);
  const opened = await ask(made.apiKey, 'POST', sessions, { entityId, metadata: { a: { b: [1] } } });
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
  const waiting = `/v1/reviews/${second.reviewRequestId}`;
  t.match(await manage('POST', `${waiting}/claim`), { assignee: { name: 'owner' } });
  await manage('POST', `${waiting}/comments`, { text: 'x' });
  t.equal((await manage('GET', `${waiting}/comments`)).length, 1);
  await manage('POST', `${waiting}/extend`, { minutes: 1 });
  const bulk = { ids: [second.reviewRequestId, reviewRequestId], decision: 'REJECT', reason: 'OTHER' };
  t.match(await manage('POST', '/v1/reviews/decide', bulk), [{ decided: true }, { decided: false }]);
  const third = await evaluate({ input: { tool: 'held', third: true } });
  await manage('POST', `/v1/reviews/${third.reviewRequestId}/claim`);
  await manage('POST', `/v1/reviews/${third.reviewRequestId}/release`);
  await manage('POST', `/v1/reviews/${third.reviewRequestId}/reject`);
  await manage('GET', '/v1/reviews/stats');
  for (const key of [made.apiKey, adminKey]) {
    const reviews = await ask(key, 'GET', `/v1/reviews?sessionId=${sessionId}`);
    t.equal(reviews.length, 3);
    await ask(key, 'GET', `/v1/reviews/${reviewRequestId}?wait=1`);
  }
  const read = await ask(made.apiKey, 'GET', `${sessions}/${sessionId}`);
  t.equal(read.recentActions.length, 5);
  t.equal((await ask(made.apiKey, 'GET', `${sessions}/${sessionId}/evaluations`)).length, 5);
  await ask(made.apiKey, 'POST', `${sessions}/${sessionId}/end`);
  t.match(await ask(made.apiKey, 'GET', sessions), [{ endedAt: /Z$/ }]);
  const recorded = await manage('GET', '/v1/evaluations');
  t.equal(recorded.length, 5);
  await ask(made.apiKey, 'GET', `/v1/evaluations/${recorded[0].evaluationRunId}`);

  const [first, ...others] = await manage('GET', '/v1/violations');
  t.equal(others.length, 4);
  t.equal(first.entityId, entityId);
  const triage = (id: string, verb: string, body: object) =>
    manage('POST', `/v1/violations/${id}/${verb}`, { ...body, note: 'n' });
  t.match(await triage(first.id, 'acknowledge', {}), { triagedBy: { name: 'owner' } });
  await triage(first.id, 'resolve', { type: 'AGENT_CHANGED' });
  await triage(others[0].id, 'dismiss', { reason: 'FALSE_POSITIVE' });
  t.match(await manage('GET', `/v1/violations/${first.id}`), { resolution: 'AGENT_CHANGED', note: 'n' });
  const byRule = await manage('GET', '/v1/violations/rules');
  t.ok(byRule.some((one: { falsePositiveRate: number | null }) => one.falsePositiveRate !== null));
  t.match(await manage('GET', '/v1/entities'), [{ id: entityId, owner: 'o' }]);
  t.match(await manage('GET', `/v1/entities/${entityId}`), {
    violationCounts: { NEW: 3, RESOLVED: 1, DISMISSED: 1 },
  });
  await manage('PATCH', `/v1/entities/${entityId}`, { owner: null });
  await manage('DELETE', `/v1/entities/${entityId}`);
  for (const by of ['integration', 'policy', 'rule', 'tool', 'tag', 'entity']) {
    const [series] = await manage('GET', `/v1/stats?by=${by}`);
    t.ok(series.points.length > 0, by);
  }

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
  const agentKeys = `${integration}/keys`;
  const agentKey = await manage('POST', agentKeys, { scopes: ['read'], expiresAt: expiring.apiKeyExpiresAt });
  await ask(agentKey.apiKey, 'GET', sessions);
  const rotated = await manage('POST', `${agentKeys}/${agentKey.id}/rotate`, { overlapHours: 1 });
  await manage('POST', `${agentKeys}/${rotated.id}/revoke`);
  t.equal((await manage('GET', agentKeys)).length, 3);
  t.equal((await manage('GET', '/v1/operator-keys')).length, 3);

  t.equal((await manage('GET', `${integration}/policies`)).length, 2);
  await manage('DELETE', `${integration}/policies/${warning}`);
  await manage('PUT', `/v1/policies/${policyId}`, document, yaml);
  t.equal((await manage('GET', `/v1/policies/${policyId}/versions`)).length, 2);
  await manage('GET', `/v1/policies/${policyId}/versions/1`);
  await manage('GET', `/v1/policies/${policyId}/versions/1/diff/2`);
  await manage('GET', `/v1/policies/${policyId}`);
  t.equal((await manage('GET', '/v1/policies')).length, 3);
  await manage('POST', `/v1/policies/${policyId}/activate`, { version: 1 });
  const counting = rule('tool == "x"', 'WARN', 'counters: { calls: { over: session, within: 10m } }');
  await manage('PUT', `/v1/policies/${policyId}`, counting, yaml);
  t.match(await manage('POST', `/v1/policies/${policyId}/activate`, { version: 3 }), {
    counters: [{ name: 'calls' }],
  });
  await manage('POST', `/v1/policies/${policyId}/rollback`);
  const schedule = `/v1/policies/${policyId}/schedule`;
  const scheduled = await manage('POST', schedule, { version: 3, at: '2031-01-01T00:00:00Z' });
  t.match(scheduled, { scheduledVersion: 3, scheduledAt: /Z$/ });
  await manage('DELETE', schedule);
  const terms = { params: {}, mode: 'MONITOR' };
  t.match(await manage('PUT', `/v1/house-policies/${policyId}`, terms), terms);
  t.match(await manage('GET', '/v1/house-policies'), [{ policyId }]);
  await manage('DELETE', `/v1/house-policies/${policyId}`);
  await manage('POST', `/v1/policies/${policyId}/deprecate`);
  await manage('DELETE', `/v1/policies/${spare}`);
  t.match(await manage('POST', '/v1/policies/check', 'name: X', yaml), {
    valid: false,
    issues: [{ line: 1 }],
  });
  t.match(await manage('POST', '/v1/policies/prove', document, yaml), { comparison: null });
  const action = { document: 'name: X', given: { tool: 'held' } };
  t.match(await manage('POST', '/v1/policies/try', action), { issues: [{ line: 1 }], decision: null });
  t.match(await manage('POST', '/v1/policies/try', { ...action, document }), {
    decision: { enforcementAction: /./ },
  });
  const test = { name: 'n', given: { tool: 'held' }, expect: { enforcementAction: 'ALLOW' } };
  const failing = `${document}\ntests: [${JSON.stringify(test)}]`;
  t.match(await manage('POST', '/v1/policies/check', failing, yaml), {
    tests: [{ passed: false, message: /./ }],
  });

  const domains = { name: 'domains', kind: 'DOMAINS', description: 'd', entries: ['a.example'], note: 'n' };
  const list = `/v1/lists/${(await manage('POST', '/v1/lists', domains)).id}`;
  await manage('PATCH', list, { add: ['b.example'], remove: ['a.example'], note: 'n' });
  t.match(await manage('GET', list), { entries: ['b.example'], version: 2 });
  t.match(await manage('GET', '/v1/lists'), [{ entryCount: 1 }]);
  t.match(await manage('GET', `${list}/changes`), [{ added: ['b.example'], removed: ['a.example'] }, {}]);
  await manage('DELETE', list);

  const tools = [{ name: 'x', effect: 'READ', inputSchema: { type: 'object' } }];
  await manage('PUT', `${integration}/tools`, { tools });
  await manage('POST', `${integration}/tools/import`, { tools: [{ name: 'y', annotations: {} }] });
  const listed = {
    name: 'y',
    description: 'other',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
  const changed = await manage('POST', `${integration}/tools/import`, {
    tools: [listed, { name: ' z' }],
  });
  const accepted = changed.waiting.map(({ name, digest }: { name: string; digest: string }) => ({
    name,
    digest,
  }));
  await manage('POST', `${integration}/tools/accept`, { tools: accepted });
  t.equal((await manage('GET', `${integration}/tools`)).tools.length, 2);
  const marking = 'schemaVersion: 1\nname: marks\nrules:\n  - { id: mark, when: "true", label: [MARKED] }\n';
  const { id: marks } = await manage('POST', '/v1/policies?activate=true', marking, yaml);
  await manage('PUT', `${integration}/policies/${marks}`);
  const { id: editorId } = await manage('POST', '/v1/operators', { name: 'e', roles: ['POLICY_EDITOR'] });
  const editor = await manage('POST', '/v1/operator-keys', { operatorId: editorId });
  const proposals = '/v1/proposals';
  const propose = async (operation: string) =>
    `${proposals}/${(await manage('POST', proposals, { operation, policyId: marks, note: 'n' })).id}`;
  const agreed = await propose('bindHousePolicy');
  await manage('GET', agreed);
  await ask(editor.key, 'POST', `${agreed}/activate`);
  await ask(editor.key, 'POST', `${await propose('unbindHousePolicy')}/reject`);
  t.equal((await manage('GET', proposals)).length, 2);
  await manage('DELETE', `/v1/house-policies/${marks}`);
  const marked = await ask(made.apiKey, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.strictSame(marked.labels, ['MARKED']);
  t.match(await ask(made.apiKey, 'POST', '/v1/tools/allowed', { tools: [{ name: 'x' }] }), {
    tools: [{ name: 'x', allowed: true, reason: null }],
  });
  t.match(await ask(made.apiKey, 'POST', '/v1/tools/seen', { server: 'crm', tools: [{ name: 'x' }] }), {
    tools: [{ name: 'mcp__crm__x', allowed: true, held: false, reason: null }],
  });
  await ask(made.apiKey, 'POST', sessions, { parentSessionId: marked.sessionId });
  await manage('POST', `${sessions}/${marked.sessionId}/remove-label`, { label: 'MARKED' });
  const granting = `schemaVersion: 1
name: grants
rules:
  - { id: grant, when: tool == "granted", effect: APPROVAL_REQUIRED, approval: { grant: { uses: 2 } } }
`;
  const { id: grants } = await manage('POST', '/v1/policies?activate=true', granting, yaml);
  await manage('PUT', `${integration}/policies/${grants}`);
  const granted = { input: { tool: 'granted' }, externalSessionId: 'grants' };
  const grantedOne = await ask(made.apiKey, 'POST', '/v1/evaluate', granted);
  await manage('POST', `/v1/reviews/${grantedOne.reviewRequestId}/approve`, { once: false });
  const through = await ask(made.apiKey, 'POST', '/v1/evaluate', granted);
  t.equal((await manage('GET', `/v1/evaluations/${through.evaluationRunId}`)).grants.length, 1);
  await manage('POST', `${sessions}/${grantedOne.sessionId}/remove-grant`, { grantId: through.grants[0].id });

  await manage('PATCH', integration, { description: null });
  await manage('GET', integration);
  await manage('GET', '/v1/integrations');
  await manage('POST', `${integration}/regenerate-key`, expiring);
  await manage('POST', `${integration}/regenerate-webhook-secret`);
  await manage('DELETE', integration);

  const audited = await manage('GET', '/v1/audit');
  t.ok(audited.some((entry: { before: unknown }) => entry.before !== null));
  for (const url of [`/v1/audit/${audited[0].id}`, '/v1/audit/export']) await manage('GET', url);

  const page = await manage('GET', '/v1/record/export');
  t.ok(page.lines.length > 0);
  app.clock.advance(60_000);
  t.match(await manage('GET', '/v1/record/key'), { publicKey: /./ });
  await manage('GET', `/v1/record/export?sessionId=${sessionId}`);
  t.ok((await manage('GET', '/v1/record/roots')).length > 0);
  t.ok((await manage('GET', '/v1/record/consistency')).proof.length > 0);

  const mail = { format: 'EVENTS', url: 'http://127.0.0.1:1/', types: ['*'], minSeverity: 'LOW' };
  const sent = { name: 'n', ...mail, integrationIds: [made.id] };
  const { id: webhookId } = await manage('POST', '/v1/webhooks', sent);
  const webhook = `/v1/webhooks/${webhookId}`;
  await manage('PATCH', webhook, { integrationIds: [] });
  await manage('POST', `${webhook}/rotate-secret`);
  t.match(await manage('POST', `${webhook}/test`), { delivered: false });
  t.equal((await manage('GET', '/v1/webhooks')).length, 1);
  await manage('GET', webhook);
  await app.store.webhooks.fanOut(app.clock.now(), () => true, newId);
  for (const delivery of await manage('GET', '/v1/webhook-deliveries')) {
    const failed = { at: app.clock.now(), statusCode: 500, error: 'x', nextAttemptAt: null };
    await app.store.webhooks.recordFailed(delivery.id, failed);
    await manage('POST', `/v1/webhook-deliveries/${delivery.id}/redeliver`);
  }
  await manage('POST', `${webhook}/redeliver`);
  await manage('DELETE', webhook);
  const header = 'Authorization: Bearer secret-of-crm';
  const { id: serverId } = await manage('POST', '/v1/mcp-servers', {
    name: 'crm',
    url: 'https://crm.example/mcp',
    headers: [header],
    integrationIds: [made.id],
  });
  await manage('PATCH', `/v1/mcp-servers/${serverId}`, { toolList: 'MARK' });
  t.match(await manage('GET', `/v1/mcp-servers/${serverId}`), { headerNames: ['Authorization'] });
  t.equal((await manage('GET', '/v1/mcp-servers')).length, 1);
  await manage('DELETE', `/v1/mcp-servers/${serverId}`);
  t.ok(
    (await manage('GET', '/v1/events?after=0', undefined, { accept: 'application/json' })).events.length > 20,
  );

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
