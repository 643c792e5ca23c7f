import type { Test } from 'tap';
import { adminKey, madeOnce, startApp, type TestApp } from '../../helpers/app.ts';

const yaml = { 'content-type': 'application/yaml' };
const strictness = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'];

/** Each rule stops one action, by one of the things that operators manage. */
const bound = `schemaVersion: 1
name: bound
params: { most: 1 }
rules:
  - { id: by-tool, when: tool == "git.push", effect: BLOCK }
  - { id: by-effect, when: toolEffect == "DESTRUCTIVE", effect: BLOCK }
  - { id: by-list, when: 'tool == "mail" && !(input.arguments.to in lists.internal)', effect: BLOCK }
  - { id: by-param, when: tool == "pay" && input.arguments.amount > params.most, effect: BLOCK }
  - { id: by-name, when: tool == "deploy" && integration.name == "prod", effect: BLOCK }
  - { id: by-label, when: 'tool == "send" && "PRIVATE" in session.labels', effect: BLOCK }
  - { id: marks, tool: read, when: "true", label: [PRIVATE] }
  - { id: holds, when: tool == "order", effect: APPROVAL_REQUIRED }
  - { id: holds-for-finance, when: tool == "wire", effect: APPROVAL_REQUIRED, approval: { from: [finance] } }
  - { id: lends, when: tool == "lend", effect: APPROVAL_REQUIRED, approval: { grant: { same: [tool], for: 1h } } }
`;
const versionOf = (name: string, tool: string, effect: string): string => `schemaVersion: 1
name: ${name}
rules:
  - { id: the-rule, when: tool == "${tool}", effect: ${effect} }
`;

const settings = {
  ASSIZE_FOUR_EYES: 'policies,reviews',
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_RATE_LIMIT_ADDRESS: '0',
};
const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';

const managing =
  (app: TestApp) =>
  async (key: string, url: string, body?: unknown, headers = {}) => {
    const response = await app.call(key, 'POST', url, body, headers);
    if (response.status >= 300) throw new Error(`${url}: ${response.text}`);
    return response.body.data;
  };

/** Changes that Ada requests and Bob approves. */
function agreeing(app: TestApp, ada: string, bob: string) {
  const made = managing(app);
  return {
    agreed: async (change: object) =>
      made(bob, `/v1/proposals/${(await made(ada, '/v1/proposals', change)).id}/activate`),
    async policy(document: string): Promise<string> {
      const { id } = await made(ada, '/v1/policies', document, yaml);
      await made(bob, `/v1/policies/${id}/activate`);
      return id;
    },
  };
}

const acting =
  (app: TestApp, sessionId: string, apiKey: string) =>
  async (input: object, more: object = {}, key = apiKey) => {
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', { input, sessionId, ...more });
    // Refused: nothing passes.
    return status < 300 ? body.data : { enforcementAction: 'BLOCK', status };
  };

/**
 * A service under four-eyes control. Mallory is an owner who made a key of the integration; Rita is an owner who is the entity of
 * its session; Ada and Bob are others, who agreed on all that decides.
 */
