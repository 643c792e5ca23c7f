import { useState } from 'preact/hooks';
import type {
  CreatedWebhook,
  CreateWebhook,
  Webhook,
  WebhookFormat,
} from '../../../features/webhooks/schema.ts';
import type { Severity } from '../../../schemas/decisions.ts';
import { call } from '../../data/api.ts';
import { listed } from '../../data/format.ts';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { IntegrationChoice } from '../../parts/integration-choice.tsx';
import { words } from '../../strings/index.ts';

const formats: readonly WebhookFormat[] = ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'];
const severities: readonly Severity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

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
          choices={formats.map((one) => [one, text.formats[one]])}
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
