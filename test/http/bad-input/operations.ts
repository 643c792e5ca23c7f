import { rule } from '../../helpers/policies.ts';
import { boolean, futureTime, id, integer, type Mistake, object, text, word } from './mistakes.ts';
import { email, groups, ipRanges, roles } from './operator-mistakes.ts';
import { callbackUrl, dataTags, metadata, metadataBytes } from './special-mistakes.ts';
import type { Sent, World } from './world.ts';

export interface Operation {
  key: Sent['key'];
  /** Which id stands for each parameter of the path. */
  params?: Record<string, keyof World['ids']>;
  status?: number;
  /** A good body; a route that has none takes none. */
  body?: Record<string, unknown>;
  /** True when a policy document is the body. */
  document?: boolean;
  required?: string[];
  /** JSON Pointer of each field of the body, and what it refuses. */
  fields?: Record<string, Mistake[]>;
  /** Texts that each parameter of the query refuses. */
  query?: Record<string, { wrong: string[]; message: RegExp }>;
}

const integration = { key: 'integration' } as const;
const operator = { key: 'operator' } as const;
const byId = { id: 'integrationId' } as const;
const byPolicy = { id: 'policyId' } as const;
const byReview = { id: 'reviewId' } as const;
const bySession = { sessionId: 'sessionId' } as const;
const byOperatorKey = { id: 'operatorKeyId' } as const;
const byOperator = { id: 'operatorId' } as const;
const both = { id: 'integrationId', policyId: 'policyId' } as const;

const notCounts = ['', '-1', '1.5', '1e2', '0x10', '%201', '+1', '01', 'abc', 'null', '9007199254740993'];
const count = (least: number, most: number) => ({
  wrong: [...notCounts, ...(least > 0 ? [String(least - 1)] : []), String(most + 1)],
  message: /^must be (integer|>= [01]|<= \d+)$/,
});
const pages = { page: count(1, 1_000_000), size: count(1, 200) };
const words = (...allowed: string[]) => ({
  wrong: ['', 'constructor', String(allowed[0]).toLowerCase(), '12'],
  message: new RegExp(`^must be one of ${allowed.join(', ')}$`),
});
const uuid = { wrong: ['', 'x', '12', 'null', '%00'], message: /^must be a UUID$/ };
const flag = { wrong: ['', '1', '0', 'yes', 'TRUE', 'null'], message: /^must be boolean$/ };

const settings = {
  '/settings': object(),
  '/settings/contentRetention': word(['full', 'redacted', 'none']),
  '/settings/reviewInput': word(['full', 'redacted']),
  '/settings/detectionSensitivity': word(['balanced', 'strict']),
  '/settings/disabledTags': dataTags,
  '/settings/enabledTags': dataTags,
  '/settings/sessionScope': word(['connection', 'client', 'integration', 'trace']),
  '/settings/requireSession': boolean(),
  '/settings/whenNoPolicy': word(['ALLOW', 'BLOCK']),
  '/settings/requestsPerMinute': integer(0, 100_000_000, { nullable: true }),
};
const name = text(200, { shortest: 1 });
const description = text(2_000, { nullable: true });
const expiry = futureTime({ nullable: true });
const keptText = { wrong: ['x'.repeat(101), 'a%00'], message: /^must not (have more|contain NUL)/ };
const time = {
  wrong: ['', '2030-01-05', '2030-02-30T00:00:00Z', '1893492000000', 'yesterday'],
  message: /^must be an ISO 8601 date and time with a zone/,
};
const auditFilters = {
  actorId: keptText,
  action: keptText,
  resource: keptText,
  resourceId: keptText,
  outcome: words('SUCCEEDED', 'REFUSED', 'FAILED'),
  from: time,
  to: time,
};
const account = {
  '/email': email,
  '/roles': roles,
  '/groups': groups,
  '/entityId': id({ nullable: true }),
};
const comment = { '/comment': text(2_000) };

