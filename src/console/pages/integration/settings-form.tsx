import { useState } from 'preact/hooks';
import type { Integration, IntegrationSettings } from '../../../features/integrations/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { may } from '../../data/operator.ts';
import { Select } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';

type Chosen = Pick<
  IntegrationSettings,
  | 'contentRetention'
  | 'reviewInput'
  | 'detectionSensitivity'
  | 'sessionScope'
  | 'requireSession'
  | 'whenNoPolicy'
>;

const choices = {
  contentRetention: ['redacted', 'full', 'none'],
  reviewInput: ['full', 'redacted'],
  detectionSensitivity: ['balanced', 'strict'],
  sessionScope: ['client', 'connection', 'integration', 'trace'],
  requireSession: ['false', 'true'],
  whenNoPolicy: ['ALLOW', 'BLOCK'],
} as const satisfies Record<keyof Chosen, readonly string[]>;
const names = Object.keys(choices) as (keyof Chosen)[];

const readChoice = (text: string): string | boolean =>
  text === 'true' || text === 'false' ? text === 'true' : text;

interface IntegrationSettingsFormProps {
  integration: Integration;
  onSaved: () => void;
}

/** The settings that are a choice. Lists of tags are in the API. */
export function IntegrationSettingsForm({ integration, onSaved }: IntegrationSettingsFormProps) {
  const { integrations: text } = words.value;
  const [changes, setChanges] = useState<Partial<Record<keyof Chosen, string>>>({});

  async function save() {
    const settings = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, readChoice(value)]),
    );
    const path = `/v1/integrations/${integration.id}`;
    if (!(await confirmed(() => call(path, { method: 'PATCH', json: { settings } })))) return;
    setChanges({});
    announce(text.settingsSaved);
    onSaved();
  }
  return (
    <section class="card">
      <h2>{text.settings}</h2>
      <Form
        submitLabel={text.changes}
        isComplete={Object.keys(changes).length > 0 && may('integrations:write')}
        onSubmit={save}
      >
        {names.map((name) => (
          <Select
            key={name}
            label={text.settingNames[name]}
            value={changes[name] ?? String(integration.settings[name])}
            choices={choices[name].map((value) => [value, text.settingValues[value]])}
            onChoose={(value) => setChanges({ ...changes, [name]: value })}
          />
        ))}
      </Form>
    </section>
  );
}
