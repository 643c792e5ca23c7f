import { useState } from 'preact/hooks';
import type {
  CreatedIntegration,
  Integration,
  IntegrationKind,
  IntegrationSummary,
} from '../../../features/integrations/schema.ts';
import { call, mostListed } from '../../data/api.ts';
import { now } from '../../data/clock.ts';
import { confirmed } from '../../data/operator/sign-in.ts';
import { useList, useResource } from '../../data/resource.ts';
import { type CountOf, countsOf, lastSlots, readStats } from '../../data/statistics.ts';
import { StatusName } from '../../parts/badges.tsx';
import { ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { ManagedList } from '../../parts/list/list.tsx';
import { type Column, idColumn, nameColumn } from '../../parts/list/table.tsx';
import { words } from '../../strings/index.ts';
import { ShownKey } from './keys.tsx';

/** In the order of a choice. The record keeps it complete: a new kind does not compile until it is here. */
const kinds: Record<IntegrationKind, true> = { AGENT: true, MCP_SERVER: true, REST_API: true };
const integrationKinds = Object.keys(kinds) as IntegrationKind[];

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
  return (
    <FieldsForm
      submitLabel={text.create}
      onCancel={onCancel}
      initial={{ name: '', kind: 'AGENT' as IntegrationKind, description: '' }}
      fields={() => [
        { name: 'name', label: common.name, maxLength: 200, required: true },
        { name: 'kind', label: text.kind, choices: integrationKinds.map((one) => [one, text.kinds[one]]) },
        { name: 'description', label: text.description, maxLength: 2_000 },
      ]}
      onSubmit={async ({ name, kind, description }) => {
        const json = {
          name: name.trim(),
          kind,
          ...(description.trim() && { description: description.trim() }),
        };
        const found = await confirmed(() =>
          call<CreatedIntegration>('/v1/integrations', { method: 'POST', json }),
        );
        if (found) onCreated(found.data);
        return found !== null;
      }}
    />
  );
}

const callsEveryMs = 60_000;

export function IntegrationsPage() {
  const { integrations: text } = words.value;
  const resource = useList<IntegrationSummary>('/v1/integrations', {}, { size: mostListed });
  const { state } = useResource('calls of integrations', ({ signal }) => readCalls(signal), {
    everyMs: callsEveryMs,
  });
  return (
    <ManagedList
      title={text.title}
      permission="integrations:write"
      createLabel={text.create}
      create={(close) => (
        <CreateIntegration
          onEnd={() => {
            close();
            resource.reload();
          }}
        />
      )}
      columns={columnsOf(state.is === 'ready' ? state.data : () => undefined)}
      resource={resource}
      none={text.none}
      hint={text.noneHint}
    />
  );
}

function columnsOf(calls: CountOf): Column<IntegrationSummary>[] {
  const { integrations: text, common } = words.value;
  return [
    nameColumn('integrations'),
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: (integration) => statusNameOf({ of: integration, calls: calls(integration.id) }),
      show: (integration) => <IntegrationStatus of={integration} calls={calls(integration.id)} />,
    },
    {
      id: 'calls',
      heading: text.calls,
      kind: 'number',
      value: ({ id }) => calls(id) ?? 0,
      show: ({ id }) => calls(id) ?? '–',
    },
    { id: 'kind', heading: text.kind, kind: 'mark', value: ({ kind }) => text.kinds[kind] },
    {
      id: 'key',
      heading: text.key,
      value: ({ apiKeyPrefix }) => (apiKeyPrefix === null ? text.noKey : text.keyStarts(apiKeyPrefix)),
      show: ({ apiKeyPrefix }) =>
        apiKeyPrefix === null ? text.noKey : <code>{text.keyStarts(apiKeyPrefix)}</code>,
    },
    idColumn(),
    { id: 'created', heading: common.created, kind: 'time', value: ({ createdAt }) => createdAt },
  ];
}

/** Warns when no policy decides for an integration. */
export function IntegrationWarnings({ of: { warnings } }: { of: Pick<Integration, 'warnings'> }) {
  return warnings.map(({ code }) => (
    <p key={code} class="note" role="note">
      {words.value.integrations.warnings[code]}
    </p>
  ));
}

/** The evaluations of each integration in the last 24 hours, by its id. */
export const readCalls = async (signal: AbortSignal): Promise<CountOf> =>
  countsOf(await readStats('integration', lastSlots(24, 'hour'), { signal, background: true }));

interface StatusProps {
  of: Pick<IntegrationSummary, 'status' | 'apiKeyPrefix' | 'apiKeyExpiresAt'>;
  /** Its evaluations in the last 24 hours; undefined until they are known. */
  calls: number | undefined;
}

/** An integration whose newest key is revoked or expired cannot ask for a decision, whatever its agent does about that. */
const isFailing = ({ apiKeyPrefix, apiKeyExpiresAt }: StatusProps['of']): boolean =>
  apiKeyPrefix === null || (apiKeyExpiresAt !== null && Date.parse(apiKeyExpiresAt) <= now.value);

function statusNameOf({ of, calls }: StatusProps): string {
  const { integrations: text, webhooks } = words.value;
  if (of.status === 'DELETED') return text.deletedState;
  if (isFailing(of)) return webhooks.failing;
  return calls === 0 ? text.idle : webhooks.statuses.ACTIVE;
}

export function IntegrationStatus(props: StatusProps) {
  const { of, calls } = props;
  const isQuiet = of.status === 'DELETED' || calls === 0;
  const { keys } = words.value.integrations;
  return (
    <>
      <StatusName tone={of.status === 'ACTIVE' && isFailing(of) ? 'bad' : isQuiet ? 'quiet' : 'good'}>
        {statusNameOf(props)}
      </StatusName>
      {of.status === 'ACTIVE' && isFailing(of) && <span class="quiet"> {keys.none}</span>}
    </>
  );
}
