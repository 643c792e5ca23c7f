import { useState } from 'preact/hooks';
import type { Integration } from '../../features/integrations/schema.ts';
import type {
  CreatedWebhook,
  CreateWebhook,
  Webhook,
  WebhookFormat,
} from '../../features/webhooks/schema.ts';
import { webhookFormats } from '../../features/webhooks/words.ts';
import type { Severity } from '../../schemas/decisions.ts';
import { severities } from '../../schemas/words.ts';
import { call, callAll } from '../data/api.ts';
import { announce } from '../data/change.ts';
import { listed } from '../data/format.ts';
import { may } from '../data/operator.ts';
import { mostListed, useList, useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Secret, ShownOnce } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, Select, TextField } from '../parts/form.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ListTable } from '../parts/list.tsx';
import { Show } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

interface IntegrationChoiceProps {
  label: string;
  hint: string;
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}

/** Any number of the integrations that are not deleted, and of those that were chosen before. */
export function IntegrationChoice({ label, hint, chosen, onChoose }: IntegrationChoiceProps) {
  const resource = useResource('integrations to choose from', ({ signal }) =>
    callAll<Integration>('/v1/integrations', { signal }),
  );
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Show resource={resource}>
        {(integrations) => (
          <div class="checks">
            {integrations
              .filter(({ id, status }) => status === 'ACTIVE' || chosen.includes(id))
              .map(({ id, name, status }) => (
                <label key={id} class="check">
                  <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />{' '}
                  <Visible text={name} />
                  {status === 'DELETED' && (
                    <span class="quiet">({words.value.integrations.deletedState})</span>
                  )}
                </label>
              ))}
          </div>
        )}
      </Show>
      <p class="hint">{hint}</p>
    </fieldset>
  );
}

interface WebhookFormProps {
  /** Null for a new one. */
  webhook: Webhook | null;
  onSaved: (webhook: CreatedWebhook) => void;
  onCancel: () => void;
}

/** Addresses of Slack and Teams are secrets, which the service never returns: left empty, they stay. */
const targetToEdit = ({ format, url, to }: Webhook): string =>
  format === 'EVENTS' ? (url ?? '') : to.join(', ');

export function WebhookForm({ webhook, onSaved, onCancel }: WebhookFormProps) {
  const { webhooks: text, severities: names, common } = words.value;
  const [name, setName] = useState(webhook?.name ?? '');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'EVENTS');
  const [target, setTarget] = useState(webhook ? targetToEdit(webhook) : '');
  const [types, setTypes] = useState(webhook?.types.join(', ') ?? '');
  const [integrationIds, setIntegrations] = useState<readonly string[]>(webhook?.integrationIds ?? []);
  const [minSeverity, setMinSeverity] = useState<Severity | 'ANY'>(webhook?.minSeverity ?? 'ANY');
  const isEmail = format === 'EMAIL';

  async function save() {
    const json = {
      name: name.trim(),
      ...(target.trim() && (isEmail ? { to: listed(target) } : { url: target.trim() })),
      ...(listed(types).length > 0 && { types: listed(types) }),
      ...((webhook || integrationIds.length > 0) && { integrationIds: [...integrationIds] }),
      ...(minSeverity !== 'ANY' && { minSeverity }),
    };
    const { data } = webhook
      ? await call<CreatedWebhook>(`/v1/webhooks/${webhook.id}`, { method: 'PATCH', json })
      : await call<CreatedWebhook>('/v1/webhooks', {
          method: 'POST',
          json: { ...json, format } satisfies CreateWebhook,
        });
    onSaved(data);
  }
  return (
    <Form
      submitLabel={webhook ? common.save : text.create}
      isComplete={name.trim() !== '' && (webhook !== null || target.trim() !== '')}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextField label={common.name} value={name} maxLength={200} required onInput={setName} />
      {!webhook && (
        <Select
          label={text.format}
          value={format}
          choices={webhookFormats.map((one) => [one, text.formats[one]])}
          onChoose={setFormat}
        />
      )}
      <TextField
        label={isEmail ? text.to : text.url}
        hint={webhook ? text.targetStays : isEmail ? text.toHint : text.urlHint}
        value={target}
        required={!webhook}
        onInput={setTarget}
      />
      <TextField
        label={text.types}
        hint={webhook ? text.typesStay : text.typesHint}
        value={types}
        onInput={setTypes}
      />
      <IntegrationChoice
        label={text.integrations}
        hint={text.integrationsHint}
        chosen={integrationIds}
        onChoose={setIntegrations}
      />
      <Select
        label={text.minSeverity}
        value={minSeverity}
        choices={[
          // One that was set can be lowered, and not be taken away.
          ...(webhook?.minSeverity ? [] : [['ANY', text.any] as const]),
          ...severities.map((one) => [one, names[one]] as const),
        ]}
        onChoose={setMinSeverity}
      />
    </Form>
  );
}

/** Creates a webhook; one that signs shows its secret once. */
function CreateWebhookDialog({ onEnd }: { onEnd: () => void }) {
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

export function WebhooksPage() {
  const { webhooks: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<Webhook>('/v1/webhooks', {}, { size: mostListed });
  return (
    <>
      <Heading title={text.title}>
        {may('webhooks:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
      />
      {creating && (
        <CreateWebhookDialog
          onEnd={() => {
            setCreating(false);
            resource.reload();
          }}
        />
      )}
    </>
  );
}

export const targetOf = ({ url, to: recipients }: Webhook): string => url ?? recipients.join(', ');

function columnsOf(): Column<Webhook>[] {
  const { webhooks: text, common } = words.value;
  return [
    {
      id: 'name',
      heading: common.name,
      value: ({ name }) => name,
      show: ({ id, name }) => (
        <Link href={to('webhooks', id)}>
          <Visible text={name} />
        </Link>
      ),
    },
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => (
        <StatusName tone={status === 'ACTIVE' ? 'good' : 'quiet'}>{text.statuses[status]}</StatusName>
      ),
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
