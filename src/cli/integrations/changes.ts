import { path } from '../../client/http.ts';
import type { Integration, IntegrationSettings } from '../../schemas/integrations.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';
import { integrationFields, warnOf } from './commands.ts';

interface Given {
  kind?: string;
  name?: string;
  description?: string;
  keyExpiresAt?: string;
  retain?: string;
  sensitivity?: string;
  disableTag?: string[];
  enableTag?: string[];
  sessionScope?: string;
  requireSession?: 'true' | 'false';
  whenNoPolicy?: string;
  afterRejection?: string;
  maxPendingReviews?: number;
  maxPendingReviewsInSession?: number;
  maxOpenSessions?: number;
  maxBytesPerDay?: number;
  /** False with --no-quotas. */
  quotas?: boolean;
  requestsPerMinute?: number;
}
type Created = Integration & { apiKey: string; webhookSecret: string };

export async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const json = { name, kind: options.kind, apiKeyExpiresAt: options.keyExpiresAt, ...changesOf(options) };
  const { data } = await http.send<Created>({ method: 'POST', path: '/v1/integrations', json });
  out.record<Created>(data, [
    ...(integrationFields as Column<Created>[]),
    { title: 'API KEY', of: ({ apiKey }) => apiKey },
    { title: 'WEBHOOK SECRET', of: ({ webhookSecret }) => webhookSecret },
  ]);
  out.note('The key and the secret are shown only once: store them.');
  warnOf(out, data);
}

export async function update({ http, out, options, args: [given] }: Call<Given>): Promise<void> {
  const json = { ...(options.name !== undefined && { name: options.name }), ...changesOf(options) };
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({
    method: 'PATCH',
    path: path`/v1/integrations/${id}`,
    json,
  });
  out.record(data, integrationFields);
  warnOf(out, data);
}

export async function remove({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({ method: 'DELETE', path: path`/v1/integrations/${id}` });
  out.record(data, integrationFields);
  out.note('Its key is refused from now on.');
}

function changesOf(given: Given): { description?: string; settings?: Partial<IntegrationSettings> } {
  const settings = defined({
    contentRetention: given.retain,
    detectionSensitivity: given.sensitivity,
    disabledTags: given.disableTag,
    enabledTags: given.enableTag,
    sessionScope: given.sessionScope,
    requireSession: given.requireSession && given.requireSession === 'true',
    whenNoPolicy: given.whenNoPolicy,
    afterRejection: given.afterRejection,
    ...(given.quotas === false && {
      maxPendingReviews: null,
      maxPendingReviewsInSession: null,
      maxOpenSessions: null,
      maxBytesPerDay: null,
    }),
    ...defined({
      maxPendingReviews: given.maxPendingReviews,
      maxPendingReviewsInSession: given.maxPendingReviewsInSession,
      maxOpenSessions: given.maxOpenSessions,
      maxBytesPerDay: given.maxBytesPerDay,
    }),
    requestsPerMinute: given.requestsPerMinute,
  });
  return {
    ...(given.description !== undefined && { description: given.description }),
    ...(Object.keys(settings).length > 0 && { settings: settings as Partial<IntegrationSettings> }),
  };
}

const defined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
