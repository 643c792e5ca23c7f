import type { Test } from 'tap';
import { newId } from '../../../src/services/ids.ts';
import { adminKey, madeOnce, startApp, type TestApp } from '../../helpers/app.ts';
import { openDump } from '../../helpers/database-dump.ts';
import { type Conformance, type DescribedRoute, openConformance } from '../../helpers/described-routes.ts';
import { rule } from '../../helpers/policies.ts';

export interface RequestFixtures {
  app: TestApp;
  /** Ids for the parameters of a path. */
  ids: Record<
    | 'id'
    | 'integrationId'
    | 'policyId'
    | 'sessionId'
    | 'reviewId'
    | 'operatorId'
    | 'operatorKeyId'
    | 'integrationKeyId'
    | 'auditEntryId'
    | 'evaluationId'
    | 'listId'
    | 'proposalId'
    | 'violationId'
    | 'entityId'
    | 'housePolicyId'
    | 'scheduledPolicyId'
    | 'mcpServerId'
    | 'webhookId'
    | 'webhookDeliveryId'
    // The number of a version of the policy.
    | 'version',
    string
  >;
  keys: { integration: string; operator: string };
  /** Whether anything was written since it was asked last. */
  wasWritten: () => Promise<boolean>;
  conformance: Conformance;
}

type Made = Pick<RequestFixtures, 'ids' | 'keys'>;

const env = { ASSIZE_RATE_LIMIT_INTEGRATION: '0', ASSIZE_RATE_LIMIT_ADDRESS: '0' };
const filled = madeOnce(async (t, database) => makeOneOfEverything(await startApp(t, env, { database })));

/** A service that has one of everything: an integration, a policy that holds, a session, and a review in it. */
export async function openRequestFixtures(t: Test): Promise<RequestFixtures> {
  const { database, made } = await filled(t);
  const app = await startApp(t, env, { database });
  const conformance = await openConformance(app);
  return { app, ...made, wasWritten: await watchWrites(t, app), conformance };
}

async function makeOneOfEverything(app: TestApp): Promise<Made> {
  const { id, key } = await app.integration();
  const webhook = { name: 'n', format: 'EVENTS', url: 'http://127.0.0.1:1/' };
  const { id: webhookId } = (await app.call(adminKey, 'POST', '/v1/webhooks', webhook)).body.data;
  const server = { name: 'crm', url: 'http://127.0.0.1:1/' };
  const { id: mcpServerId } = (await app.call(adminKey, 'POST', '/v1/mcp-servers', server)).body.data;
  const policyId = await app.policy(id, rule('tool == "held"', 'APPROVAL_REQUIRED'));
  const held = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'held' } });
  const { sessionId, reviewRequestId, evaluationRunId } = held.body.data;
  await app.policy(
    id,
    `schemaVersion: 1
name: marks
rules:
  - { id: mark, tool: marked, when: "true", label: [MARKED] }
`,
  );
  await app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'marked' } });
  const operator = await app.call(adminKey, 'POST', '/v1/operators', { name: 'n', roles: ['REVIEWER'] });
  const operatorKey = await app.call(adminKey, 'POST', '/v1/operator-keys');
  const integrationKey = await app.call(adminKey, 'POST', `/v1/integrations/${id}/keys`);
  const entity = await app.call(adminKey, 'POST', '/v1/entities', { name: 'n', kind: 'AGENT' });
  const list = await app.call(adminKey, 'POST', '/v1/lists', { name: 'domains', kind: 'DOMAINS' });
  const proposal = await app.call(adminKey, 'POST', '/v1/proposals', {
    operation: 'changeList',
    listId: list.body.data.id,
    add: ['example.com'],
  });
  const [housePolicyId, scheduledPolicyId] = await Promise.all(
    ['house', 'later'].map(async (name) => {
      const document = rule('false', 'WARN').replace(/^name: .*$/m, `name: ${name}`);
      const yaml = { 'content-type': 'application/yaml' };
      const made = await app.call(adminKey, 'POST', '/v1/policies', document, yaml);
      return made.body.data.id as string;
    }),
  );
  await app.call(adminKey, 'PUT', `/v1/house-policies/${housePolicyId}`);
  await app.call(adminKey, 'POST', `/v1/policies/${scheduledPolicyId}/schedule`, {
    at: '2031-01-01T00:00:00Z',
  });
  const webhookDeliveryId = await giveUpDelivery(app);
  return {
    ids: {
      id,
      integrationId: id,
      policyId,
      sessionId,
      reviewId: reviewRequestId,
      operatorId: operator.body.data.id,
      auditEntryId: (await app.call(adminKey, 'GET', '/v1/audit')).body.data[0].id,
      operatorKeyId: operatorKey.body.data.id,
      integrationKeyId: integrationKey.body.data.id,
      evaluationId: evaluationRunId,
      listId: list.body.data.id,
      proposalId: proposal.body.data.id,
      violationId: held.body.data.violations[0].id,
      entityId: entity.body.data.id,
      housePolicyId: housePolicyId as string,
      scheduledPolicyId: scheduledPolicyId as string,
      mcpServerId,
      webhookId,
      webhookDeliveryId,
      version: '1',
    },
    keys: { integration: key, operator: adminKey },
  };
}

