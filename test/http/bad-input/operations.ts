import { reviewReasons } from '../../../src/features/reviews/words.ts';
import { rule } from '../../helpers/policies.ts';
import {
  boolean,
  futureTime,
  id,
  integer,
  type Mistake,
  nameText,
  object,
  otherTypes,
  text,
  word,
} from './mistakes.ts';
import { email, groups, ipRanges, roles, scopes } from './operator-mistakes.ts';
import { entries, hosts, listName, mode, params } from './policy-mistakes.ts';
import type { RequestFixtures, Sent } from './request-fixtures.ts';
import {
  acceptedTools,
  callbackUrl,
  catalogueTools,
  cost,
  dataTags,
  identity,
  ids,
  issuers,
  listedTools,
  metadata,
  metadataBytes,
} from './special-mistakes.ts';
import { destination, integrationIds, list, nthId, recipients, types } from './webhook-mistakes.ts';

export interface Operation {
  key: Sent['key'];
  /** Which id stands for each parameter of the path. */
  params?: Record<string, keyof RequestFixtures['ids']>;
  /** A good body; a route that has none takes none. */
  body?: Record<string, unknown>;
  /** Of a good request, where it needs any. */
  headers?: Record<string, string>;
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
const byProposal = { id: 'proposalId' } as const;
const byReview = { id: 'reviewId' } as const;
const bySession = { sessionId: 'sessionId' } as const;
const byOperatorKey = { id: 'operatorKeyId' } as const;
const byWebhook = { id: 'webhookId' } as const;
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
  '/settings/unknownTools': word(['ALLOW', 'APPROVAL_REQUIRED', 'BLOCK']),
  '/settings/onSchemaMismatch': word(['WARN', 'BLOCK']),
  '/settings/identity': otherTypes('object or null', 'object', 'null'),
  '/settings/identity/required': boolean(),
  '/settings/identity/issuers': issuers,
  '/settings/delegatesTo': ids,
  '/settings/afterRejection': word(['BLOCK', 'ASK_AGAIN']),
  '/settings/maxPendingReviews': integer(1, 1_000_000, { nullable: true }),
  '/settings/maxPendingReviewsInSession': integer(1, 1_000_000, { nullable: true }),
  '/settings/maxOpenSessions': integer(1, 10_000_000, { nullable: true }),
  '/settings/maxBytesPerDay': integer(1, 1_000_000_000_000, { nullable: true }),
  '/settings/requestsPerMinute': integer(0, 100_000_000, { nullable: true }),
};
/** Those that are found without knowing the tags. */
const tagMistakes = dataTags.filter(({ message }) => !message.test('must be a data tag'));
const name = nameText();
const description = text(2_000, { nullable: true });
const expiry = futureTime({ nullable: true });
const time = {
  wrong: ['', '2030-01-05', '2030-02-30T00:00:00Z', '1893492000000', 'yesterday'],
  message: /^must be an ISO 8601 date and time with a zone/,
};
const auditFilters = {
  actorId: { wrong: ['', 'x', 'Local', 'null', '%00'], message: /^must be a UUID, or `local`$/ },
  action: {
    wrong: ['nope', 'ACTIVATEPOLICY', 'constructor'],
    message:
      /^no entry has this action; (did you mean "activatePolicy"\?|known here: .*activatePolicy, .*signIn)/,
  },
  resource: {
    wrong: ['policy', 'nope', 'v1'],
    message: /^no entry has this resource; (did you mean "policies"\?|known here: audit, .*webhooks)/,
  },
  resourceId: uuid,
  outcome: words('SUCCEEDED', 'REFUSED', 'FAILED'),
  reads: flag,
  from: time,
  to: time,
};
const cursor = { wrong: ['', 'x', 'bnVsbA', '%00'], message: /^must be the `next` of an earlier page/ };
const mostRoots = 1_000_000_000;
const byIntegrationKey = { id: 'id', keyId: 'integrationKeyId' } as const;
const account = {
  '/email': email,
  '/roles': roles,
  '/groups': groups,
  '/entityId': id({ nullable: true }),
};
const byList = { id: 'listId' } as const;
const versions = [
  ...integer(1, 2_147_483_647),
  { name: 'a version there is not', value: 9, message: /^the policy has no such version$/ },
];
const terms = { '/params': params, '/mode': mode };
const note = text(500);
const noteText = { wrong: ['x'.repeat(501), 'a%00'], message: /^must not (have more|contain NUL)/ };
const byViolation = { id: 'violationId' } as const;
const byEntity = { id: 'entityId' } as const;
const words1 = (longest: number) => ({
  wrong: ['', 'x'.repeat(longest + 1), 'a%00'],
  message: /^must not (have more|have fewer|contain (?:NUL|line breaks))/,
});
const triageNote = { '/note': text(2_000) };
const entityFields = {
  '/name': name,
  '/kind': word(['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER']),
  '/owner': nameText({ nullable: true }),
  '/metadata': [...object(), ...metadata, ...metadataBytes],
};
const webhook = {
  '/name': name,
  '/url': [...text(2_000), ...destination],
  '/to': recipients,
  '/types': types,
  '/integrationIds': integrationIds,
  '/minSeverity': word(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
};
const headerMistakes = (wrong: readonly string[], message: RegExp): Mistake[] =>
  wrong.map((value) => ({ name: encodeURIComponent(value), value: [value], at: '/0', message }));
const mcpServer = {
  '/url': [...text(2_000, { shortest: 1 }), ...destination.filter(({ value }) => value !== '')],
  '/headers': [
    ...otherTypes('array', 'array'),
    ...headerMistakes(['', 'x', 'x:', ': y', 'x y: z', 'x: a\r\ny: z', 'x: é', 'x: y '], /^must match/),
    ...headerMistakes(['Host: x', 'mcp-session-id: 1', 'Content-Length: 3'], /is set by the proxy/),
    { name: 'twice', value: ['X-A: 1', 'x-a: 2'], at: '/1', message: /^x-a is given twice$/ },
  ],
  '/integrationIds': integrationIds,
  '/forwardsAuthorization': otherTypes('boolean', 'boolean'),
  '/toolList': word(['HIDE', 'MARK', 'ALL']),
  '/holdSeconds': integer(0, 600),
  '/masks': otherTypes('boolean', 'boolean'),
  '/timeoutSeconds': integer(1, 3_600),
};
const serverInNames = [
  ...otherTypes('string', 'string'),
  { name: 'two low lines', value: 'a__b', message: /./ },
];
const comment = { '/comment': text(2_000), '/reason': word([...reviewReasons]) };

/** Every route of the service by its operationId, with what each of its parts refuses. */
export const operations: Record<string, Operation> = {
  seeTools: {
    ...integration,
    body: { server: 'crm', tools: [{ name: 'x' }] },
    required: ['server', 'tools'],
    fields: {
      '/server': serverInNames,
      '/tools': [...otherTypes('array', 'array'), { name: 'none', value: [], message: /./ }],
      '/sessionId': id(),
      '/externalSessionId': text(255, { shortest: 1 }),
    },
  },
  findAllowedTools: {
    ...integration,
    body: { tools: [{ name: 'x' }] },
    required: ['tools'],
    fields: {
      '/tools': [
        ...otherTypes('array', 'array'),
        { name: 'none', value: [], message: /./ },
        { name: 'without a name', value: [{}], at: '/0/name', message: /^is required$/ },
        { name: 'more', value: [{ name: 'x', more: 1 }], at: '/0/more', message: /./ },
        {
          name: 'half of a server',
          value: [{ name: 'x', mcp: { server: 'x' } }],
          at: '/0/mcp/tool',
          message: /^is required$/,
        },
      ],
      '/sessionId': id(),
      '/externalSessionId': text(255, { shortest: 1 }),
    },
  },
  evaluate: {
    ...integration,
    body: { input: { tool: 'x' } },
    required: ['input'],
    fields: {
      '/input': object(),
      '/cost': cost,
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
      '/parentSessionId': id(),
      '/previousSessionId': id(),
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
    body: { metadata: {} },
    fields: {
      '/entityId': id({ nullable: true }),
      '/externalSessionId': text(255, { shortest: 1 }),
      '/parentSessionId': id(),
      '/previousSessionId': id(),
      '/expiresAt': [
        ...futureTime(),
        {
          name: 'beyond 30 days',
          value: '2030-01-31T00:00:00.001Z',
          message: /^must not be after 2030-01-31T/,
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
      parentSessionId: uuid,
      externalSessionId: { wrong: ['x'.repeat(256), 'a%00'], message: /^must not (have more|contain NUL)/ },
    },
  },
  endEvaluationSession: {
    ...integration,
    params: bySession,
    body: { status: 'COMPLETED' },
    fields: { '/status': word(['COMPLETED', 'TERMINATED'], ['ACTIVE', 'EXPIRED']) },
  },
  removeGrant: {
    ...operator,
    params: bySession,
    body: { grantId: '00000000-0000-4000-8000-000000000001' },
    required: ['grantId'],
    fields: { '/grantId': id() },
  },
  removeLabel: {
    ...operator,
    params: bySession,
    body: { label: 'MARKED' },
    required: ['label'],
    fields: {
      '/label': [
        ...otherTypes('string', 'string'),
        ...['', 'a', 'A B', '-A', 'A\0', 'A'.repeat(65)].map((value) => ({
          name: JSON.stringify(value),
          value,
          message: /^must match \^/,
        })),
      ],
    },
  },
  readEvaluationSession: { ...integration, params: bySession },
  listEvaluations: { ...integration, params: bySession, query: pages },
  searchEvaluations: {
    ...operator,
    query: {
      ...pages,
      after: uuid,
      before: uuid,
      from: time,
      to: time,
      integrationId: uuid,
      tool: words1(1_000),
      enforcementAction: words('ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'),
      rule: words1(100),
      tag: words1(64),
      entityId: uuid,
      correlationId: words1(255),
      traceId: {
        wrong: ['', 'x', 'A'.repeat(32), '0'.repeat(33), '%00'],
        message: /^must match \^\[0-9a-f\]\{32\}\$$/,
      },
    },
  },
  listViolations: {
    ...operator,
    query: {
      ...pages,
      status: words('NEW', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'),
      rule: words1(100),
      policyId: uuid,
      severity: words('LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
      integrationId: uuid,
      sessionId: uuid,
      entityId: uuid,
      from: time,
      to: time,
    },
  },
  countViolationsByRule: { ...operator, query: { from: time, to: time } },
  readViolation: { ...operator, params: byViolation },
  acknowledgeViolation: { ...operator, params: byViolation, body: { note: 'n' }, fields: triageNote },
  resolveViolation: {
    ...operator,
    params: byViolation,
    body: { type: 'OTHER' },
    required: ['type'],
    fields: {
      '/type': word(['AGENT_CHANGED', 'POLICY_CHANGED', 'ACCESS_REVOKED', 'INCIDENT', 'ACCEPTED', 'OTHER']),
      ...triageNote,
    },
  },
  dismissViolation: {
    ...operator,
    params: byViolation,
    body: { reason: 'TEST' },
    required: ['reason'],
    fields: { '/reason': word(['FALSE_POSITIVE', 'DUPLICATE', 'TEST', 'OTHER']), ...triageNote },
  },
  registerEntity: {
    ...operator,
    body: { name: 'n', kind: 'AGENT', metadata: {} },
    required: ['name', 'kind'],
    fields: { '/id': id(), ...entityFields },
  },
  listEntities: {
    ...operator,
    query: { ...pages, kind: words('PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'), owner: words1(200) },
  },
  readEntity: { ...operator, params: byEntity },
  changeEntity: { ...operator, params: byEntity, body: { name: 'n', metadata: {} }, fields: entityFields },
  deleteEntity: { ...operator, params: byEntity },
  readEvaluation: { ...integration, params: { id: 'evaluationId' }, query: { explain: flag } },
  readStats: {
    ...operator,
    query: {
      by: { ...words('integration', 'policy', 'rule', 'tool', 'tag', 'entity'), wrong: ['', 'TOOL', '12'] },
      unit: { ...words('hour', 'day'), wrong: ['', 'week', '12'] },
      from: time,
      to: time,
      integrationId: uuid,
    },
  },
  listAudit: { ...operator, query: { ...pages, ...auditFilters, before: uuid } },
  exportAudit: { ...operator, query: auditFilters },
  exportRecord: { ...operator, query: { sessionId: uuid, from: time, to: time, cursor } },
  readRecordKey: operator,
  listRecordRoots: { ...operator, query: { after: count(0, mostRoots), size: count(1, 200) } },
  proveRecordConsistency: {
    ...operator,
    query: { first: count(1, mostRoots), second: count(1, mostRoots) },
  },
  readAuditEntry: { ...operator, params: { id: 'auditEntryId' } },
  followEvents: {
    ...operator,
    headers: { accept: 'application/json' },
    query: {
      type: {
        wrong: ['', 'x', 'review.', 'review.*,', 'REVIEW.*', 'constructor', 'x'.repeat(501), 'a%00'],
        message: /^must (be types separated by commas|not have more|not contain NUL)/,
      },
      integrationId: uuid,
      after: { wrong: ['', '-1', '1.5', 'x', '1'.repeat(17)], message: /^must match \^/ },
      size: count(1, 200),
      recorded: flag,
    },
  },
  createMcpServer: {
    ...operator,
    body: { name: 'other', url: 'https://example.com/mcp' },
    required: ['name', 'url'],
    fields: {
      ...mcpServer,
      '/name': [
        ...otherTypes('string', 'string'),
        ...['', 'A', 'a__b', 'a_', '.a', 'a/b', 'é', 'a'.repeat(65), 'a\n'].map((value) => ({
          name: encodeURIComponent(value),
          value,
          message: /^must match/,
        })),
      ],
    },
  },
  listMcpServers: { ...operator, query: pages },
  readMcpServer: { ...operator, params: { id: 'mcpServerId' } },
  changeMcpServer: {
    ...operator,
    params: { id: 'mcpServerId' },
    body: { masks: true },
    fields: mcpServer,
  },
  deleteMcpServer: { ...operator, params: { id: 'mcpServerId' } },
  createWebhook: {
    ...operator,
    body: { name: 'n', format: 'EVENTS', url: 'https://example.com' },
    required: ['name', 'format'],
    fields: { ...webhook, '/format': word(['EVENTS', 'SLACK', 'TEAMS', 'EMAIL']) },
  },
  listWebhooks: { ...operator, query: pages },
  readWebhook: { ...operator, params: byWebhook },
  changeWebhook: {
    ...operator,
    params: byWebhook,
    body: { name: 'n' },
    fields: { ...webhook, '/status': word(['ACTIVE', 'DISABLED']) },
  },
  deleteWebhook: { ...operator, params: byWebhook },
  rotateWebhookSecret: {
    ...operator,
    params: byWebhook,
    body: { overlapHours: 1 },
    fields: { '/overlapHours': integer(0, 168) },
  },
  testWebhook: { ...operator, params: byWebhook },
  redeliverDead: { ...operator, params: byWebhook },
  listWebhookDeliveries: {
    ...operator,
    query: { ...pages, webhookId: uuid, status: words('PENDING', 'DELIVERED', 'DEAD') },
  },
  redeliverWebhookDelivery: { ...operator, params: { id: 'webhookDeliveryId' } },
  readCurrentOperator: { ...operator },
  createOperator: {
    ...operator,
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
    body: {},
    fields: { '/operatorId': id(), '/name': name, '/expiresAt': expiry, '/ipRanges': ipRanges },
  },
  listOperatorKeys: { ...operator, query: { ...pages, operatorId: uuid } },
  revokeOperatorKey: { ...operator, params: byOperatorKey },
  listReviews: {
    ...integration,
    query: {
      ...pages,
      status: words('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'CONSUMED'),
      sessionId: uuid,
      integrationId: uuid,
      tool: { wrong: ['x'.repeat(1_001), 'a%00'], message: /^must not (have more|contain NUL)/ },
      severity: words('LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
      assignee: { wrong: ['', 'x', 'Me', 'NONE', 'null'], message: /^must match \^/ },
      from: time,
      to: time,
    },
  },
  readReviewStatistics: { ...operator, query: { from: time, integrationId: uuid } },
  decideReviews: {
    ...operator,
    body: { ids: ['11111111-2222-4333-8444-555555555555'], decision: 'APPROVE' },
    required: ['ids', 'decision'],
    fields: {
      '/ids': [
        ...list(nthId, ['', 'x', null], /^must be (a UUID|string)$/, 100),
        { name: 'none', value: [], message: /^must not have fewer than 1 items$/ },
      ],
      '/decision': word(['APPROVE', 'REJECT']),
      ...comment,
    },
  },
  claimReview: { ...operator, params: byReview },
  releaseReview: { ...operator, params: byReview },
  extendReview: {
    ...operator,
    params: byReview,
    body: { minutes: 1 },
    required: ['minutes'],
    fields: { '/minutes': integer(1, 1_440) },
  },
  commentReview: {
    ...operator,
    params: byReview,
    body: { text: 'x' },
    required: ['text'],
    fields: { '/text': text(2_000, { shortest: 1 }) },
  },
  listReviewComments: { ...operator, params: byReview, query: pages },
  readReview: { ...integration, params: byReview, query: { wait: count(0, 30) } },
  approveReview: {
    ...operator,
    params: byReview,
    body: { comment: 'good' },
    fields: { ...comment, '/evaluationRunId': id(), '/once': boolean() },
  },
  rejectReview: {
    ...operator,
    params: byReview,
    body: { comment: 'bad' },
    fields: { ...comment, '/evaluationRunId': id() },
  },
  createIntegration: {
    ...operator,
    body: { name: 'n', kind: 'AGENT', settings: { identity } },
    required: ['name', 'kind'],
    fields: {
      '/name': name,
      '/kind': word(['REST_API', 'MCP_SERVER', 'AGENT']),
      '/description': description,
      '/apiKeyExpiresAt': expiry,
      ...settings,
    },
  },
  listIntegrations: { ...operator, query: { ...pages, name: words1(200) } },
  readIntegration: { ...operator, params: byId },
  changeIntegration: {
    ...operator,
    params: byId,
    body: { name: 'n', settings: { identity } },
    fields: { '/name': name, '/description': description, ...settings },
  },
  deleteIntegration: { ...operator, params: byId },
  readToolCatalogue: { ...operator, params: byId },
  replaceToolCatalogue: {
    ...operator,
    params: byId,
    body: { tools: [] },
    required: ['tools'],
    fields: { '/tools': catalogueTools, '/onChange': word(['HOLD', 'BLOCK', 'ACCEPT']) },
  },
  importTools: {
    ...operator,
    params: byId,
    body: { tools: [] },
    fields: {
      '/server': serverInNames,
      '/tools': [
        ...listedTools,
        { name: 'missing', value: undefined, message: /^must have either "tools" or/ },
      ],
      '/openapi': object(),
      '/nextCursor': otherTypes('string', 'string'),
      '/_meta': object(),
    },
  },
  acceptTools: {
    ...operator,
    params: byId,
    // Of no tool that there is.
    body: { tools: [{ name: 'none', digest: '0' }] },
    required: ['tools'],
    fields: { '/tools': acceptedTools },
  },
  regenerateKey: { ...operator, params: byId, body: {}, fields: { '/apiKeyExpiresAt': expiry } },
  listIntegrationKeys: { ...operator, params: byId, query: pages },
  createIntegrationKey: {
    ...operator,
    params: byId,
    body: {},
    fields: { '/name': name, '/scopes': scopes, '/expiresAt': expiry },
  },
  rotateIntegrationKey: {
    ...operator,
    params: byIntegrationKey,
    body: {},
    fields: { '/overlapHours': integer(0, 168), '/expiresAt': expiry },
  },
  revokeIntegrationKey: { ...operator, params: byIntegrationKey },
  regenerateWebhookSecret: { ...operator, params: byId },
  listBoundPolicies: { ...operator, params: byId, query: pages },
  bindPolicy: { ...operator, params: both, body: { params: {} }, fields: terms },
  unbindPolicy: { ...operator, params: both },
  proposeChange: {
    ...operator,
    // Whatever the fields are: no operation takes all of them.
    body: {
      operation: 'changeList',
      listId: '00000000-0000-4000-8000-000000000000',
      list: { name: 'n', kind: 'OTHER' },
      settings: { identity },
    },
    required: ['operation'],
    fields: {
      // biome-ignore format: short texts read better in rows
      '/operation': word([
        'bindPolicy', 'unbindPolicy', 'bindHousePolicy', 'unbindHousePolicy', 'deprecatePolicy',
        'deletePolicy', 'createList', 'changeList', 'deleteList', 'replaceToolCatalogue', 'importTools',
        'acceptTools', 'changeIntegration', 'changeOperator',
      ]),
      '/integrationId': id(),
      '/policyId': id(),
      '/listId': [...id(), { name: 'missing', value: undefined, message: /^is needed by changeList$/ }],
      '/params': object(),
      '/mode': mode,
      '/entries': entries,
      '/add': entries,
      '/remove': entries,
      '/list': object(),
      '/list/name': listName,
      '/list/kind': word(['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER']),
      '/list/description': description,
      '/list/entries': entries,
      '/tools': otherTypes('array', 'array'),
      '/listedTools': otherTypes('array', 'array'),
      '/acceptedTools': otherTypes('array', 'array'),
      '/onChange': word(['HOLD', 'BLOCK', 'ACCEPT']),
      '/name': name,
      ...settings,
      '/settings/disabledTags': tagMistakes,
      '/settings/enabledTags': tagMistakes,
      '/settings/identity/issuers': issuers.slice(0, -1),
      '/entityId': id({ nullable: true }),
      '/groups': otherTypes('array', 'array'),
      '/operatorId': id(),
      '/note': note,
    },
  },
  listProposals: { ...operator, query: { ...pages, status: words('PENDING', 'ACTIVATED', 'REJECTED') } },
  readProposal: { ...operator, params: byProposal },
  activateProposal: { ...operator, params: byProposal },
  rejectProposal: { ...operator, params: byProposal },
  listHousePolicies: { ...operator, query: pages },
  bindHousePolicy: { ...operator, params: byPolicy, body: { params: {} }, fields: terms },
  unbindHousePolicy: { ...operator, params: { id: 'housePolicyId' } },
  createList: {
    ...operator,
    body: { name: 'n', kind: 'OTHER' },
    required: ['name', 'kind'],
    fields: {
      '/name': listName,
      '/kind': word(['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER']),
      '/description': description,
      '/entries': entries,
      '/note': note,
    },
  },
  listLists: { ...operator, query: { ...pages, kind: words('DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER') } },
  readList: { ...operator, params: byList },
  changeList: {
    ...operator,
    params: byList,
    body: { note: 'n' },
    fields: {
      '/description': description,
      '/entries': [...entries, ...hosts],
      '/add': [...entries, ...hosts],
      '/remove': [...entries, ...hosts],
      '/note': note,
    },
  },
  deleteList: { ...operator, params: byList },
  listListChanges: { ...operator, params: byList, query: pages },
  listPolicies: {
    ...operator,
    query: { ...pages, name: words1(200), status: words('DRAFT', 'ACTIVE', 'DEPRECATED') },
  },
  createPolicy: { ...operator, document: true, query: { activate: flag, note: noteText } },
  readPolicy: { ...operator, params: byPolicy },
  updatePolicy: { ...operator, params: byPolicy, document: true, query: { note: noteText } },
  checkPolicy: { ...operator, document: true },
  provePolicy: { ...operator, document: true, query: { policyId: uuid, integrationId: uuid } },
  tryPolicy: {
    ...operator,
    body: { document: rule('true', 'WARN'), given: { tool: 'x' } },
    required: ['document', 'given'],
    fields: { '/document': otherTypes('string', 'string'), '/given': object() },
  },
  simulatePolicies: {
    ...operator,
    body: { bindings: [], lists: {}, filter: { tool: 'x' } },
    fields: {
      '/document': otherTypes('string', 'string'),
      '/policyId': id(),
      '/params': object(),
      '/mode': word(['ENFORCE', 'MONITOR']),
      '/bindings': otherTypes('array', 'array'),
      '/lists': object(),
      '/filter': object(),
      '/filter/integrationId': id(),
      '/filter/sessionId': id(),
      '/filter/tool': text(500),
      '/filter/from': otherTypes('string', 'string'),
      '/filter/to': otherTypes('string', 'string'),
      '/differences': integer(0, 10_000),
    },
  },
  listPolicyVersions: { ...operator, params: byPolicy, query: pages },
  readPolicyVersion: { ...operator, params: { ...byPolicy, version: 'version' } },
  comparePolicyVersions: { ...operator, params: { ...byPolicy, from: 'version', to: 'version' } },
  activatePolicy: {
    ...operator,
    params: byPolicy,
    body: { version: 1 },
    fields: {
      '/version': versions,
    },
  },
  rollBackPolicy: { ...operator, params: byPolicy, body: { version: 1 }, fields: { '/version': versions } },
  schedulePolicy: {
    ...operator,
    params: byPolicy,
    body: { at: '2030-02-01T00:00:00Z' },
    required: ['at'],
    fields: { '/version': versions, '/at': futureTime() },
  },
  unschedulePolicy: { ...operator, params: { id: 'scheduledPolicyId' } },
  deprecatePolicy: { ...operator, params: byPolicy },
  deletePolicy: { ...operator, params: byPolicy },
};

/** A good body of a document route. */
export const goodDocument = Buffer.from(rule('true', 'WARN'));
