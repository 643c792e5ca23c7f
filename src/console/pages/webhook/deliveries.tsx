import type { DeliveryStatus, WebhookDelivery } from '../../../features/webhooks/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { may } from '../../data/operator.ts';
import { useList } from '../../data/resource.ts';
import { choiceInUrl } from '../../data/route.ts';
import { StatusName, type Tone } from '../../parts/badges.tsx';
import { Filter } from '../../parts/filter.tsx';
import { List } from '../../parts/list.tsx';
import { Problem } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

const statuses: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'DEAD'];
const tones: Readonly<Record<DeliveryStatus, Tone>> = { PENDING: 'busy', DELIVERED: 'good', DEAD: 'bad' };
const everyMs = 3_000;

/** Deliveries that were made, that are still tried, and dead letters. */
export function Deliveries({ webhookId }: { webhookId: string }) {
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
