import { randomUUID } from 'node:crypto';
import { giveUpDelivery } from '../bad-input/request-fixtures.ts';
import type { Scene } from './scene.ts';

type Attempt = (scene: Scene) => Promise<unknown>;

const at = ({ integration }: Scene, rest = ''): string => `/v1/integrations/${integration.id}${rest}`;
const loose = (scene: Scene): string => scene.versionOf('bound', 'nothing', 'WARN');

/** Calls of reviews by who may have requested the action: who made a key, and who is the entity. */
const requesters = (scene: Scene, url: string, body?: object) =>
  [scene.operators.mallory, scene.operators.rita].map(({ key }) => scene.call(key, 'POST', url, body));

async function mcpServer(scene: Scene): Promise<string> {
  const sent = { name: `crm-${randomUUID()}`, url: 'http://127.0.0.1:1/' };
  return (await scene.as('POST', '/v1/mcp-servers', sent)).body.data.id;
}

async function webhook(scene: Scene): Promise<string> {
  const sent = { name: 'n', format: 'EVENTS', url: 'http://127.0.0.1:1/' };
  return (await scene.as('POST', '/v1/webhooks', sent)).body.data.id;
}
async function entity(scene: Scene): Promise<string> {
  return (await scene.as('POST', '/v1/entities', { name: 'n', kind: 'AGENT' })).body.data.id;
}
async function integrationKey(scene: Scene): Promise<string> {
  return (await scene.as('POST', at(scene, '/keys'))).body.data.id;
}
/** The same probes with a new key of the integration. */
async function actWith({ act }: Scene, key: string): Promise<void> {
  for (const tool of ['git.push', 'wipe', 'house']) {
    const { enforcementAction } = await act({ tool }, {}, key);
    if (enforcementAction !== 'BLOCK') throw new Error(`${tool} gets ${enforcementAction} with another key`);
  }
}
async function scheduled(scene: Scene): Promise<string> {
  const { id } = await scene.made(scene.operators.ada.key, '/v1/policies', loose(scene), scene.yaml);
  await scene.made(scene.operators.bob.key, `/v1/policies/${id}/schedule`, { at: '2031-01-01T00:00:00Z' });
  return id;
}

/**
 * By operationId, how one operator with all permissions tries to have an action pass that is stopped. None succeeds; what does is
 * in exceptions.ts.
 */
