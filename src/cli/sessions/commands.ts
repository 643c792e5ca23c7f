import { path } from '../../client/http.ts';
import type {
  EndedEvaluationSession,
  EvaluationSession,
  ListedEvaluationSession,
  RecentAction,
} from '../../schemas/evaluation-sessions.ts';
import type { SessionGrant } from '../../schemas/grants.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/output.ts';

const columns: Column<ListedEvaluationSession | EvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
  { title: 'WARNED', of: ({ warningCount }) => warningCount },
  { title: 'HELD', of: ({ reviewCount }) => reviewCount },
  { title: 'REJECTED', of: ({ rejectionCount }) => rejectionCount },
  { title: 'BLOCKED', of: ({ blockCount }) => blockCount },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'STARTED', of: ({ startedAt }) => startedAt },
];

const fields: Column<EvaluationSession>[] = [
  ...columns,
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'EXTERNAL ID', of: ({ externalSessionId }) => externalSessionId },
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'PARENT', of: ({ parentSessionId }) => parentSessionId },
  { title: 'CONTINUES', of: ({ previousSessionId }) => previousSessionId },
  { title: 'LABELS', of: ({ labels }) => labels.join(', ') },
  {
    title: 'TOOLS (LET THROUGH/ATTEMPTS)',
    of: ({ attemptCounts, toolCounts }) =>
      Object.entries(attemptCounts)
        .map(([tool, attempts]) => `${tool} (${toolCounts[tool] ?? 0}/${attempts})`)
        .join(', '),
  },
  { title: 'METADATA', of: ({ metadata }) => JSON.stringify(metadata) },
];

const endedFields: Column<EndedEvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
];

const actionColumns: Column<RecentAction>[] = [
  { title: 'SEQ', of: ({ seq }) => seq },
  { title: 'AT', of: ({ at }) => at },
  { title: 'ACTION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool, targetKey }) => tool ?? targetKey },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
];

const grantColumns: Column<SessionGrant>[] = [
  { title: 'GRANT', of: ({ id }) => id },
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'USES LEFT', of: ({ usesLeft }) => usesLeft ?? 'any' },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt ?? 'with the session' },
  { title: 'REVIEW', of: ({ reviewRequestId }) => reviewRequestId },
];

interface Filter extends PageOptions {
  status?: string;
  integration?: string;
  entity?: string;
  externalId?: string;
  parent?: string;
}

export async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, integration, entity, externalId, parent } = call.options;
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const query = {
    page,
    size,
    status,
    integrationId,
    entityId: entity,
    externalSessionId: externalId,
    parentSessionId: parent,
  };
  await printPage(call, { path: '/v1/evaluation-sessions', query }, columns, 'There are no such sessions.');
}

/** The session, then its open grants, then its latest actions in the order they were done. */
export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<EvaluationSession>({
    method: 'GET',
    path: path`/v1/evaluation-sessions/${id}`,
  });
  out.record(data, fields);
  if (out.json) return;
  if (data.grants.length > 0) {
    out.text('\n');
    out.list(data.grants, grantColumns, '');
  }
  if (data.recentActions.length > 0) {
    out.text('\n');
    out.list(data.recentActions.toReversed(), actionColumns, '');
  }
}

export async function end({ http, out, args: [id = ''], options }: Call<{ status?: string }>): Promise<void> {
  const { data } = await http.send<EndedEvaluationSession>({
    method: 'POST',
    path: path`/v1/evaluation-sessions/${id}/end`,
    json: { status: options.status },
  });
  out.record(data, endedFields);
}

export const removeLabel = (call: Call): Promise<void> => remove(call, 'remove-label', 'label');
export const removeGrant = (call: Call): Promise<void> => remove(call, 'remove-grant', 'grantId');

async function remove({ http, out, args: [id = '', given] }: Call, verb: string, field: string) {
  const at = `${path`/v1/evaluation-sessions/${id}`}/${verb}`;
  const { data } = await http.send<EvaluationSession>({ method: 'POST', path: at, json: { [field]: given } });
  out.record(data, fields);
}