/** Every route of the service by its operationId, with what each of its parts refuses. */
export const operations: Record<string, Operation> = {
  evaluate: {
    ...integration,
    body: { input: { tool: 'x' } },
    required: ['input'],
    fields: {
      '/input': object(),
      '/input/tool': [
        { name: 'too long', value: 'x'.repeat(1_001), message: /at most 1000 characters/ },
        { name: 'NUL', value: 'a\0', message: /must not contain control/ },
        { name: 'half a surrogate pair', value: '\udc00', message: /^must be Unicode text/ },
      ],
      '/input/text': [
        { name: 'half a surrogate pair', value: ['\ud83d'], at: '/0', message: /^must be Unicode text/ },
      ],
      '/targetKey': text(1_000),
      '/targetMetadata': object(),
      '/correlationId': text(255),
      '/callbackUrl': [...text(1_024), ...callbackUrl],
      '/sessionId': id(),
      '/externalSessionId': text(255, { shortest: 1 }),
      '/entityId': id(),
      '/metadata': [...object(), ...metadata],
      '/phase': word(['ACTION', 'PROMPT', 'RESULT']),
      '/resultOf': id(),
      '/status': word(['OK', 'FAILED']),
      '/reviewRequestId': id(),
    },
    query: { redact: flag },
  },
  createEvaluationSession: {
    ...integration,
    status: 201,
    body: { metadata: {} },
    fields: {
      '/entityId': id({ nullable: true }),
      '/externalSessionId': text(255, { shortest: 1 }),
      '/expiresAt': [
        ...futureTime(),
        {
          name: 'beyond 30 days',
          value: '2030-01-31T00:00:00.001Z',
          message: /^must not lie after 2030-01-31T/,
        },
      ],
      '/metadata': [...object(), ...metadata, ...metadataBytes],
    },
  },
  listEvaluationSessions: {
    ...integration,
    query: {
      ...pages,
      status: words('ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'),
      entityId: uuid,
      integrationId: uuid,
      externalSessionId: { wrong: ['x'.repeat(256), 'a%00'], message: /^must not (have more|contain NUL)/ },
    },
  },
  endEvaluationSession: {
    ...integration,
    params: bySession,
    body: { status: 'COMPLETED' },
    fields: { '/status': word(['COMPLETED', 'TERMINATED'], ['ACTIVE', 'EXPIRED']) },
  },
  readEvaluationSession: { ...integration, params: bySession },
  listEvaluations: { ...integration, params: bySession, query: pages },
  followEvaluations: { ...operator, query: { after: uuid, size: count(1, 200) } },
  readEvaluation: { ...integration, params: { id: 'evaluationId' } },
  listAudit: { ...operator, query: { ...pages, ...auditFilters, before: uuid } },
  exportAudit: { ...operator, query: auditFilters },
  readAuditEntry: { ...operator, params: { id: 'auditEntryId' } },
  readCurrentOperator: { ...operator },
  createOperator: {
    ...operator,
    status: 201,
    body: { name: 'n', roles: ['REVIEWER'] },
    required: ['name', 'roles'],
    fields: { '/name': name, ...account },
  },
  listOperators: {
    ...operator,
    query: {
      ...pages,
      status: words('ACTIVE', 'DISABLED'),
      role: words('OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'),
      group: { wrong: ['', 'A', '-a', 'a b', 'a%00', 'a'.repeat(65)], message: /^must match \^/ },
    },
  },
  readOperator: { ...operator, params: byOperator },
  changeOperator: {
    ...operator,
    params: byOperator,
    body: { name: 'n' },
    fields: { '/name': name, '/status': word(['ACTIVE', 'DISABLED']), ...account },
  },
  createOperatorKey: {
    ...operator,
    status: 201,
    body: {},
    fields: { '/operatorId': id(), '/name': name, '/expiresAt': expiry, '/ipRanges': ipRanges },
  },
  listOperatorKeys: { ...operator, query: { ...pages, operatorId: uuid } },
  revokeOperatorKey: { ...operator, params: byOperatorKey },
  listReviews: {
    ...integration,
    query: {
      ...pages,
      status: words('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CONSUMED'),
      sessionId: uuid,
      integrationId: uuid,
    },
  },
  readReview: { ...integration, params: byReview, query: { wait: count(0, 30) } },
  approveReview: {
    ...operator,
    params: byReview,
    body: { comment: 'good' },
    fields: { ...comment, '/evaluationRunId': id() },
  },
  rejectReview: {
    ...operator,
    params: byReview,
    body: { comment: 'bad' },
    fields: { ...comment, '/evaluationRunId': id() },
  },
  createIntegration: {
    ...operator,
    status: 201,
    body: { name: 'n', kind: 'AGENT', settings: {} },
    required: ['name', 'kind'],
    fields: {
      '/name': name,
      '/kind': word(['REST_API', 'MCP_SERVER', 'AGENT']),
      '/description': description,
      '/apiKeyExpiresAt': expiry,
      ...settings,
    },
  },
  listIntegrations: { ...operator, query: pages },
  readIntegration: { ...operator, params: byId },
  changeIntegration: {
    ...operator,
    params: byId,
    body: { name: 'n', settings: {} },
    fields: { '/name': name, '/description': description, ...settings },
  },
  deleteIntegration: { ...operator, params: byId },
  regenerateKey: { ...operator, params: byId, body: {}, fields: { '/apiKeyExpiresAt': expiry } },
  regenerateWebhookSecret: { ...operator, params: byId },
  listBoundPolicies: { ...operator, params: byId, query: pages },
  bindPolicy: { ...operator, params: both },
  unbindPolicy: { ...operator, params: both },
  listPolicies: { ...operator, query: { ...pages, status: words('DRAFT', 'ACTIVE', 'DEPRECATED') } },
  createPolicy: { ...operator, status: 201, document: true, query: { activate: flag } },
  readPolicy: { ...operator, params: byPolicy },
  updatePolicy: { ...operator, params: byPolicy, document: true },
  checkPolicy: { ...operator, document: true },
  listPolicyVersions: { ...operator, params: byPolicy, query: pages },
  activatePolicy: {
    ...operator,
    params: byPolicy,
    body: { version: 1 },
    fields: {
      '/version': [
        ...integer(1, 2_147_483_647),
        { name: 'a version there is not', value: 2, message: /^the policy has no such version$/ },
      ],
    },
  },
  deprecatePolicy: { ...operator, params: byPolicy },
  deletePolicy: { ...operator, params: byPolicy },
};

/** A good body of a document route. */
export const goodDocument = Buffer.from(rule('true', 'WARN'));
