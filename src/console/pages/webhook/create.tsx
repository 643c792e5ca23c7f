import { useState } from 'preact/hooks';
import type { Severity } from '../../../schemas/decisions.ts';
import type { CreatedWebhook, WebhookFormat } from '../../../schemas/webhooks.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { listed } from '../../data/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Secret, ShownOnce } from '../../parts/secret.tsx';
import { words } from '../../strings/index.ts';

const formats: readonly WebhookFormat[] = ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'];
const severities: readonly Severity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

/** Creates a webhook; one that signs shows its secret once. */
export function CreateWebhook({ onEnd }: { onEnd: () => void }) {
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
      <NewWebhook onCreated={created} onCancel={onEnd} />
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

interface NewWebhookProps {
  onCreated: (webhook: CreatedWebhook) => void;
  onCancel: () => void;
}

function NewWebhook({ onCreated, onCancel }: NewWebhookProps) {
  const { webhooks: text, severities: names, common } = words.value;
  const [name, setName] = useState('');
  const [format, setFormat] = useState<WebhookFormat>('EVENTS');
  const [target, setTarget] = useState('');
  const [types, setTypes] = useState('');
  const [minSeverity, setMinSeverity] = useState<Severity | 'ANY'>('ANY');
  const isEmail = format === 'EMAIL';

  async function create() {
    const json = {
      name: name.trim(),
      format,
      ...(isEmail ? { to: listed(target) } : { url: target.trim() }),
      ...(listed(types).length > 0 && { types: listed(types) }),
      ...(minSeverity !== 'ANY' && { minSeverity }),
    };
    onCreated((await call<CreatedWebhook>('/v1/webhooks', { method: 'POST', json })).data);
  }
  return (
    <Form
      submitLabel={text.create}
      isComplete={name.trim() !== '' && target.trim() !== ''}
      onSubmit={create}
      onCancel={onCancel}
    >
      <TextField label={common.name} value={name} maxLength={200} required onInput={setName} />
      <Select
        label={text.format}
        value={format}
        choices={formats.map((one) => [one, text.formats[one]])}
        onChoose={setFormat}
      />
      <TextField
        label={isEmail ? text.to : text.url}
        hint={isEmail ? text.toHint : text.urlHint}
        value={target}
        required
        onInput={setTarget}
      />
      <TextField label={text.types} hint={text.typesHint} value={types} onInput={setTypes} />
      <Select
        label={text.minSeverity}
        value={minSeverity}
        choices={[['ANY', text.any], ...severities.map((one) => [one, names[one]] as const)]}
        onChoose={setMinSeverity}
      />
    </Form>
  );
}
