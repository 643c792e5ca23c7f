import { useState } from 'preact/hooks';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { type CreatedIntegration, type IntegrationKind, integrationKinds } from './kinds.ts';
import { ShownKey } from './shown-key.tsx';

export function CreateIntegration({ onEnd }: { onEnd: () => void }) {
  const { integrations: text } = words.value;
  const [created, setCreated] = useState<CreatedIntegration | null>(null);
  if (created) {
    return (
      <Dialog title={text.created} onClose={onEnd} keepsOpen>
        <ShownKey apiKey={created.apiKey} webhookSecret={created.webhookSecret} />
        <div class="buttons">
          <button type="button" class="button primary" onClick={onEnd}>
            {text.done}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={text.create} onClose={onEnd}>
      <Form onCreated={setCreated} onCancel={onEnd} />
    </Dialog>
  );
}

function Form({
  onCreated,
  onCancel,
}: {
  onCreated: (created: CreatedIntegration) => void;
  onCancel: () => void;
}) {
  const { integrations: text, common } = words.value;
  const [name, setName] = useState('');
  const [kind, setKind] = useState<IntegrationKind>('AGENT');
  const [description, setDescription] = useState('');
  const [error, setError] = useState<ApiError | null>(null);

  async function submit(event: Event) {
    event.preventDefault();
    setError(null);
    const json = { name: name.trim(), kind, ...(description.trim() && { description: description.trim() }) };
    try {
      const found = await confirmed(() =>
        call<CreatedIntegration>('/v1/integrations', { method: 'POST', json }),
      );
      if (found) onCreated(found.data);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  return (
    <form onSubmit={submit}>
      <Field label={common.name}>
        {(ids) => (
          <input
            {...ids}
            value={name}
            maxLength={200}
            required
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Select
        label={text.kind}
        value={kind}
        choices={integrationKinds.map((one) => [one, text.kinds[one]])}
        onChoose={setKind}
      />
      <Field label={text.description}>
        {(ids) => (
          <input
            {...ids}
            value={description}
            maxLength={2_000}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        )}
      </Field>
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={name.trim() === ''}>
          {text.create}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}
