import { useState } from 'preact/hooks';
import type { RotatedWebhook, Webhook, WebhookTest } from '../../features/webhooks/schema.ts';
import { announce } from '../data/announcements.ts';
import { call } from '../data/api.ts';
import { useChange } from '../data/change.ts';
import { nameOfIntegration } from '../data/names.ts';
import { may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { useResource } from '../data/resource.ts';
import { go, to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Details } from '../parts/details.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { ShownSecret } from './webhook/create.tsx';
import { Deliveries } from './webhook/deliveries.tsx';
import { WebhookForm } from './webhook/form.tsx';
import { targetOf } from './webhooks.tsx';

export function WebhookPage({ id }: { id: string }) {
  const resource = useResource(
    `webhook ${id}`,
    async ({ signal }) => (await call<Webhook>(`/v1/webhooks/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>
      {(webhook) => (
        <>
          <Heading title={webhook.name}>
            <StatusName tone={webhook.status === 'ACTIVE' ? 'good' : 'quiet'}>
              {words.value.webhooks.statuses[webhook.status]}
            </StatusName>
          </Heading>
          {may('webhooks:write') && <Actions webhook={webhook} reload={resource.reload} />}
          <Facts webhook={webhook} />
          <Deliveries webhookId={webhook.id} />
        </>
      )}
    </Show>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
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
          [text.bothUntil, previousSecretUntil && <Time at={previousSecretUntil} show="full" />],
          [common.created, <Time key="" at={createdAt} show="full" />],
        ]}
      />
    </>
  );
}

function Actions({ webhook, reload }: { webhook: Webhook; reload: () => void }) {
  const { webhooks: text, common } = words.value;
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
    if (!(await ask(text.rotateQuestion))) return;
    setSecret((await call<RotatedWebhook>(`${path}/rotate-secret`, { method: 'POST' })).data.secret);
  }
  async function remove() {
    if (!(await ask(text.deleteQuestion))) return;
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
        {button(common.delete, remove, 'danger')}
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
