import { useState } from 'preact/hooks';
import type { Integration, IntegrationSettings } from '../../../features/integrations/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { may } from '../../data/operator.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';

type Quotas = Pick<
  IntegrationSettings,
  | 'maxPendingReviews'
  | 'maxPendingReviewsInSession'
  | 'maxOpenSessions'
  | 'maxBytesPerDay'
  | 'requestsPerMinute'
>;
type Quota = keyof Quotas;

const quotas: readonly Quota[] = [
  'maxPendingReviews',
  'maxPendingReviewsInSession',
  'maxOpenSessions',
  'maxBytesPerDay',
  'requestsPerMinute',
];

interface QuotasFormProps {
  integration: Integration;
  onSaved: () => void;
}

/** How much an integration may use at most. What is entered is checked by the service. */
export function QuotasForm({ integration, onSaved }: QuotasFormProps) {
  const { quotas: text } = words.value.integrations;
  const [changes, setChanges] = useState<Partial<Record<Quota, string>>>({});

  async function save() {
    const settings = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value === '' ? null : Number(value)]),
    );
    const path = `/v1/integrations/${integration.id}`;
    if (!(await confirmed(() => call(path, { method: 'PATCH', json: { settings } })))) return;
    setChanges({});
    announce(text.saved);
    onSaved();
  }
  return (
    <section class="card">
      <h2>{text.title}</h2>
      <Form
        submitLabel={text.save}
        isComplete={Object.keys(changes).length > 0 && may('integrations:write')}
        onSubmit={save}
      >
        {quotas.map((name) => (
          <TextField
            key={name}
            label={text.names[name]}
            hint={text.hints[name]}
            type="number"
            value={changes[name] ?? String(integration.settings[name] ?? '')}
            onInput={(value) => setChanges({ ...changes, [name]: value })}
          />
        ))}
      </Form>
    </section>
  );
}
