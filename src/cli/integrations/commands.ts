import { path } from '../../client/http.ts';
import type { Integration } from '../../schemas/integrations.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Output } from '../output/output.ts';
import type { Column } from '../output/table.ts';

const columns: Column<Integration>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'KEY BEGINS', of: ({ apiKeyPrefix }) => apiKeyPrefix },
  { title: 'KEY EXPIRES', of: ({ apiKeyExpiresAt }) => apiKeyExpiresAt },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];

export const integrationFields: Column<Integration>[] = [
  ...columns,
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
  { title: 'DELETED', of: ({ deletedAt }) => deletedAt },
  { title: 'DESCRIPTION', of: ({ description }) => description },
  { title: 'RETAINS', of: ({ settings }) => settings.contentRetention },
  { title: 'SENSITIVITY', of: ({ settings }) => settings.detectionSensitivity },
  { title: 'DISABLED TAGS', of: ({ settings }) => settings.disabledTags.join(', ') },
  { title: 'ENABLED TAGS', of: ({ settings }) => settings.enabledTags.join(', ') },
  { title: 'SESSION SCOPE', of: ({ settings }) => settings.sessionScope },
  { title: 'REQUIRES A SESSION', of: ({ settings }) => (settings.requireSession ? 'yes' : 'no') },
  { title: 'WITHOUT A POLICY', of: ({ settings }) => settings.whenNoPolicy },
  { title: 'AFTER A REJECTION', of: ({ settings }) => settings.afterRejection },
  { title: 'PENDING REVIEWS AT MOST', of: ({ settings }) => settings.maxPendingReviews },
  { title: 'IN ONE SESSION', of: ({ settings }) => settings.maxPendingReviewsInSession },
  { title: 'OPEN SESSIONS AT MOST', of: ({ settings }) => settings.maxOpenSessions },
  { title: 'BYTES A DAY AT MOST', of: ({ settings }) => settings.maxBytesPerDay },
  { title: 'REQUESTS A MINUTE', of: ({ settings }) => settings.requestsPerMinute },
];

export async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  await printPage(
    call,
    { path: '/v1/integrations', query: { page, size } },
    columns,
    'There are no integrations.',
  );
}

export async function show({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({ method: 'GET', path: path`/v1/integrations/${id}` });
  out.record(data, integrationFields);
  warnOf(out, data);
}

export function warnOf(out: Output, { warnings }: Integration): void {
  for (const { message } of warnings) out.warn(`warning: ${message}`);
}
