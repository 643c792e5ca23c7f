import { path } from '../../client/http.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { Review } from '../../schemas/reviews.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import { reviewColumns, reviewFields } from './columns.ts';

interface Filter extends PageOptions {
  status?: string;
  session?: string;
  integration?: string;
  tool?: string;
  severity?: string;
  assignee?: string;
  olderThan?: number;
}

export async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, session, integration, tool, severity, assignee, olderThan } = call.options;
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const to = olderThan === undefined ? undefined : new Date(Date.now() - olderThan * minuteMs).toISOString();
  const query = { page, size, status, sessionId: session, integrationId, tool, severity, assignee, to };
  await printPage(call, { path: '/v1/reviews', query }, reviewColumns, 'There are no such reviews.');
}

export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<Review>({ method: 'GET', path: path`/v1/reviews/${id}` });
  out.record(data, reviewFields);
}

type Decision = Call<{ comment?: string; evaluation?: string; reason?: string; once?: boolean }>;
export const approve = (call: Decision): Promise<void> => decide(call, 'approve');
export const reject = (call: Decision): Promise<void> => decide(call, 'reject');

async function decide({ http, out, options, args }: Decision, verb: 'approve' | 'reject'): Promise<void> {
  const { comment, reason, evaluation: evaluationRunId, once } = options;
  const why = { ...(comment !== undefined && { comment }), ...(reason !== undefined && { reason }) };
  const [id = '', ...others] = args;
  if (others.length > 0) {
    if (evaluationRunId !== undefined || once) {
      const option = once ? '--once' : '--evaluation';
      throw new Exit(exitCodes.wrongUse, `${option} is of one review: give one id`);
    }
    const decision = verb === 'approve' ? 'APPROVE' : 'REJECT';
    return (await import('./queue.ts')).decideAll({ http, out }, { ids: [...args], decision, ...why });
  }
  const given = {
    ...why,
    ...(evaluationRunId !== undefined && { evaluationRunId }),
    ...(once && { once }),
  };
  const json = Object.keys(given).length === 0 ? undefined : given;
  const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/${verb}`, json });
  out.record(data, reviewFields);
}