async function fill(app: TestApp) {
  const made = managing(app);
  const operator = async (name: string, roles: string[], more: object = {}) => {
    const { id } = await made(adminKey, '/v1/operators', { name, roles, ...more });
    return { id, key: (await made(adminKey, '/v1/operator-keys', { operatorId: id })).key as string };
  };
  const mallory = await operator('Mallory', ['OWNER']);
  const rita = await operator('Rita', ['OWNER'], { entityId });
  const ada = await operator('Ada', ['OWNER']);
  const bob = await operator('Bob', ['OWNER']);
  const { agreed, policy } = agreeing(app, ada.key, bob.key);
  const integration = await made(mallory.key, '/v1/integrations', {
    name: 'prod',
    kind: 'AGENT',
    settings: { whenNoPolicy: 'BLOCK', unknownTools: 'BLOCK' },
  });
  const { id, apiKey } = integration;
  const tools = [
    'notes.read',
    'git.push',
    'mail',
    'pay',
    'deploy',
    'send',
    'read',
    'order',
    'wire',
    'lend',
    'house',
  ]
    .map((name) => ({ name, effect: 'READ' }))
    .concat({ name: 'wipe', effect: 'DESTRUCTIVE' });
  await agreed({ operation: 'replaceToolCatalogue', integrationId: id, tools });
  for (const description of ['first', 'changed']) {
    const listedTools = [{ name: 'listed', annotations: { readOnlyHint: true }, description }];
    await agreed({ operation: 'importTools', integrationId: id, listedTools });
  }
  const list = await made(ada.key, '/v1/lists', {
    name: 'internal',
    kind: 'DOMAINS',
    entries: ['a.example'],
  });
  const policyId = await policy(bound);
  await agreed({ operation: 'bindPolicy', integrationId: id, policyId });
  const housePolicyId = await policy(versionOf('house', 'house', 'BLOCK'));
  await agreed({ operation: 'bindHousePolicy', policyId: housePolicyId });

  const session = await made(apiKey, '/v1/evaluation-sessions', { entityId });
  const act = acting(app, session.id, apiKey);
  await act({ tool: 'read' });
  const reviews = new Map<string, string>();
  for (const tool of ['order', 'wire']) reviews.set(tool, (await act({ tool })).reviewRequestId);
  const blocked = await act({ tool: 'git.push' });
  return {
    operators: { mallory, rita, ada, bob },
    integration: { id, key: apiKey } as { id: string; key: string },
    listId: list.id as string,
    tools,
    policyId,
    housePolicyId,
    sessionId: session.id as string,
    violationId: blocked.violations[0].id as string,
    review: (tool: 'order' | 'wire'): string => reviews.get(tool) as string,
  };
}

const filled = madeOnce(async (t, database) => fill(await startApp(t, settings, { database })));

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(t: Test) {
  const { database, made: filledWith } = await filled(t);
  const app = await startApp(t, settings, { database });
  const { operators, integration, review, sessionId } = filledWith;
  const act = acting(app, sessionId, integration.key);
  const probes: Record<string, () => Promise<{ enforcementAction: string }>> = {
    'a rule on the tool': () => act({ tool: 'git.push' }),
    'a rule on what the tool does': () => act({ tool: 'wipe' }),
    'a rule that reads a list': () => act({ tool: 'mail', arguments: { to: 'evil.example' } }),
    'a rule that reads a param': () => act({ tool: 'pay', arguments: { amount: 5 } }),
    'a rule on the name of the integration': () => act({ tool: 'deploy' }),
    'a rule on a label': () => act({ tool: 'send' }),
    'a house policy': () => act({ tool: 'house' }),
    'a tool that is not in the catalogue': () => act({ tool: 'no-such-tool' }),
    'a tool that is held because its server changed it': () => act({ tool: 'listed' }),
    'a held action': () => act({ tool: 'order' }, { reviewRequestId: review('order') }),
    'an action held for a group': () => act({ tool: 'wire' }, { reviewRequestId: review('wire') }),
  };
  /** What each probe gets. */
  async function decisions(): Promise<Record<string, string>> {
    const got: Record<string, string> = {};
    for (const [name, probe] of Object.entries(probes)) got[name] = (await probe()).enforcementAction;
    return got;
  }
  /** Every call of an attempt. */
  const calls: { method: string; url: string; status: number; text: string }[] = [];
  const call: TestApp['call'] = async (key, method, url, body, headers) => {
    const response = await app.call(key, method, url, body, headers);
    calls.push({ method, url, status: response.status, text: response.text });
    return response;
  };
  return {
    app,
    calls,
    call,
    /** As Mallory. */
    as: (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: string,
      body?: unknown,
      headers?: object,
    ) => call(operators.mallory.key, method, url, body, { ...headers }),
    yaml,
    made: managing(app),
    ...agreeing(app, operators.ada.key, operators.bob.key),
    versionOf,
    act,
    decisions,
    entityId,
    ...filledWith,
  };
}

/** The probes that get something milder than before. */
export const loosened = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(before).filter(
    (name) => strictness.indexOf(after[name] as string) < strictness.indexOf(before[name] as string),
  );