export const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  createPolicy: [
    (scene) => scene.as('POST', '/v1/policies?activate=true', loose(scene), scene.yaml),
    (scene) => scene.as('POST', '/v1/policies', loose(scene), scene.yaml),
  ],
  updatePolicy: [
    (scene) => scene.as('PUT', `/v1/policies/${scene.policyId}`, loose(scene), scene.yaml),
    (scene) => scene.as('PUT', `/v1/policies/${scene.housePolicyId}`, loose(scene), scene.yaml),
  ],
  activatePolicy: [
    async (scene) => {
      const { body } = await scene.as('PUT', `/v1/policies/${scene.policyId}`, loose(scene), scene.yaml);
      const version = body.data.latestVersion;
      return scene.as('POST', `/v1/policies/${scene.policyId}/activate`, { version });
    },
  ],
  schedulePolicy: [
    async (scene) => {
      const { body } = await scene.as('PUT', `/v1/policies/${scene.policyId}`, loose(scene), scene.yaml);
      const version = body.data.latestVersion;
      const sent = { version, at: new Date(scene.app.clock.now() + 1_000).toISOString() };
      await scene.as('POST', `/v1/policies/${scene.policyId}/schedule`, sent);
      scene.app.clock.advance(2_000);
    },
  ],
  rollBackPolicy: [
    async (scene) => {
      // Mallory's own version is not to come back, either.
      const { mallory, bob } = scene.operators;
      const { id } = await scene.made(mallory.key, '/v1/policies', loose(scene), scene.yaml);
      await scene.made(bob.key, `/v1/policies/${id}/activate`);
      await scene.made(bob.key, `/v1/policies/${id}/activate`);
      const url = `/v1/policies/${id}`;
      await scene.call(bob.key, 'PUT', url, scene.versionOf('x', 'late', 'BLOCK'), scene.yaml);
      await scene.made(mallory.key, `${url}/activate`, { version: 2 });
      return scene.as('POST', `${url}/rollback`, { version: 1 });
    },
  ],
  unschedulePolicy: [async (scene) => scene.as('DELETE', `/v1/policies/${await scheduled(scene)}/schedule`)],
  deprecatePolicy: [
    (scene) => scene.as('POST', `/v1/policies/${scene.policyId}/deprecate`),
    (scene) => scene.as('POST', `/v1/policies/${scene.housePolicyId}/deprecate`),
  ],
  deletePolicy: [
    (scene) => scene.as('DELETE', `/v1/policies/${scene.policyId}`),
    async (scene) => {
      // Before the first decision nothing but four-eyes control keeps it.
      const { versionOf, integration, agreed } = scene;
      const policyId = await scene.policy(versionOf('fresh', 'notes.read', 'BLOCK'));
      await agreed({ operation: 'bindPolicy', integrationId: integration.id, policyId });
      await scene.as('DELETE', `/v1/policies/${policyId}`);
      const { enforcementAction } = await scene.act({ tool: 'notes.read' });
      if (enforcementAction !== 'BLOCK') throw new Error('the policy is gone');
    },
    async (scene) => {
      const policyId = await scene.policy(scene.versionOf('fresh', 'notes.read', 'BLOCK'));
      await scene.agreed({ operation: 'bindHousePolicy', policyId });
      await scene.as('DELETE', `/v1/policies/${policyId}`, undefined, { 'if-match': '*' });
      const { enforcementAction } = await scene.act({ tool: 'notes.read' });
      if (enforcementAction !== 'BLOCK') throw new Error('the house policy is gone');
    },
    async (scene) => scene.as('DELETE', `/v1/policies/${await scheduled(scene)}`),
  ],
  checkPolicy: [(scene) => scene.as('POST', '/v1/policies/check', loose(scene), scene.yaml)],
  provePolicy: [
    (scene) => scene.as('POST', `/v1/policies/prove?policyId=${scene.policyId}`, loose(scene), scene.yaml),
  ],
  tryPolicy: [
    (scene) => scene.as('POST', '/v1/policies/try', { document: loose(scene), given: { tool: 'x' } }),
  ],
  simulatePolicies: [
    ({ as, policyId }) => as('POST', '/v1/policies/simulate', { bindings: [{ policyId, mode: 'MONITOR' }] }),
  ],
  bindPolicy: [
    (scene) => scene.as('PUT', at(scene, `/policies/${scene.policyId}`), { mode: 'MONITOR' }),
    (scene) => scene.as('PUT', at(scene, `/policies/${scene.policyId}`), { params: { most: 1_000 } }),
  ],
  unbindPolicy: [(scene) => scene.as('DELETE', at(scene, `/policies/${scene.policyId}`))],
  bindHousePolicy: [
    ({ as, housePolicyId }) => as('PUT', `/v1/house-policies/${housePolicyId}`, { mode: 'MONITOR' }),
  ],
  unbindHousePolicy: [({ as, housePolicyId }) => as('DELETE', `/v1/house-policies/${housePolicyId}`)],
  createList: [
    // In the place of the list that the policy reads.
    async ({ as, listId }) => {
      await as('DELETE', `/v1/lists/${listId}`);
      return as('POST', '/v1/lists', { name: 'internal', kind: 'DOMAINS', entries: ['evil.example'] });
    },
    ({ as }) => as('POST', '/v1/lists', { name: 'another', kind: 'DOMAINS', entries: ['evil.example'] }),
  ],
  changeList: [
    ({ as, listId }) => as('PATCH', `/v1/lists/${listId}`, { add: ['evil.example'] }),
    ({ as, listId }) => as('PATCH', `/v1/lists/${listId}`, { entries: ['evil.example'] }),
  ],
  deleteList: [({ as, listId }) => as('DELETE', `/v1/lists/${listId}`)],
  replaceToolCatalogue: [
    ...['git.push', 'wipe', 'no-such-tool'].map(
      (alias): Attempt =>
        (scene) => {
          const others = scene.tools.filter(({ name }) => name !== alias && name !== 'notes.read');
          const tools = [...others, { name: 'notes.read', effect: 'READ', aliases: [alias] }];
          return scene.as('PUT', at(scene, '/tools'), { tools });
        },
    ),
    (scene) => {
      const tools = scene.tools.map((tool) => ({ ...tool, effect: 'READ' }));
      return scene.as('PUT', at(scene, '/tools'), { tools });
    },
  ],
  importTools: [
    (scene) =>
      scene.as('POST', at(scene, '/tools/import'), {
        tools: [{ name: 'no-such-tool', annotations: { readOnlyHint: true } }],
      }),
    (scene) =>
      scene.as('POST', at(scene, '/tools/import'), {
        tools: [{ name: 'wipe', annotations: { readOnlyHint: true } }],
      }),
  ],
  acceptTools: [
    async (scene) => {
      const { waiting } = (await scene.as('GET', at(scene, '/tools'))).body.data;
      const tools = waiting.map(({ name, digest }: { name: string; digest: string }) => ({ name, digest }));
      return scene.as('POST', at(scene, '/tools/accept'), { tools });
    },
  ],
  createIntegrationKey: [
    async (scene) => actWith(scene, (await scene.as('POST', at(scene, '/keys'))).body.data.key),
  ],
  rotateIntegrationKey: [
    async (scene) => {
      const id = await integrationKey(scene);
      const { body } = await scene.as('POST', at(scene, `/keys/${id}/rotate`));
      return actWith(scene, body.data.key);
    },
  ],
  revokeIntegrationKey: [
    async (scene) => scene.as('POST', at(scene, `/keys/${await integrationKey(scene)}/revoke`)),
  ],
  regenerateKey: [
    async (scene) => actWith(scene, (await scene.as('POST', at(scene, '/regenerate-key'))).body.data.apiKey),
  ],
  regenerateWebhookSecret: [(scene) => scene.as('POST', at(scene, '/regenerate-webhook-secret'))],
  changeIntegration: [
    { whenNoPolicy: 'ALLOW' },
    { unknownTools: 'ALLOW' },
    { onSchemaMismatch: 'WARN' },
    { disabledTags: ['EMAIL_ADDRESS'] },
    { requireSession: false },
    { delegatesTo: [] },
  ]
    .map(
      (settings): Attempt =>
        (scene) =>
          scene.as('PATCH', at(scene), { settings }),
    )
    .concat(
      (scene) => scene.as('PATCH', at(scene), { name: 'test' }),
      (scene) => scene.as('PATCH', at(scene), { description: 'as before' }),
    ),
  deleteIntegration: [(scene) => scene.as('DELETE', at(scene))],
  removeLabel: [
    async (scene) => {
      const url = `/v1/evaluation-sessions/${scene.sessionId}/remove-label`;
      await Promise.all(requesters(scene, url, { label: 'PRIVATE' }));
    },
  ],
  removeGrant: [
    async (scene) => {
      const held = await scene.act({ tool: 'lend' });
      await scene.made(scene.operators.bob.key, `/v1/reviews/${held.reviewRequestId}/approve`);
      const url = `/v1/evaluation-sessions/${scene.sessionId}`;
      const { grants } = (await scene.app.call(scene.integration.key, 'GET', url)).body.data;
      await scene.as('POST', `${url}/remove-grant`, { grantId: grants[0].id });
      const { enforcementAction } = await scene.act({ tool: 'lend' });
      if (enforcementAction !== 'APPROVAL_REQUIRED') throw new Error(enforcementAction);
    },
  ],
  endEvaluationSession: [(scene) => scene.as('POST', `/v1/evaluation-sessions/${scene.sessionId}/end`)],
  approveReview: [
    (scene) => Promise.all(requesters(scene, `/v1/reviews/${scene.review('order')}/approve`)),
    (scene) => Promise.all(requesters(scene, `/v1/reviews/${scene.review('order')}/approve`, { once: true })),
  ],
  decideReviews: [
    (scene) => {
      const sent = { ids: [scene.review('order'), scene.review('wire')], decision: 'APPROVE' };
      return Promise.all(requesters(scene, '/v1/reviews/decide', sent));
    },
  ],
  rejectReview: [(scene) => scene.as('POST', `/v1/reviews/${scene.review('order')}/reject`)],
  claimReview: [(scene) => scene.as('POST', `/v1/reviews/${scene.review('order')}/claim`)],
  releaseReview: [
    async (scene) => {
      await scene.as('POST', `/v1/reviews/${scene.review('order')}/claim`);
      return scene.as('POST', `/v1/reviews/${scene.review('order')}/release`);
    },
  ],
  extendReview: [(scene) => scene.as('POST', `/v1/reviews/${scene.review('order')}/extend`, { minutes: 60 })],
  commentReview: [
    (scene) => scene.as('POST', `/v1/reviews/${scene.review('order')}/comments`, { text: 'fine' }),
  ],
  acknowledgeViolation: [({ as, violationId }) => as('POST', `/v1/violations/${violationId}/acknowledge`)],
  resolveViolation: [
    ({ as, violationId }) => as('POST', `/v1/violations/${violationId}/resolve`, { type: 'ACCEPTED' }),
  ],
  dismissViolation: [
    ({ as, violationId }) =>
      as('POST', `/v1/violations/${violationId}/dismiss`, { reason: 'FALSE_POSITIVE' }),
  ],
  registerEntity: [entity],
  changeEntity: [
    async (scene) => scene.as('PATCH', `/v1/entities/${await entity(scene)}`, { owner: 'Mallory' }),
  ],
  deleteEntity: [async (scene) => scene.as('DELETE', `/v1/entities/${await entity(scene)}`)],
  createOperator: [
    // Another operator of the same person is no second one.
    async (scene) => {
      const { call, made, operators, entityId } = scene;
      const sent = { name: 'Rita again', roles: ['OWNER'], entityId };
      const { body } = await call(operators.rita.key, 'POST', '/v1/operators', sent);
      const { key } = await made(operators.rita.key, '/v1/operator-keys', { operatorId: body.data.id });
      await call(key, 'POST', `/v1/reviews/${scene.review('order')}/approve`);
    },
  ],
  changeOperator: [
    async (scene) => {
      const { rita } = scene.operators;
      await scene.call(rita.key, 'PATCH', `/v1/operators/${rita.id}`, { entityId: null });
      await scene.call(rita.key, 'POST', `/v1/reviews/${scene.review('order')}/approve`);
    },
    async (scene) => {
      const { rita } = scene.operators;
      await scene.call(rita.key, 'PATCH', `/v1/operators/${rita.id}`, { groups: ['finance'] });
      await scene.call(rita.key, 'POST', `/v1/reviews/${scene.review('wire')}/approve`);
    },
  ],
  createOperatorKey: [
    async (scene) => {
      const { key } = (await scene.as('POST', '/v1/operator-keys')).body.data;
      await scene.call(key, 'POST', `/v1/reviews/${scene.review('order')}/approve`);
    },
  ],
  revokeOperatorKey: [
    async (scene) => {
      const { id } = (await scene.as('POST', '/v1/operator-keys')).body.data;
      return scene.as('POST', `/v1/operator-keys/${id}/revoke`);
    },
  ],
  proposeChange: [
    (scene) =>
      scene.as('POST', '/v1/proposals', {
        operation: 'unbindPolicy',
        integrationId: scene.integration.id,
        policyId: scene.policyId,
      }),
  ],
  activateProposal: [
    async (scene) => {
      const sent = { operation: 'deprecatePolicy', policyId: scene.policyId };
      const { id } = (await scene.as('POST', '/v1/proposals', sent)).body.data;
      return scene.as('POST', `/v1/proposals/${id}/activate`);
    },
  ],
  rejectProposal: [
    async (scene) => {
      const sent = { operation: 'deprecatePolicy', policyId: scene.policyId };
      const { id } = (await scene.as('POST', '/v1/proposals', sent)).body.data;
      return scene.as('POST', `/v1/proposals/${id}/reject`);
    },
  ],
  createMcpServer: [mcpServer],
  changeMcpServer: [
    async (scene) => scene.as('PATCH', `/v1/mcp-servers/${await mcpServer(scene)}`, { masks: true }),
  ],
  deleteMcpServer: [async (scene) => scene.as('DELETE', `/v1/mcp-servers/${await mcpServer(scene)}`)],
  createWebhook: [webhook],
  changeWebhook: [async (scene) => scene.as('PATCH', `/v1/webhooks/${await webhook(scene)}`, { name: 'm' })],
  deleteWebhook: [async (scene) => scene.as('DELETE', `/v1/webhooks/${await webhook(scene)}`)],
  rotateWebhookSecret: [
    async (scene) => scene.as('POST', `/v1/webhooks/${await webhook(scene)}/rotate-secret`),
  ],
  testWebhook: [async (scene) => scene.as('POST', `/v1/webhooks/${await webhook(scene)}/test`)],
  redeliverDead: [async (scene) => scene.as('POST', `/v1/webhooks/${await webhook(scene)}/redeliver`)],
  redeliverWebhookDelivery: [
    async (scene) => {
      await webhook(scene);
      const id = await giveUpDelivery(scene.app);
      return scene.as('POST', `/v1/webhook-deliveries/${id}/redeliver`);
    },
  ],
};
