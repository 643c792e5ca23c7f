import { useState } from 'preact/hooks';
import type {
  DeliveryStatus,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '../../../features/webhooks/schema.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { count, percent } from '../../data/format.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useList, useResource } from '../../data/resource.ts';
import { choiceInUrl, go, to } from '../../data/route.ts';
import { StatusName, Time, type Tone } from '../../parts/badges.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Details, Heading } from '../../parts/frame/heading.tsx';
import { Filter } from '../../parts/list/filters.tsx';
import { List } from '../../parts/list/list.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import {
  failureRate,
  readWebhookHealth,
  ShownSecret,
  targetOf,
  WebhookForm,
  type WebhookHealth,
  WebhookStatus,
} from './list.tsx';

const statuses: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'DEAD'];
const tones: Readonly<Record<DeliveryStatus, Tone>> = { PENDING: 'busy', DELIVERED: 'good', DEAD: 'bad' };
const everyMs = 3_000;

/** Deliveries that were made, that are still tried, and dead letters. */
function Deliveries({ webhookId }: { webhookId: string }) {
  const { webhooks: text, common } = words.value;
  const status = choiceInUrl('status', statuses);
  const resource = useList<WebhookDelivery>('/v1/webhook-deliveries', { webhookId, status }, { everyMs });
  const { error, isBusy, run } = useChange();

  async function redeliver(id: string) {
    await call(`/v1/webhook-deliveries/${id}/redeliver`, { method: 'POST' });
    announce(text.redelivering);
    resource.reload();
  }
  async function redeliverDead() {
    const path = `/v1/webhooks/${webhookId}/redeliver`;
    const { data } = await call<{ count: number }>(path, { method: 'POST' });
    announce(text.redelivered(data.count));
    resource.reload();
  }
  return (
    <section>
      <div class="section-heading">
        <h2>{text.deliveries}</h2>
        <Filter
          label={common.status}
          name="status"
          value={status}
          choices={statuses}
          names={text.deliveryStatuses}
        />
        {status === 'DEAD' && may('webhooks:write') && (
          <button
            type="button"
            class="button small"
            disabled={isBusy}
            onClick={() => void run(redeliverDead)}
          >
            {text.redeliverDead}
          </button>
        )}
      </div>
      {error && <Problem error={error} />}
      <List resource={resource} none={status ? text.noneOfStatus : text.noDeliveries}>
        {(deliveries) => (
          <DeliveryTable
            deliveries={deliveries}
            onRedeliver={may('webhooks:write') ? (id) => void run(() => redeliver(id)) : null}
          />
        )}
      </List>
    </section>
  );
}

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  /** Null when the viewer may not. */
  onRedeliver: ((id: string) => void) | null;
}

