import { useState } from 'preact/hooks';
import type {
  Integration,
  IntegrationSettings,
  RegeneratedWebhookSecret,
} from '../../../features/integrations/schema.ts';
import type { RecordedEvaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { confirmed, may } from '../../data/operator/sign-in.ts';
import { mustPropose, propose, proposing } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Secret, ShownOnce } from '../../parts/copy.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { EffectivePolicies } from '../policies/effective.tsx';
import { ConnectAgent, IntegrationKeys, readLastCall } from './keys.tsx';
import { IntegrationStatus, IntegrationWarnings, readCalls } from './list.tsx';
import { ToolCatalogueSection } from './tool-catalogue.tsx';

interface IntegrationActionsProps {
  id: string;
  onDeleted: () => void;
}

/** The actions on an integration as a whole. */
function IntegrationActions({ id, onDeleted }: IntegrationActionsProps) {
  const { integrations: text } = words.value;
  const [secret, setSecret] = useState<string | null>(null);
  const { error, isBusy, run } = useChange();
  const path = `/v1/integrations/${id}`;

  async function replaceSecret() {
    if (!(await ask(text.regenerateSecretQuestion, text.regenerateSecret))) return;
    const found = await confirmed(() =>
      call<RegeneratedWebhookSecret>(`${path}/regenerate-webhook-secret`, { method: 'POST' }),
    );
    if (found) setSecret(found.data.webhookSecret);
  }
  async function remove() {
    if (!(await ask(text.deleteQuestion, text.delete))) return;
    if (await confirmed(() => call<Integration>(path, { method: 'DELETE' }))) onDeleted();
  }
  return (
    <section class="actions">
      <div class="buttons">
        <button type="button" class="button" disabled={isBusy} onClick={() => void run(replaceSecret)}>
          {text.regenerateSecret}
        </button>
        <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(remove)}>
          {text.delete}
        </button>
      </div>
      {error && <Problem error={error} />}
      {secret !== null && (
        <ShownOnce
          title={text.regenerated}
          onEnd={() => {
            setSecret(null);
            announce(text.regenerated);
          }}
        >
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={secret} />
        </ShownOnce>
      )}
    </section>
  );
}

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

/** Changes settings, or proposes that; resolves with whether it did. */
async function changeSettings(integrationId: string, title: string, settings: object): Promise<boolean> {
  if (mustPropose()) return await propose(title, { operation: 'changeIntegration', integrationId, settings });
  const path = `/v1/integrations/${integrationId}`;
  return (await confirmed(() => call(path, { method: 'PATCH', json: { settings } }))) !== null;
}

interface SettingsProps {
  integration: Integration;
  onSaved: () => void;
}

/** How much an integration may use at most. What is entered is checked by the service. */
function QuotasForm({ integration, onSaved }: SettingsProps) {
  const { proposals } = words.value;
  const { quotas: text } = words.value.integrations;
  const valueNow = (name: Quota): [Quota, string] => [name, String(integration.settings[name] ?? '')];
  return (
    <section class="card">
      <h2>{text.title}</h2>
      <FieldsForm
        submitLabel={proposing(text.save)}
        isAllowed={may('integrations:write')}
        needsChange
        initial={Object.fromEntries(quotas.map(valueNow)) as Record<Quota, string>}
        fields={() =>
          quotas.map((name) => ({
            name,
            label: text.names[name],
            hint: text.hints[name],
            at: `/settings/${name}`,
            type: 'number' as const,
          }))
        }
        onSubmit={async (_, changes) => {
          const numbers = Object.entries(changes).map(([name, value]) => [
            name,
            value === '' ? null : Number(value),
          ]);
          if (!(await changeSettings(integration.id, text.save, Object.fromEntries(numbers)))) return false;
          announce(mustPropose() ? proposals.proposed : text.saved);
          onSaved();
          return true;
        }}
      />
    </section>
  );
}

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

/** The settings that are a choice. Lists of tags are in the API. */
function IntegrationSettingsForm({ integration, onSaved }: SettingsProps) {
  const { integrations: text, proposals } = words.value;
  const valueNow = (name: keyof Chosen): [string, string] => [name, String(integration.settings[name])];
  return (
    <section class="card">
      <h2>{text.settings}</h2>
      <FieldsForm
        submitLabel={proposing(text.changes)}
        isAllowed={may('integrations:write')}
        needsChange
        initial={Object.fromEntries(names.map(valueNow)) as Record<keyof Chosen, string>}
        fields={() =>
          names.map((name) => ({
            name,
            label: text.settingNames[name],
            at: `/settings/${name}`,
            choices: choices[name].map((value) => [value, text.settingValues[value]] as const),
          }))
        }
        onSubmit={async (_, changes) => {
          const settings = Object.entries(changes).map(([name, value]) => [name, readChoice(value)]);
          if (!(await changeSettings(integration.id, text.changes, Object.fromEntries(settings))))
            return false;
          announce(mustPropose() ? proposals.proposed : text.settingsSaved);
          onSaved();
          return true;
        }}
      />
    </section>
  );
}

export function IntegrationPage({ id }: { id: string }) {
  const resource = useResource(`integration ${id}`, async ({ signal }) => {
    const [{ data: integration }, lastCall] = await Promise.all([
      call<Integration>(`/v1/integrations/${id}`, { signal }),
      readLastCall(id, { signal, background: true }).catch(() => null),
    ]);
    return { integration, lastCall };
  });
  return <Show resource={resource}>{(found) => <Shown {...found} reload={resource.reload} />}</Show>;
}

interface ShownProps {
  integration: Integration;
  lastCall: RecordedEvaluation | null;
  reload: () => void;
}

function Shown({ integration, lastCall, reload }: ShownProps) {
  const { integrations: text } = words.value;
  const isDeleted = integration.status === 'DELETED';
  const { state: calls } = useResource(`calls of ${integration.id}`, ({ signal }) => readCalls(signal));
  return (
    <>
      <Heading title={integration.name}>
        <span class="quiet">{text.kinds[integration.kind]}</span>
        <IntegrationStatus
          of={integration}
          calls={calls.is === 'ready' ? calls.data(integration.id) : undefined}
        />
        <Link href={`${to('sessions')}?integration=${integration.id}`} class="button">
          {text.sessions}
        </Link>
      </Heading>
      {integration.description && (
        <p>
          <Visible text={integration.description} />
        </p>
      )}
      <IntegrationWarnings of={integration} />
      {!isDeleted && may('integrations:write') && (
        <IntegrationActions id={integration.id} onDeleted={reload} />
      )}
      {!isDeleted && <ConnectAgent integrationId={integration.id} lastCall={lastCall} />}
      <EffectivePolicies
        integrationId={integration.id}
        integrationName={integration.name}
        isDeleted={isDeleted}
        onChange={reload}
      />
      <IntegrationKeys integrationId={integration.id} isDeleted={isDeleted} />
      <div class="cards">
        {!isDeleted && <IntegrationSettingsForm integration={integration} onSaved={reload} />}
        {!isDeleted && <QuotasForm integration={integration} onSaved={reload} />}
      </div>
      {!isDeleted && <ToolCatalogueSection integrationId={integration.id} />}
    </>
  );
}
