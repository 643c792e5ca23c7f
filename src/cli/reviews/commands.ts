import { path } from '../../client/http.ts';
import type { Review } from '../../schemas/reviews.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/table.ts';

const columns: Column<Review>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
];

const fields: Column<Review>[] = [
  ...columns,
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'EVALUATION', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'TARGET', of: ({ targetKey }) => targetKey },
  { title: 'TARGET METADATA', of: ({ targetMetadata }) => targetMetadata && JSON.stringify(targetMetadata) },
  { title: 'REASONS', of: ({ violations }) => violations.map(({ message }) => message).join('; ') },
  { title: 'INPUT', of: ({ input }) => input && JSON.stringify(input) },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'DECIDED', of: ({ decidedAt }) => decidedAt },
  { title: 'COMMENT', of: ({ comment }) => comment },
  { title: 'CALLBACK', of: ({ callback }) => callback?.status },
];

interface Filter extends PageOptions {
  status?: string;
  session?: string;
  integration?: string;
}

export async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, session, integration } = call.options;
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const query = { page, size, status, sessionId: session, integrationId };
  await printPage(call, { path: '/v1/reviews', query }, columns, 'There are no such reviews.');
}

export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<Review>({ method: 'GET', path: path`/v1/reviews/${id}` });
  out.record(data, fields);
}

type Decision = Call<{ comment?: string; evaluation?: string }>;
export const approve = (call: Decision): Promise<void> => decide(call, 'approve');
export const reject = (call: Decision): Promise<void> => decide(call, 'reject');

async function decide({ http, out, options, args: [id = ''] }: Decision, verb: string): Promise<void> {
  const { comment, evaluation: evaluationRunId } = options;
  const json =
    comment === undefined && evaluationRunId === undefined ? undefined : { comment, evaluationRunId };
  const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/${verb}`, json });
  out.record(data, fields);
}
