import { entityExamples } from '../../features/entities/examples.ts';
import { eventExamples } from '../../features/events/examples.ts';
import { integrationExamples } from '../../features/integrations/examples.ts';
import { listExamples } from '../../features/lists/examples.ts';
import { mcpServerExamples } from '../../features/mcp-servers/examples.ts';
import { operator, operatorExamples } from '../../features/operators/examples.ts';
import { policyExamples, policySummary } from '../../features/policies/examples.ts';
import { proposalExamples } from '../../features/proposals/examples.ts';
import { reviewExamples } from '../../features/reviews/examples.ts';
import { sessionExamples } from '../../features/sessions/examples.ts';
import { digest, toolExamples } from '../../features/tools/examples.ts';
import { violationExamples } from '../../features/violations/examples.ts';
import { webhookExamples } from '../../features/webhooks/examples.ts';
import { at, evaluation, explanation, ids, input, later, violation } from './example-story.ts';

const auditEntry = {
  id: ids.auditEntry,
  at: later,
  actor: { kind: 'operator', id: ids.operator, name: operator.name, keyId: ids.operatorKey },
  action: 'activatePolicy',
  resource: 'policies',
  resourceId: ids.policy,
  outcome: 'SUCCEEDED',
  statusCode: 200,
  message: null,
  method: 'POST',
  path: `/v1/policies/${ids.policy}/activate`,
  address: '203.0.113.7',
  requestId: 'e3f0a1c2-7b64-4d0e-9a55-2c1f8d6b7e90',
  before: { ...policySummary, status: 'DRAFT' },
  after: policySummary,
};

const root = {
  seq: 17,
  at,
  previous: digest('b'),
  treeSize: 51,
  rootHash: digest('c'),
  keyId: digest('a'),
  signature: `${'A'.repeat(86)}==`,
  hash: digest('d'),
};

const statsCounts = {
  evaluations: 12,
  allowed: 9,
  warned: 1,
  held: 2,
  blocked: 0,
  latency: { meanMs: 0.412, maxMs: 3.07 },
};

/** By the name of a component schema, or by operation and media type where a body has no schema. */
const examples: Readonly<Record<string, unknown>> = {
  ...sessionExamples,
  ...reviewExamples,
  ...webhookExamples,
  ...eventExamples,
  ...mcpServerExamples,
  ...integrationExamples,
  ...entityExamples,
  ...violationExamples,
  ...operatorExamples,
  ...policyExamples,
  ...listExamples,
  ...proposalExamples,
  ...toolExamples,
  SearchPagination: { total: 51, totalIsExact: false, next: ids.evaluation, page: 1, size: 50 },
  AuditEntry: auditEntry,
  ListedAuditEntry: auditEntry,
  RecordExportPage: {
    lines: ['{"kind":"key","keyId":"b1946ac9…","line":2,"publicKey":"MCowBQYDK2VwAyEA…"}'],
    next: 'eyJmaXJzdCI6MH0',
  },
  Explanation: explanation,
  StatsSeries: { name: 'crm.lookup', ...statsCounts, points: [{ at, ...statsCounts }] },
  RecordKey: {
    keyId: digest('a'),
    publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  },
  RecordRoot: root,
  RootProof: {
    first: root,
    second: { ...root, seq: 18, treeSize: 54, previous: root.hash, rootHash: digest('e'), hash: digest('f') },
    proof: [digest('0'), digest('1')],
  },
  'exportAudit response application/x-ndjson': `${JSON.stringify(auditEntry)}\n`,
  Detection: evaluation.detections[0],
  ErrorResponse: {
    success: false,
    statusCode: 400,
    errors: [{ code: 'invalid', message: 'is required', path: '/input' }],
  },
  EvaluateResult: {
    evaluationRunId: ids.evaluation,
    outcome: evaluation.outcome,
    enforcementAction: evaluation.enforcementAction,
    severity: evaluation.severity,
    violations: [violation],
    dataTags: evaluation.dataTags,
    sessionId: ids.session,
    reviewRequestId: ids.review,
    pollUrl: `/v1/reviews/${ids.review}`,
    correlationId: evaluation.correlationId,
    policiesEvaluated: 1,
  },
  EvaluateRequest: { input, sessionId: ids.session, correlationId: 'step-2' },
  Evaluation: { ...evaluation, integrationId: ids.integration, grants: [] },
  ListedEvaluation: evaluation,
  Health: { status: 'ok' },
  Pagination: { total: 1, page: 1, size: 50 },
  RecordedEvaluation: { ...evaluation, integrationId: ids.integration },
  'mcp application/json': { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
};

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Media {
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  operationId?: string;
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/**
 * Gives every body in the description an example. `examples` has one for each named object, and for each operation
 * whose body has no schema; envelopes and lists are built around them.
 */
export function addExamples(paths: object, schemas: Record<string, object>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const example = examples[name];
    if (example !== undefined) Object.assign(schema, { examples: [example] });
  }
  const exampleOf = (schema: Schema): unknown => {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? '';
      return examples[name] ?? exampleOf(schemas[name] ?? {});
    }
    if (schema.enum) return schema.enum[0];
    if (schema.items) return [exampleOf(schema.items)];
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
  };
  const addTo = (content: Record<string, Media>, body: string): void => {
    for (const [type, media] of Object.entries(content))
      media.example = examples[`${body} ${type}`] ?? exampleOf(media.schema ?? {});
  };
  for (const operations of Object.values(paths) as Record<string, Operation>[]) {
    for (const { operationId = '', requestBody, responses = {} } of Object.values(operations)) {
      addTo(requestBody?.content ?? {}, operationId);
      for (const { content = {} } of Object.values(responses)) addTo(content, `${operationId} response`);
    }
  }
}
