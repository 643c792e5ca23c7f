import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, numberOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { type Http, path } from '../../client/http.ts';
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookTest } from './schema.ts';
import { deliveryStatuses, leastSeverities, webhookFormats, webhookStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addWebhooks(program: Command, io: Io): void {
  const webhooks = program
    .command('webhooks')
    .alias('webhook')
    .summary('send events to a service, Slack, Microsoft Teams or e-mail')
    .description(
      'Webhooks send events to a service, to Slack, to Microsoft Teams or by e-mail. Name one by its id, or by its name if that is unique.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize webhooks create siem --endpoint https://siem.example.com/assize --type "evaluation.*"',
        'assize webhooks create on-call --format EMAIL --to reviewers@example.com',
      ]),
    );
  const add = <Options extends object>(
    name: string,
    summary: string,
    examples: string[],
    act: (call: Call<Options>) => Promise<void>,
  ): Command => addApiCommand(webhooks, io, { name, summary, examples }, async () => act);

  addPaging(add('list', 'list webhooks, newest first', ['assize webhooks list'], list));
  add('show <webhook>', 'show a webhook', ['assize webhooks show siem'], show);
  targetOptions(
    add(
      'create <name>',
      'create a webhook; its signing secret is shown only once',
      [
        'assize webhooks create siem --endpoint https://siem.example.com/assize',
        'assize webhooks create chat --format SLACK --endpoint https://hooks.slack.com/services/T0/B0/x',
      ],
      create,
    ).addOption(wordOption('--format <format>', 'what is sent (default EVENTS)', webhookFormats)),
  );
  targetOptions(
    add(
      'update <webhook>',
      'change the given fields',
      ['assize webhooks update siem --status DISABLED'],
      update,
    )
      .option('--name <name>', 'its new name')
      .addOption(wordOption('--status <status>', 'DISABLED sends nothing', webhookStatuses)),
  );
  add('delete <webhook>', 'delete a webhook and its deliveries', ['assize webhooks delete siem'], remove);
  add(
    'rotate-secret <webhook>',
    'replace the signing secret; the new one is shown only once',
    ['assize webhooks rotate-secret siem --overlap-hours 48'],
    rotateSecret,
  ).addOption(
    numberOption('--overlap-hours <n>', 'hours for which both secrets sign (default 24)', [0, 168]),
  );
  add('test <webhook>', 'send a test event now, and show the result', ['assize webhooks test siem'], test);
  addPaging(
    add(
      'deliveries',
      'list deliveries, newest first; DEAD ones are no longer retried',
      ['assize webhooks deliveries --status DEAD', 'assize webhooks deliveries --webhook siem'],
      deliveries,
    ),
  )
    .option('--webhook <webhook>', 'only those of a webhook')
    .addOption(wordOption('--status <status>', 'only these', deliveryStatuses));
  add(
    'redeliver [delivery]',
    'redeliver one delivery, or all dead letters of a webhook',
    [`assize webhooks redeliver ${someId}`, 'assize webhooks redeliver --webhook siem'],
    redeliver,
  ).option('--webhook <webhook>', 'all dead letters of this webhook');
}

function targetOptions(command: Command): void {
  command
    .option('--endpoint <url>', 'where to send')
    .option('--to <address...>', 'recipients of e-mail')
    .option('--type <type...>', 'event types, or prefixes such as review.*')
    .option('--integration <integration...>', 'only events of these integrations')
    .addOption(
      wordOption('--min-severity <severity>', 'leave out events of a lower severity', leastSeverities),
    );
}

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

async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  await printPage(call, { path: '/v1/webhooks', query: { page, size } }, columns, 'There are no webhooks.');
}

async function show({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  out.record((await http.send<Webhook>({ method: 'GET', path: path`/v1/webhooks/${id}` })).data, fields);
}

async function create({ http, out, options, args: [name = ''] }: Call<Target>): Promise<void> {
  // Before anything is sent: who takes --url for the receiver would send it the key.
  if (options.endpoint === undefined && options.to === undefined)
    throw new Exit(exitCodes.wrongUse, 'give --endpoint, or --to for e-mail: --url is this service');
  const json = { format: 'EVENTS', ...(await bodyOf(http, options)), name };
  const { data } = await http.send<CreatedWebhook>({ method: 'POST', path: '/v1/webhooks', json });
  out.record(data, createdFields);
  if (data.secret !== null)
    out.note('The secret is shown only once: store it where deliveries are verified.');
}

async function update({ http, out, options, args }: Call<Target>): Promise<void> {
  const json = await bodyOf(http, options);
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'webhooks', args[0]);
  const { data } = await http.send<Webhook>({ method: 'PATCH', path: path`/v1/webhooks/${id}`, json });
  out.record(data, fields);
}

async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  out.record((await http.send<Webhook>({ method: 'DELETE', path: path`/v1/webhooks/${id}` })).data, fields);
}

async function rotateSecret({
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

async function test({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'webhooks', args[0]);
  const { data } = await http.send<WebhookTest>({ method: 'POST', path: path`/v1/webhooks/${id}/test` });
  out.record(data, [
    { title: 'DELIVERED', of: ({ delivered }) => delivered },
    { title: 'STATUS', of: ({ statusCode }) => statusCode },
    { title: 'REASON', of: ({ reason }) => reason },
  ]);
  if (!data.delivered) throw new Exit(exitCodes.failed, `not delivered: ${data.reason}`);
}

async function deliveries(call: Call<PageOptions & { webhook?: string; status?: string }>): Promise<void> {
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

async function redeliver({
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