function DeliveryTable({ deliveries, onRedeliver }: DeliveryTableProps) {
  const { webhooks: text, common } = words.value;
  return (
    <Table headings={[text.event, common.status, text.attempts, text.last, text.response, '']}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <th scope="row">
            <code>{delivery.eventType}</code> <Time at={delivery.createdAt} />
          </th>
          <td>
            <StatusName tone={tones[delivery.status]}>{text.deliveryStatuses[delivery.status]}</StatusName>
          </td>
          <td>{delivery.attemptCount}</td>
          <td>{delivery.lastAttemptAt && <Time at={delivery.lastAttemptAt} />}</td>
          <td>
            {delivery.lastStatusCode} <Visible text={delivery.lastError ?? ''} />
          </td>
          <td>
            {onRedeliver && delivery.status !== 'PENDING' && (
              <button type="button" class="button small" onClick={() => onRedeliver(delivery.id)}>
                {text.redeliver}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function WebhookPage({ id }: { id: string }) {
  const resource = useResource(
    `webhook ${id}`,
    async ({ signal }) => (await call<Webhook>(`/v1/webhooks/${id}`, { signal })).data,
  );
  const { state } = useResource(`health of ${id}`, ({ signal }) => readWebhookHealth(id, signal), {
    everyMs,
  });
  const health = state.is === 'ready' ? state.data : null;
  return (
    <Show resource={resource}>
      {(webhook) => (
        <>
          <Heading title={webhook.name}>
            <WebhookStatus of={webhook} health={health} />
          </Heading>
          {may('webhooks:write') && <Actions webhook={webhook} reload={resource.reload} />}
          <Facts webhook={webhook} health={health} />
          <Deliveries webhookId={webhook.id} />
        </>
      )}
    </Show>
  );
}

function Facts({ webhook, health }: { webhook: Webhook; health: WebhookHealth | null }) {
  const { webhooks: text, severities, common } = words.value;
  const { format, types, integrationIds, minSeverity, previousSecretUntil, createdAt, status } = webhook;
  return (
    <>
      {status === 'DISABLED' && <p class="note">{text.disabled}</p>}
      <Details
        of={[
          [text.format, text.formats[format]],
          [text.sends, <Visible key="" text={targetOf(webhook)} />],
          [text.types, <code key="">{types.join(', ')}</code>],
          [
            text.integrations,
            integrationIds.length > 0 && (
              <Visible key="" text={integrationIds.map((id) => nameOfIntegration(id) ?? '…').join(', ')} />
            ),
          ],
          [text.minSeverity, minSeverity && severities[minSeverity]],
          [
            text.lastSuccess,
            health &&
              (health.lastSuccessAt ? <Time at={health.lastSuccessAt} show="full" /> : text.noSuccess),
          ],
          [
            text.failureRate,
            health &&
              failureRate(health) !== null &&
              text.rate(percent(failureRate(health) ?? 0), count(health.failed)),
          ],
          [text.bothUntil, previousSecretUntil && <Time at={previousSecretUntil} show="full" />],
          [common.created, <Time key="" at={createdAt} show="full" />],
        ]}
      />
    </>
  );
}

function Actions({ webhook, reload }: { webhook: Webhook; reload: () => void }) {
  const { webhooks: text } = words.value;
  const { error, isBusy, run } = useChange();
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<WebhookTest | null>(null);
  const path = `/v1/webhooks/${webhook.id}`;
  const isActive = webhook.status === 'ACTIVE';

  async function test() {
    setOutcome(null);
    setOutcome((await call<WebhookTest>(`${path}/test`, { method: 'POST' })).data);
  }
  async function setStatus() {
    await call(path, { method: 'PATCH', json: { status: isActive ? 'DISABLED' : 'ACTIVE' } });
    reload();
  }
  async function rotate() {
    if (!(await ask(text.rotateQuestion, text.rotate))) return;
    setSecret((await call<RotatedWebhook>(`${path}/rotate-secret`, { method: 'POST' })).data.secret);
  }
  async function remove() {
    if (!(await ask(text.deleteQuestion, text.delete))) return;
    await call(path, { method: 'DELETE' });
    announce(text.deleted);
    go(to('webhooks'));
  }
  const button = (label: string, change: () => Promise<void>, tone = '') => (
    <button type="button" class={`button ${tone}`} disabled={isBusy} onClick={() => void run(change)}>
      {label}
    </button>
  );
  return (
    <section class="actions">
      <div class="buttons">
        {button(text.test, test)}
        <button type="button" class="button" onClick={() => setEditing(true)}>
          {text.edit}
        </button>
        {button(isActive ? text.disable : text.enable, setStatus)}
        {webhook.format === 'EVENTS' && button(text.rotate, rotate)}
        {button(text.delete, remove, 'danger')}
      </div>
      {error && <Problem error={error} />}
      {outcome && (
        <p class={outcome.delivered ? 'good-line' : 'mistake'} role="status">
          {outcome.delivered
            ? text.testDelivered(String(outcome.statusCode ?? ''))
            : text.testFailed(outcome.reason ?? String(outcome.statusCode ?? ''))}
        </p>
      )}
      {editing && (
        <Dialog title={text.edit} onClose={() => setEditing(false)}>
          <WebhookForm
            webhook={webhook}
            onSaved={() => {
              setEditing(false);
              announce(text.changed);
              reload();
            }}
            onCancel={() => setEditing(false)}
          />
        </Dialog>
      )}
      {secret !== null && (
        <ShownSecret
          title={text.rotated}
          secret={secret}
          onEnd={() => {
            setSecret(null);
            reload();
          }}
        />
      )}
    </section>
  );
}
