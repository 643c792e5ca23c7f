import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { ShownOnce } from '../../parts/secret.tsx';
import { words } from '../../strings/index.ts';
import { type CreatedIntegration, type IntegrationKind, integrationKinds } from './kinds.ts';
import { ShownKey } from './shown-key.tsx';
import { IntegrationWarnings } from './warnings.tsx';

export function CreateIntegration({ onEnd }: { onEnd: () => void }) {
  const { integrations: text } = words.value;
  const [created, setCreated] = useState<CreatedIntegration | null>(null);
  if (created) {
    return (
      <ShownOnce title={text.created} onEnd={onEnd}>
        <ShownKey apiKey={created.apiKey} webhookSecret={created.webhookSecret} />
        <IntegrationWarnings of={created} />
      </ShownOnce>
    );
  }
  return (
    <Dialog title={text.create} onClose={onEnd}>
      <NewIntegration onCreated={setCreated} onCancel={onEnd} />
    </Dialog>
  );
}

interface NewIntegrationProps {
  onCreated: (created: CreatedIntegration) => void;
  onCancel: () => void;
}

function NewIntegration({ onCreated, onCancel }: NewIntegrationProps) {
  const { integrations: text, common } = words.value;
  const [name, setName] = useState('');
  const [kind, setKind] = useState<IntegrationKind>('AGENT');
  const [description, setDescription] = useState('');

  async function create() {
    const json = { name: name.trim(), kind, ...(description.trim() && { description: description.trim() }) };
    const found = await confirmed(() =>
      call<CreatedIntegration>('/v1/integrations', { method: 'POST', json }),
    );
    if (found) onCreated(found.data);
  }
  return (
    <Form submitLabel={text.create} isComplete={name.trim() !== ''} onSubmit={create} onCancel={onCancel}>
      <TextField label={common.name} value={name} maxLength={200} required onInput={setName} />
      <Select
        label={text.kind}
        value={kind}
        choices={integrationKinds.map((one) => [one, text.kinds[one]])}
        onChoose={setKind}
      />
      <TextField label={text.description} value={description} maxLength={2_000} onInput={setDescription} />
    </Form>
  );
}
