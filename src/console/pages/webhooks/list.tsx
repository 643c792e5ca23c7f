import { useState } from 'preact/hooks';
import type {
  CreatedWebhook,
  CreateWebhook,
  Webhook,
  WebhookDelivery,
} from '../../../features/webhooks/schema.ts';
import { webhookFormats } from '../../../features/webhooks/words.ts';
import type { Severity } from '../../../schemas/decisions.ts';
import { severities } from '../../../schemas/words.ts';
import { call, mostListed } from '../../data/api.ts';
import { announce } from '../../data/change.ts';
import { listed, percent } from '../../data/format.ts';
import { useList, useResource } from '../../data/resource.ts';
import { StatusName, Time } from '../../parts/badges.tsx';
import { Secret, ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { ManagedList } from '../../parts/list/list.tsx';
import { type Column, nameColumn } from '../../parts/list/table.tsx';
import { words } from '../../strings/index.ts';

interface WebhookFormProps {
  /** Null for a new one. */
  webhook: Webhook | null;
  onSaved: (webhook: CreatedWebhook) => void;
  onCancel: () => void;
}

export function WebhookForm({ webhook, onSaved, onCancel }: WebhookFormProps) {
  const { webhooks: text, severities: names, common } = words.value;
  return (
    <FieldsForm
      submitLabel={webhook ? common.save : text.create}
      onCancel={onCancel}
      initial={{
        name: webhook?.name ?? '',
        format: webhook?.format ?? webhookFormats[0],
        // Addresses of Slack and Teams are secrets, which the service never returns: left empty, they stay.
        url: webhook?.format === 'EVENTS' ? (webhook.url ?? '') : '',
        to: webhook?.to.join(', ') ?? '',
        types: webhook?.types.join(', ') ?? '',
        integrationIds: webhook?.integrationIds ?? [],
        minSeverity: (webhook?.minSeverity ?? 'ANY') as Severity | 'ANY',
      }}
      fields={({ format }) => [
        { name: 'name', label: common.name, maxLength: 200, required: true },
        !webhook && {
          name: 'format',
          label: text.format,
          choices: webhookFormats.map((one) => [one, text.formats[one]]),
        },
        format === 'EMAIL'
          ? { name: 'to', label: text.to, hint: webhook ? text.targetStays : text.toHint, required: !webhook }
          : {
              name: 'url',
              label: text.url,
              hint: webhook ? text.targetStays : text.urlHint,
              required: !webhook,
            },
        { name: 'types', label: text.types, hint: webhook ? text.typesStay : text.typesHint },
        {
          name: 'integrationIds',
          label: text.integrations,
          hint: text.integrationsHint,
          anyOf: 'integrations',
        },
        {
          name: 'minSeverity',
          label: text.minSeverity,
          choices: [
            // A minimum severity that was set can be lowered, but not removed.
            ...(webhook?.minSeverity ? [] : [['ANY', text.any] as const]),
            ...severities.map((one) => [one, names[one]] as const),
          ],
        },
      ]}
      onSubmit={async ({ name, format, url, to: recipients, types, integrationIds, minSeverity }) => {
        const isEmail = format === 'EMAIL';
        const json = {
          name: name.trim(),
          ...(isEmail && recipients.trim() && { to: listed(recipients) }),
          ...(!isEmail && url.trim() && { url: url.trim() }),
          ...(listed(types).length > 0 && { types: listed(types) }),
          ...((webhook || integrationIds.length > 0) && { integrationIds: [...integrationIds] }),
          ...(minSeverity !== 'ANY' && { minSeverity }),
        };
        const created = { ...json, format } satisfies CreateWebhook;
        const { data } = webhook
          ? await call<CreatedWebhook>(`/v1/webhooks/${webhook.id}`, { method: 'PATCH', json })
          : await call<CreatedWebhook>('/v1/webhooks', { method: 'POST', json: created });
        onSaved(data);
      }}
    />
  );
}

/** Creates a webhook; one that signs shows its secret once. */
export function CreateWebhookDialog({ onEnd }: { onEnd: () => void }) {
  const { webhooks: text } = words.value;
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <ShownSecret title={text.created} secret={secret} onEnd={onEnd} />;
  const created = (webhook: CreatedWebhook) => {
    if (webhook.secret !== null) return setSecret(webhook.secret);
    announce(text.created);
    onEnd();
  };
  return (
    <Dialog title={text.create} onClose={onEnd}>
      <WebhookForm webhook={null} onSaved={created} onCancel={onEnd} />
    </Dialog>
  );
}

interface ShownSecretProps {
  title: string;
  secret: string;
  onEnd: () => void;
}

export function ShownSecret({ title, secret, onEnd }: ShownSecretProps) {
  const { webhooks: text } = words.value;
  return (
    <ShownOnce title={title} onEnd={onEnd}>
      <p class="note">{text.secretOnce}</p>
      <Secret label={text.secret} value={secret} />
    </ShownOnce>
  );
}

const healthEveryMs = 30_000;

export function WebhooksPage() {
  const { webhooks: text } = words.value;
  const resource = useList<Webhook>('/v1/webhooks', {}, { size: mostListed });
  const ids = resource.state.is === 'ready' ? resource.state.data.data.map(({ id }) => id) : [];
  const { state } = useResource(
    `health of ${ids.join()}`,
    async ({ signal }) =>
      new Map(await Promise.all(ids.map(async (id) => [id, await readWebhookHealth(id, signal)] as const))),
    { everyMs: healthEveryMs },
  );
  return (
    <ManagedList
      title={text.title}
      permission="webhooks:write"
      createLabel={text.create}
      create={(close) => (
        <CreateWebhookDialog
          onEnd={() => {
            close();
            resource.reload();
          }}
        />
      )}
      columns={columnsOf(state.is === 'ready' ? state.data : new Map())}
      resource={resource}
      none={text.none}
      hint={text.noneHint}
    />
  );
}

function LastSuccess({ of: health }: { of: WebhookHealth | null }) {
  if (health === null) return null;
  return health.lastSuccessAt ? <Time at={health.lastSuccessAt} /> : words.value.webhooks.noSuccess;
}

export const targetOf = ({ url, to: recipients }: Webhook): string => url ?? recipients.join(', ');

interface StatusProps {
  of: Webhook;
  /** Null until it is known. */
  health: WebhookHealth | null;
}

export function WebhookStatus({ of, health }: StatusProps) {
  const isFailing = of.status === 'ACTIVE' && health?.isFailing === true;
  return (
    <StatusName tone={isFailing ? 'bad' : of.status === 'ACTIVE' ? 'good' : 'quiet'}>
      {statusName({ of, health })}
    </StatusName>
  );
}

const statusName = ({ of: { status }, health }: StatusProps): string => {
  const { webhooks: text } = words.value;
  return status === 'ACTIVE' && health?.isFailing ? text.failing : text.statuses[status];
};

function columnsOf(health: ReadonlyMap<string, WebhookHealth>): Column<Webhook>[] {
  const { webhooks: text, common } = words.value;
  const healthOf = ({ id }: Webhook) => health.get(id) ?? null;
  const rateOf = (webhook: Webhook) => {
    const known = healthOf(webhook);
    return known && failureRate(known);
  };
  return [
    nameColumn('webhooks'),
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: (webhook) => statusName({ of: webhook, health: healthOf(webhook) }),
      show: (webhook) => <WebhookStatus of={webhook} health={healthOf(webhook)} />,
    },
    {
      id: 'success',
      heading: text.lastSuccess,
      kind: 'time',
      value: (webhook) => healthOf(webhook)?.lastSuccessAt ?? '',
      show: (webhook) => <LastSuccess of={healthOf(webhook)} />,
    },
    {
      id: 'failed',
      heading: text.failureRate,
      kind: 'number',
      value: (webhook) => rateOf(webhook) ?? -1,
      show: (webhook) => {
        const rate = rateOf(webhook);
        return rate === null ? '–' : percent(rate);
      },
    },
    { id: 'format', heading: text.format, kind: 'mark', value: ({ format }) => text.formats[format] },
    { id: 'target', heading: text.sends, value: targetOf },
    {
      id: 'types',
      heading: text.types,
      value: ({ types }) => types.join(', '),
      show: ({ types }) => <code>{types.join(', ')}</code>,
    },
    {
      id: 'created',
      heading: common.created,
      kind: 'time',
      isOptional: true,
      value: ({ createdAt }) => createdAt,
    },
  ];
}