export interface Sent {
  key: 'integration' | 'operator';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Bytes go as they are; anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Refused {
  status: number;
  code: string;
  /** Absent where the answer must have none. */
  path?: string;
  message: RegExp;
}

async function send({ app, keys }: RequestFixtures, { key, method, url, body, headers = {} }: Sent) {
  const bytes = Buffer.isBuffer(body);
  const response = await app.http.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${keys[key]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: bytes ? body : JSON.stringify(body) }),
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    body: isJson ? JSON.parse(response.body) : null,
    text: response.body,
  };
}

/** Asserts that the requests before this one have left no trace: once for each route, as to look takes longer than a request. */
export async function wroteNothing(
  t: Test,
  { wasWritten }: RequestFixtures,
  { method, path }: DescribedRoute,
) {
  t.notOk(await wasWritten(), `${method} ${path} writes nothing`);
}

/** Asserts that a request is refused exactly so, as the OpenAPI document says. */
export async function refuses(
  t: Test,
  fixtures: RequestFixtures,
  name: string,
  sent: Sent,
  expected: Refused,
) {
  const response = await send(fixtures, sent);
  const wrong: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted)
      wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  };
  const { success, statusCode, errors = [] } = response.body;
  expect('status', response.status, expected.status);
  expect('success', success, false);
  expect('statusCode', statusCode, expected.status);
  expect('number of errors', errors.length, 1);
  expect('code', errors[0]?.code, expected.code);
  expect('path', errors[0]?.path, expected.path);
  if (!expected.message.test(errors[0]?.message)) wrong.push(`message: ${errors[0]?.message}`);
  const drift = fixtures.conformance(sent.method, sent.url, response);
  if (drift) wrong.push(drift);
  t.strictSame(wrong, [], `${sent.method} ${sent.url.slice(0, 120)}: ${name}`);
}

async function watchWrites(t: Test, app: TestApp): Promise<() => Promise<boolean>> {
  const dump = await openDump(t, app.database);
  let last = await dump();
  return async () => {
    const before = last;
    last = await dump();
    return last !== before;
  };
}

/** A dead letter. */
export async function giveUpDelivery({ store, clock, call }: TestApp): Promise<string> {
  await store.webhooks.fanOut(clock.now(), () => true, newId);
  const { id } = (await call(adminKey, 'GET', '/v1/webhook-deliveries')).body.data[0];
  await store.webhooks.recordFailed(id, {
    at: clock.now(),
    statusCode: 500,
    error: 'x',
    nextAttemptAt: null,
  });
  return id;
}
