import { path } from '../../client/http.ts';
import type { BulkDecision, Review, ReviewComment, ReviewStatistics } from '../../schemas/reviews.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import { reviewFields } from './columns.ts';

const change =
  (verb: 'claim' | 'release') =>
  async ({ http, out, args: [id = ''] }: Call): Promise<void> => {
    const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/${verb}` });
    out.record(data, reviewFields);
  };
export const claim = change('claim');
export const release = change('release');

export async function extend({ http, out, args: [id = '', minutes = ''] }: Call): Promise<void> {
  if (!/^\d{1,5}$/.test(minutes)) throw new Exit(exitCodes.wrongUse, 'minutes must be a whole number');
  const json = { minutes: Number(minutes) };
  const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/extend`, json });
  out.record(data, reviewFields);
}

export async function comment({ http, out, args: [id = '', text = ''] }: Call): Promise<void> {
  const { data } = await http.send<ReviewComment>({
    method: 'POST',
    path: path`/v1/reviews/${id}/comments`,
    json: { text },
  });
  out.record(data, [
    { title: 'AUTHOR', of: ({ author }) => author.name },
    { title: 'AT', of: ({ createdAt }) => createdAt },
    { title: 'TEXT', of: (one) => one.text },
  ]);
}

export async function comments({ http, out, args: [id = ''] }: Call): Promise<void> {
  const query = { size: 200 };
  const { data } = await http.send<ReviewComment[]>({
    method: 'GET',
    path: path`/v1/reviews/${id}/comments`,
    query,
  });
  out.list(
    data,
    [
      { title: 'AT', of: ({ createdAt }) => createdAt },
      { title: 'AUTHOR', of: ({ author }) => author.name },
      { title: 'TEXT', of: ({ text }) => text },
    ],
    'There are no comments.',
  );
}

export async function stats({
  http,
  out,
  options: { from, integration },
}: Call<{ from?: string; integration?: string }>): Promise<void> {
  const integrationId = integration === undefined ? undefined : await idOf(http, 'integrations', integration);
  const { data } = await http.send<ReviewStatistics>({
    method: 'GET',
    path: '/v1/reviews/stats',
    query: { from, integrationId },
  });
  const seconds = (ms: number | null) => (ms === null ? null : `${Math.round(ms / 1_000)} s`);
  out.record(data, [
    { title: 'FROM', of: (one) => one.from },
    { title: 'REVIEWS', of: ({ reviewCount }) => reviewCount },
    { title: 'PENDING', of: ({ pendingCount }) => pendingCount },
    { title: 'APPROVED', of: ({ approvedCount }) => approvedCount },
    { title: 'REJECTED', of: ({ rejectedCount }) => rejectedCount },
    { title: 'CANCELLED', of: ({ cancelledCount }) => cancelledCount },
    { title: 'EXPIRED', of: ({ expiredCount }) => expiredCount },
    { title: 'EXPIRED UNSEEN', of: ({ expiredUnseenCount }) => expiredUnseenCount },
    { title: 'TIME TO DECISION, MEDIAN', of: ({ timeToDecisionMs: { p50 } }) => seconds(p50) },
    { title: 'TIME TO DECISION, P90', of: ({ timeToDecisionMs: { p90 } }) => seconds(p90) },
  ]);
}

/** Several at once: each is decided for itself, and one that is refused makes the exit code 1. */
export async function decideAll(
  { http, out }: Pick<Call, 'http' | 'out'>,
  json: { ids: string[]; decision: 'APPROVE' | 'REJECT'; comment?: string; reason?: string },
): Promise<void> {
  const { data } = await http.send<BulkDecision[]>({ method: 'POST', path: '/v1/reviews/decide', json });
  out.list(
    data,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'DECIDED', of: ({ decided }) => decided },
      { title: 'STATUS', of: ({ status }) => status, word: true },
      { title: 'ERROR', of: ({ error }) => error?.message },
    ],
    '',
  );
  const refused = data.filter(({ decided }) => !decided).length;
  if (refused > 0) throw new Exit(exitCodes.failed, `${refused} of ${data.length} were not decided`);
}