/** How the newest deliveries of a webhook went. */
export interface WebhookHealth {
  lastSuccessAt: string | null;
  /** Whether the newest attempt failed. */
  isFailing: boolean;
  delivered: number;
  failed: number;
}

/** So many of the newest deliveries count. */
const looksAt = 100;

export async function readWebhookHealth(webhookId: string, signal: AbortSignal): Promise<WebhookHealth> {
  const read = async (query: { status?: string; size: number }) =>
    call<WebhookDelivery[]>('/v1/webhook-deliveries', {
      query: { webhookId, ...query },
      signal,
      background: true,
    });
  const { data, pagination } = await read({ size: looksAt });
  const delivered = data.filter(({ status }) => status === 'DELIVERED');
  const isElsewhere = delivered.length === 0 && pagination.total > data.length;
  const earlier = isElsewhere ? (await read({ status: 'DELIVERED', size: 1 })).data : delivered;
  const success = newest(earlier.map(({ deliveredAt }) => deliveredAt));
  const notDelivered = data.filter(({ status }) => status !== 'DELIVERED');
  return {
    lastSuccessAt: success || null,
    isFailing: newest(notDelivered.map(({ lastAttemptAt }) => lastAttemptAt)) > success,
    delivered: delivered.length,
    failed: data.filter(({ status }) => status === 'DEAD').length,
  };
}

const newest = (times: readonly (string | null)[]): string =>
  times.reduce<string>((latest, at) => (at !== null && at > latest ? at : latest), '');

/** The share of the deliveries that were given up, of those that have ended; null when none has. */
export const failureRate = ({ delivered, failed }: WebhookHealth): number | null =>
  delivered + failed === 0 ? null : failed / (delivered + failed);
