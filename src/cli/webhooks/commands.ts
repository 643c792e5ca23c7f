import type { Http } from '../../client/http.ts';
import { path } from '../../client/http.ts';
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookTest } from '../../schemas/webhooks.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';

const columns: Column<Webhook>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'FORMAT', of: ({ format }) => format },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'TO', of: ({ url, to }) => url ?? to.join(', ') },
  { title: 'TYPES', of: ({ types }) => types.join(', ') },
];
const fields: Column<Webhook>[] = [
  ...columns,
  { title: 'INTEGRATIONS', of: ({ integrationIds }) => integrationIds.join(', ') },
  { title: 'LEAST SEVERITY', of: ({ minSeverity }) => minSeverity, word: true },
  { title: 'SECRET BEFORE SIGNS UNTIL', of: ({ previousSecretUntil }) => previousSecretUntil },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];
const createdFields: Column<CreatedWebhook>[] = [...fields, { title: 'SECRET', of: ({ secret }) => secret }];
const deliveryColumns: Column<WebhookDelivery>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'WEBHOOK', of: ({ webhookId }) => webhookId },
  { title: 'EVENT', of: ({ eventType }) => eventType },
  { title: 'SUBJECT', of: ({ subject }) => subject },
  { title: 'ATTEMPTS', of: ({ attemptCount }) => attemptCount },
  { title: 'NEXT', of: ({ nextAttemptAt }) => nextAttemptAt },
  { title: 'ERROR', of: ({ lastError }) => lastError },
];

interface Target {
  name?: string;
  status?: string;
  format?: string;
  endpoint?: string;
  to?: string[];
  type?: string[];
  integration?: string[];
  minSeverity?: string;
}

async function bodyOf(http: Http, options: Target): Promise<Record<string, unknown>> {
  const { name, status, format, endpoint: url, to, type: types, minSeverity, integration } = options;
  const integrationIds =
    integration && (await Promise.all(integration.map((given) => idOf(http, 'integrations', given))));
  const body = { name, status, format, url, to, types, integrationIds, minSeverity };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  await printPage(call, { path: '/v1/webhooks', query: { page, size } }, columns, 'There are no webhooks.');
}

export async function show({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  out.record((await http.send<Webhook>({ method: 'GET', path: path`/v1/webhooks/${id}` })).data, fields);
}

export async function create({ http, out, options, args: [name = ''] }: Call<Target>): Promise<void> {
  // Before anything is sent: who takes --url for the receiver would send it the key.
  if (options.endpoint === undefined && options.to === undefined)
    throw new Exit(exitCodes.wrongUse, 'give --endpoint, or --to for e-mail: --url is this service');
  const json = { format: 'EVENTS', ...(await bodyOf(http, options)), name };
  const { data } = await http.send<CreatedWebhook>({ method: 'POST', path: '/v1/webhooks', json });
  out.record(data, createdFields);
  if (data.secret !== null)
    out.note('The secret is shown only once: store it where deliveries are verified.');
}

export async function update({ http, out, options, args }: Call<Target>): Promise<void> {
  const json = await bodyOf(http, options);
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'webhooks', args[0]);
  const { data } = await http.send<Webhook>({ method: 'PATCH', path: path`/v1/webhooks/${id}`, json });
  out.record(data, fields);
}

export async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  out.record((await http.send<Webhook>({ method: 'DELETE', path: path`/v1/webhooks/${id}` })).data, fields);
}

export async function rotateSecret({
  http,
  out,
  options: { overlapHours },
  args,
}: Call<{ overlapHours?: number }>): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  const json = overlapHours === undefined ? undefined : { overlapHours };
  const { data } = await http.send<CreatedWebhook>({
    method: 'POST',
    path: path`/v1/webhooks/${id}/rotate-secret`,
    json,
  });
  out.record(data, createdFields);
}

export async function test({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  const { data } = await http.send<WebhookTest>({ method: 'POST', path: path`/v1/webhooks/${id}/test` });
  out.record(data, [
    { title: 'DELIVERED', of: ({ delivered }) => delivered },
    { title: 'STATUS', of: ({ statusCode }) => statusCode },
    { title: 'REASON', of: ({ reason }) => reason },
  ]);
  if (!data.delivered) throw new Exit(exitCodes.failed, `not delivered: ${data.reason}`);
}

export async function deliveries(
  call: Call<PageOptions & { webhook?: string; status?: string }>,
): Promise<void> {
  const { page, size, webhook, status } = call.options;
  const webhookId = webhook === undefined ? undefined : await idOf(call.http, 'webhooks', webhook);
  const query = { page, size, webhookId, status };
  await printPage(
    call,
    { path: '/v1/webhook-deliveries', query },
    deliveryColumns,
    'There are no such deliveries.',
  );
}

export async function redeliver({
  http,
  out,
  options: { webhook },
  args: [id],
}: Call<{ webhook?: string }>): Promise<void> {
  if ((id === undefined) === (webhook === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give a delivery, or --webhook for all dead letters of one');
  }
  if (webhook !== undefined) {
    const webhookId = await idOf(http, 'webhooks', webhook);
    const { data } = await http.send<{ count: number }>({
      method: 'POST',
      path: path`/v1/webhooks/${webhookId}/redeliver`,
    });
    return out.record(data, [{ title: 'COUNT', of: ({ count }) => count }]);
  }
  const { data } = await http.send<WebhookDelivery>({
    method: 'POST',
    path: path`/v1/webhook-deliveries/${id ?? ''}/redeliver`,
  });
  out.record(data, deliveryColumns);
}
