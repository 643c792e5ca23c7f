import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { numberOption, textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { path } from '../../client/http.ts';
import { severities } from '../../schemas/words.ts';
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookTest } from './schema.ts';
import { deliveryStatuses, webhookFormats, webhookStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

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

const testFields: Column<WebhookTest>[] = [
  { title: 'DELIVERED', of: ({ delivered }) => delivered },
  { title: 'STATUS', of: ({ statusCode }) => statusCode },
  { title: 'REASON', of: ({ reason }) => reason },
];

const targetOptions = [
  textOption('--endpoint <url>', 'where to send'),
  textOption('--to <address...>', 'recipients of e-mail'),
  textOption('--type <type...>', 'event types, or prefixes such as review.*'),
  textOption('--integration <integration...>', 'only events of these integrations'),
  wordOption('--min-severity <severity>', 'leave out events of a lower severity', severities),
];
const targetFields = {
  endpoint: 'url',
  type: 'types',
  integration: { field: 'integrationIds', noun: 'integrations' },
} as const;

export const addWebhooks = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'webhooks',
    alias: 'webhook',
    summary: 'send events to a service, Slack, Microsoft Teams or e-mail',
    description:
      'Webhooks send events to a service, to Slack, to Microsoft Teams or by e-mail. Name one by its id, or by its name if that is unique.',
    examples: [
      'assize webhooks create siem --endpoint https://siem.example.com/assize --type "evaluation.*"',
      'assize webhooks create on-call --format EMAIL --to reviewers@example.com',
    ],
    commands: [
      {
        name: 'list',
        summary: 'list webhooks, newest first',
        examples: ['assize webhooks list'],
        request: 'GET /v1/webhooks',
        columns,
        none: 'There are no webhooks.',
      },
      {
        name: 'show <webhook>',
        summary: 'show a webhook',
        examples: ['assize webhooks show siem'],
        request: 'GET /v1/webhooks/{webhooks}',
        columns: fields,
      },
      {
        name: 'create <name>',
        summary: 'create a webhook; its signing secret is shown only once',
        examples: [
          'assize webhooks create siem --endpoint https://siem.example.com/assize',
          'assize webhooks create chat --format SLACK --endpoint https://hooks.slack.com/services/T0/B0/x',
        ],
        options: [
          wordOption('--format <format>', 'what is sent (default EVENTS)', webhookFormats),
          ...targetOptions,
        ],
        request: 'POST /v1/webhooks',
        defaults: { format: 'EVENTS' },
        fields: targetFields,
        // Before anything is sent: who takes --url for the receiver would send it the key.
        check: ({ endpoint, to }: { endpoint?: string; to?: string[] }) =>
          endpoint === undefined && to === undefined
            ? 'give --endpoint, or --to for e-mail: --url is this service'
            : null,
        print: printCreated,
      },
      {
        name: 'update <webhook>',
        summary: 'change the given fields',
        examples: ['assize webhooks update siem --status DISABLED'],
        options: [
          textOption('--name <name>', 'its new name'),
          wordOption('--status <status>', 'DISABLED sends nothing', webhookStatuses),
          ...targetOptions,
        ],
        request: 'PATCH /v1/webhooks/{webhooks}',
        fields: targetFields,
        columns: fields,
      },
      {
        name: 'delete <webhook>',
        summary: 'delete a webhook and its deliveries',
        examples: ['assize webhooks delete siem'],
        request: 'DELETE /v1/webhooks/{webhooks}',
        columns: fields,
      },
      {
        name: 'rotate-secret <webhook>',
        summary: 'replace the signing secret; the new one is shown only once',
        examples: ['assize webhooks rotate-secret siem --overlap-hours 48'],
        options: [
          numberOption('--overlap-hours <n>', 'hours for which both secrets sign (default 24)', [0, 168]),
        ],
        request: 'POST /v1/webhooks/{webhooks}/rotate-secret',
        columns: createdFields,
      },
      {
        name: 'test <webhook>',
        summary: 'send a test event now, and show the result',
        examples: ['assize webhooks test siem'],
        request: 'POST /v1/webhooks/{webhooks}/test',
        print: (result: WebhookTest, { out }: Call) => {
          out.record(result, testFields);
          if (!result.delivered) throw new Exit(exitCodes.failed, `not delivered: ${result.reason}`);
        },
      },
      {
        name: 'deliveries',
        summary: 'list deliveries, newest first; DEAD ones are no longer retried',
        examples: ['assize webhooks deliveries --status DEAD', 'assize webhooks deliveries --webhook siem'],
        options: [
          textOption('--webhook <webhook>', 'only those of a webhook'),
          wordOption('--status <status>', 'only these', deliveryStatuses),
        ],
        request: 'GET /v1/webhook-deliveries',
        fields: { webhook: { field: 'webhookId', noun: 'webhooks' } },
        columns: deliveryColumns,
        names: { webhookId: 'webhooks' },
        none: 'There are no such deliveries.',
      },
      {
        name: 'redeliver [delivery]',
        summary: 'redeliver one delivery, or all dead letters of a webhook',
        examples: [`assize webhooks redeliver ${someId}`, 'assize webhooks redeliver --webhook siem'],
        options: [textOption('--webhook <webhook>', 'all dead letters of this webhook')],
        act: redeliver,
      },
    ],
  });

function printCreated(webhook: CreatedWebhook, { out }: Call): void {
  out.record(webhook, createdFields);
  if (webhook.secret !== null)
    out.note('The secret is shown only once: store it where deliveries are verified.');
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
