import t from 'tap';
import { permissions } from '../../src/services/access/permissions.ts';
import { adminKey } from '../helpers/app.ts';
import { describedRoutes } from '../helpers/described-routes.ts';
import { filled } from './bad-input/filled.ts';
import { goodDocument, operations } from './bad-input/operations.ts';
import { openRequestFixtures } from './bad-input/request-fixtures.ts';

const roles = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'] as const;

/** Who may call each route that takes the key of an operator, by the initials of `roles`; written out, not derived. */
const allowed: Record<string, string> = {
  listAudit: 'O A',
  exportAudit: 'O A',
  exportRecord: 'O A',
  readRecordKey: 'O A',
  listRecordRoots: 'O A',
  proveRecordConsistency: 'O A',
  readAuditEntry: 'O A',
  followEvents: 'O P R A RO',
  createWebhook: 'O',
  listWebhooks: 'O A',
  readWebhook: 'O A',
  changeWebhook: 'O',
  deleteWebhook: 'O',
  rotateWebhookSecret: 'O',
  testWebhook: 'O',
  redeliverDead: 'O',
  listWebhookDeliveries: 'O A',
  redeliverWebhookDelivery: 'O',
  readCurrentOperator: 'O P R A RO',
  createOperator: 'O',
  listOperators: 'O A',
  readOperator: 'O A',
  changeOperator: 'O',
  createOperatorKey: 'O',
  listOperatorKeys: 'O A',
  revokeOperatorKey: 'O',
  createIntegration: 'O',
  listIntegrations: 'O P R A RO',
  readIntegration: 'O P R A RO',
  changeIntegration: 'O',
  deleteIntegration: 'O',
  readToolCatalogue: 'O P R A RO',
  replaceToolCatalogue: 'O P',
  importTools: 'O P',
  acceptTools: 'O P',
  regenerateKey: 'O',
  listIntegrationKeys: 'O P R A RO',
  createIntegrationKey: 'O',
  rotateIntegrationKey: 'O',
  revokeIntegrationKey: 'O',
  regenerateWebhookSecret: 'O',
  createMcpServer: 'O',
  listMcpServers: 'O P R A RO',
  readMcpServer: 'O P R A RO',
  changeMcpServer: 'O',
  deleteMcpServer: 'O',
  createList: 'O P',
  listLists: 'O P R A RO',
  readList: 'O P R A RO',
  changeList: 'O P',
  deleteList: 'O P',
  listListChanges: 'O P R A RO',
  proposeChange: 'O P',
  listProposals: 'O P R A RO',
  readProposal: 'O P R A RO',
  activateProposal: 'O P',
  rejectProposal: 'O P',
  listHousePolicies: 'O P R A RO',
  bindHousePolicy: 'O P',
  unbindHousePolicy: 'O P',
  listBoundPolicies: 'O P R A RO',
  bindPolicy: 'O P',
  unbindPolicy: 'O P',
  listPolicies: 'O P R A RO',
  createPolicy: 'O P',
  readPolicy: 'O P R A RO',
  updatePolicy: 'O P',
  checkPolicy: 'O P R A RO',
  provePolicy: 'O P R A RO',
  simulatePolicies: 'O P A',
  tryPolicy: 'O P R A RO',
  listPolicyVersions: 'O P R A RO',
  readPolicyVersion: 'O P R A RO',
  comparePolicyVersions: 'O P R A RO',
  activatePolicy: 'O P',
  rollBackPolicy: 'O P',
  schedulePolicy: 'O P',
  unschedulePolicy: 'O P',
  deprecatePolicy: 'O P',
  deletePolicy: 'O P',
  listReviews: 'O P R A RO',
  readReview: 'O P R A RO',
  readReviewStatistics: 'O P R A RO',
  decideReviews: 'O R',
  claimReview: 'O R',
  releaseReview: 'O R',
  extendReview: 'O R',
  commentReview: 'O R',
  listReviewComments: 'O P R A RO',
  approveReview: 'O R',
  rejectReview: 'O R',
  endEvaluationSession: 'O R',
  removeGrant: 'O R',
  removeLabel: 'O R',
  listEvaluationSessions: 'O P R A RO',
  readEvaluationSession: 'O P R A RO',
  listEvaluations: 'O P R A RO',
  searchEvaluations: 'O P R A RO',
  listViolations: 'O P R A RO',
  countViolationsByRule: 'O P R A RO',
  readViolation: 'O P R A RO',
  acknowledgeViolation: 'O P R',
  resolveViolation: 'O P R',
  dismissViolation: 'O P R',
  registerEntity: 'O P',
  listEntities: 'O P R A RO',
  readEntity: 'O P R A RO',
  changeEntity: 'O P',
  deleteEntity: 'O P',
  readEvaluation: 'O P R A RO',
  readStats: 'O P R A RO',
};
const initials = { OWNER: 'O', POLICY_EDITOR: 'P', REVIEWER: 'R', AUDITOR: 'A', READ_ONLY: 'RO' };

t.test(
  'every role may call the routes of its permissions, and no other; a 403 names the permission',
  async (t) => {
    const fixtures = await openRequestFixtures(t);
    const { app } = fixtures;
    const keyWith = async (...given: string[]): Promise<string> => {
      const made = await app.call(adminKey, 'POST', '/v1/operators', { name: given.join(), roles: given });
      const key = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id });
      return key.body.data.key;
    };
    const keys = new Map<string, string>();
    for (const role of roles) keys.set(role, await keyWith(role));
    const routes = (await describedRoutes(app)).filter(
      ({ callers }) => callers === 'operator' || callers === 'any',
    );
    t.strictSame(routes.map(({ operationId }) => operationId).sort(), Object.keys(allowed).sort());

    for (const { operationId, method, path, permission } of routes) {
      const { params, body, document, headers } = operations[operationId] ?? {};
      t.ok(permission && permission in permissions, `${operationId} says ${permission}`);
      const ask = (key: string | undefined) =>
        app.call(
          key ?? '',
          method,
          filled(fixtures, path, params),
          document ? goodDocument.toString() : body,
          document ? { 'content-type': 'application/yaml' } : headers,
        );
      const may = allowed[operationId]?.split(' ') ?? [];
      // Refusals first: what the others do would be gone.
      for (const role of roles.toSorted(
        (a, b) => Number(may.includes(initials[a])) - Number(may.includes(initials[b])),
      )) {
        const { status, body: response } = await ask(keys.get(role));
        const name = `${role} ${operationId} ${status}`;
        if (may.includes(initials[role])) t.ok(status !== 401 && status !== 403, name);
        else {
          t.equal(status, 403, name);
          t.match(response.errors, [
            { code: 'forbidden', message: `this needs the permission ${permission}, which` },
          ]);
        }
      }
    }
  },
);

t.test('an operator with several roles may do what any of them may', async (t) => {
  const { app } = await openRequestFixtures(t);
  const made = await app.call(adminKey, 'POST', '/v1/operators', {
    name: 'n',
    roles: ['AUDITOR', 'POLICY_EDITOR'],
  });
  const { key } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id }))
    .body.data;
  t.equal((await app.call(key, 'GET', '/v1/operators')).status, 200);
  t.equal(
    (
      await app.call(key, 'POST', '/v1/policies', goodDocument.toString(), {
        'content-type': 'application/yaml',
      })
    ).status,
    201,
  );
  t.equal((await app.call(key, 'POST', '/v1/operators', { name: 'n', roles: ['OWNER'] })).status, 403);
});
