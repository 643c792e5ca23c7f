import { path } from '../../client/http.ts';
import type { RecordedViolation, RuleViolations } from '../../schemas/violations.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/output.ts';

const columns: Column<RecordedViolation>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'POLICY', of: ({ policyName }) => policyName },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'AT', of: ({ createdAt }) => createdAt },
  { title: 'MESSAGE', of: ({ message }) => message },
];
const fields: Column<RecordedViolation>[] = [
  ...columns,
  { title: 'EVALUATION', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'BECAUSE', of: ({ resolution, dismissal }) => resolution ?? dismissal },
  { title: 'NOTE', of: ({ note }) => note },
  { title: 'BY', of: ({ triagedBy }) => triagedBy?.name },
  { title: 'HANDLED', of: ({ triagedAt }) => triagedAt },
];
const ruleColumns: Column<RuleViolations>[] = [
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'ACKNOWLEDGED', of: ({ acknowledgedCount }) => acknowledgedCount },
  { title: 'RESOLVED', of: ({ resolvedCount }) => resolvedCount },
  { title: 'DISMISSED', of: ({ dismissedCount }) => dismissedCount },
  { title: 'FALSE POSITIVES', of: ({ falsePositiveCount }) => falsePositiveCount },
  { title: 'RATE', of: ({ falsePositiveRate }) => falsePositiveRate },
];

interface Filters extends PageOptions {
  status?: string;
  severity?: string;
  rule?: string;
  policy?: string;
  integration?: string;
  session?: string;
  entity?: string;
  from?: string;
  to?: string;
}

export async function list(call: Call<Filters>): Promise<void> {
  const { policy, integration, session: sessionId, entity: entityId, ...others } = call.options;
  const { page, size, status, severity, rule, from, to } = others;
  const policyId = policy === undefined ? undefined : await idOf(call.http, 'policies', policy);
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const filters = { status, severity, rule, policyId, integrationId, sessionId, entityId, from, to };
  const request = { path: '/v1/violations', query: { page, size, ...filters } };
  await printPage(call, request, columns, 'There are no such violations.');
}

export async function rules({ http, out, options }: Call<{ from?: string; to?: string }>): Promise<void> {
  const { from, to } = options;
  const { data } = await http.send<RuleViolations[]>({
    method: 'GET',
    path: '/v1/violations/rules',
    query: { from, to },
  });
  out.list(data, ruleColumns, 'No violation was handled yet.');
}

export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<RecordedViolation>({ method: 'GET', path: path`/v1/violations/${id}` });
  out.record(data, fields);
}

interface Handling {
  note?: string;
  type?: string;
  reason?: string;
}

export const acknowledge = (call: Call<Handling>): Promise<void> => handle(call, 'acknowledge');
export const resolve = (call: Call<Handling>): Promise<void> => handle(call, 'resolve');
export const dismiss = (call: Call<Handling>): Promise<void> => handle(call, 'dismiss');

async function handle({ http, out, options, args: [id = ''] }: Call<Handling>, verb: string): Promise<void> {
  const { note, type, reason } = options;
  const { data } = await http.send<RecordedViolation>({
    method: 'POST',
    path: path`/v1/violations/${id}/${verb}`,
    json: { note, type, reason },
  });
  out.record(data, fields);
}
