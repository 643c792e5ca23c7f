import { useState } from 'preact/hooks';
import type {
  CreatedIntegrationKey,
  IntegrationKey,
  RegeneratedKey,
  RotatedIntegrationKey,
} from '../../../features/integrations/schema.ts';
import type { KeyScope } from '../../../features/integrations/words.ts';
import type { RecordedEvaluation } from '../../../schemas/evaluations.ts';
import { call, callAll } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { now } from '../../data/clock.ts';
import { connections, fewConnections } from '../../data/connections.ts';
import { momentOf } from '../../data/format.ts';
import { confirmed, may } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { StatusName, Time, Verdict } from '../../parts/badges.tsx';
import { Copy, Secret, ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

export type { KeyScope } from '../../../features/integrations/words.ts';

/** In the order of a choice. The record keeps it complete: a new scope does not compile until it is here. */
const scopes: Record<KeyScope, true> = {
  evaluate: true,
  'sessions:open': true,
  'sessions:end': true,
  read: true,
};
const keyScopes = Object.keys(scopes) as KeyScope[];

/** One word when a key may be used for everything. */
function scopeNames(given: readonly KeyScope[]): string {
  const { keys: text } = words.value.integrations;
  return given.length === keyScopes.length
    ? text.everything
    : given.map((scope) => text.scopeNames[scope]).join(', ');
}

interface KeyTableProps {
  keys: readonly IntegrationKey[];
  /** Null when the viewer may not. */
  change: Record<'rotate' | 'revoke', (key: IntegrationKey) => void> | null;
}

const hasExpired = ({ expiresAt }: IntegrationKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.value;

function KeyTable({ keys, change }: KeyTableProps) {
  const { keys: text } = words.value.integrations;
  const { operators, common } = words.value;
  if (keys.length === 0) return <p class="quiet">{text.none}</p>;
  return (
    <Table headings={[common.name, text.scopes, common.created, operators.lastUsed, operators.expires, '']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <Visible text={key.name} />{' '}
            {key.lastFour && <span class="quiet">{operators.ending(key.lastFour)}</span>}
          </th>
          <td>{scopeNames(key.scopes)}</td>
          <td>
            <Time at={key.createdAt} />
          </td>
          <td>{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : operators.never}</td>
          <td>
            <Ending of={key} />
          </td>
          <td>
            {change && key.revokedAt === null && !hasExpired(key) && (
              <span class="row-buttons">
                <button type="button" class="button small" onClick={() => change.rotate(key)}>
                  {text.rotate}
                </button>
                <button type="button" class="button small danger" onClick={() => change.revoke(key)}>
                  {operators.revoke}
                </button>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Ending({ of: key }: { of: IntegrationKey }) {
  const { keys: text } = words.value.integrations;
  if (key.revokedAt !== null) {
    return (
      <>
        <StatusName tone="quiet">{text.isRevoked}</StatusName> <Time at={key.revokedAt} />
      </>
    );
  }
  if (key.expiresAt === null) return words.value.operators.never;
  return (
    <>
      {hasExpired(key) && <StatusName tone="quiet">{text.hasExpired}</StatusName>} <Time at={key.expiresAt} />
    </>
  );
}

interface NewKeyProps {
  /** The path of the integration. */
  path: string;
  /** Called with the key, which is shown once. */
  onCreated: (apiKey: string) => void;
  onCancel: () => void;
}

/** Another key beside those that the integration has. */
function NewKey({ path, onCreated, onCancel }: NewKeyProps) {
  const { keys: text } = words.value.integrations;
  const { operators } = words.value;
  return (
    <Dialog title={text.create} onClose={onCancel}>
      <FieldsForm
        submitLabel={text.create}
        onCancel={onCancel}
        initial={{ name: '', scopes: keyScopes as readonly string[], expiresAt: '' }}
        fields={() => [
          { name: 'name', label: operators.keyName, maxLength: 200 },
          {
            name: 'scopes',
            label: text.scopes,
            anyOf: keyScopes.map((scope) => [scope, text.scopeNames[scope]]),
            required: true,
          },
          { name: 'expiresAt', label: text.expiresAt, type: 'datetime-local' },
        ]}
        onSubmit={async ({ name, scopes, expiresAt }) => {
          const json = {
            ...(name.trim() && { name: name.trim() }),
            scopes,
            ...(expiresAt && { expiresAt: momentOf(expiresAt) }),
          };
          const found = await confirmed(() =>
            call<CreatedIntegrationKey>(`${path}/keys`, { method: 'POST', json }),
          );
          if (found) onCreated(found.data.apiKey);
          return found !== null;
        }}
      />
    </Dialog>
  );
}

/** Hours for which both keys work; at most 168. */
const overlaps = ['1', '24', '168', '0'] as const;
type Overlap = (typeof overlaps)[number];

/** Another key with the same name and scopes; the old one goes on for a while, so that no request fails. */
function RotateKey({ path, of, onCreated, onCancel }: NewKeyProps & { of: IntegrationKey }) {
  const { keys: text } = words.value.integrations;
  return (
    <Dialog title={text.rotateOne(of.name)} onClose={onCancel}>
      <p>{text.rotateText}</p>
      <FieldsForm
        submitLabel={text.rotate}
        onCancel={onCancel}
        initial={{ overlapHours: '24' as Overlap }}
        fields={() => [
          {
            name: 'overlapHours',
            label: text.overlap,
            choices: overlaps.map((hours) => [hours, text.overlaps[hours]]),
          },
        ]}
        onSubmit={async ({ overlapHours }) => {
          const json = { overlapHours: Number(overlapHours) };
          const found = await confirmed(() =>
            call<RotatedIntegrationKey>(`${path}/keys/${of.id}/rotate`, { method: 'POST', json }),
          );
          if (found) onCreated(found.data.apiKey);
          return found !== null;
        }}
      />
    </Dialog>
  );
}

/** A key that the service shows once, with lines to paste that use it. */
export function ShownKey({ apiKey, webhookSecret }: { apiKey: string; webhookSecret?: string }) {
  const { integrations: text } = words.value;
  return (
    <div class="shown-key">
      <p class="note">{text.keyOnce}</p>
      <Secret label={text.key} value={apiKey} />
      {webhookSecret !== undefined && (
        <>
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={webhookSecret} />
        </>
      )}
      <h3>{text.lines}</h3>
      {fewConnections.map(({ name, lines }) => (
        <figure key={name} class="json">
          <figcaption>
            <span>{name}</span>
            <Copy text={lines(location.origin, apiKey)} />
          </figcaption>
          <pre tabIndex={0} role="region" aria-label={name}>
            {lines(location.origin, apiKey)}
          </pre>
        </figure>
      ))}
    </div>
  );
}

/** The form or key beside the table; a key is shown once. */
type Open = 'create' | { rotate: IntegrationKey } | { apiKey: string } | null;

interface IntegrationKeysProps {
  integrationId: string;
  isDeleted: boolean;
}

export function IntegrationKeys({ integrationId, isDeleted }: IntegrationKeysProps) {
  const { keys: text } = words.value.integrations;
  const [open, setOpen] = useState<Open>(null);
  const { error, isBusy, run } = useChange();
  const path = `/v1/integrations/${integrationId}`;
  const resource = useResource(`keys of ${integrationId}`, ({ signal }) =>
    callAll<IntegrationKey>(`${path}/keys`, { signal }),
  );
  const isAllowed = !isDeleted && may('integrations:write');

  async function replaceAll() {
    if (!(await ask(text.replaceAllQuestion, text.replaceAll))) return;
    const found = await confirmed(() => call<RegeneratedKey>(`${path}/regenerate-key`, { method: 'POST' }));
    if (found) setOpen({ apiKey: found.data.apiKey });
  }
  async function revoke({ id, name, lastFour }: IntegrationKey) {
    if (!(await ask(text.revokeQuestion(name, lastFour), words.value.operators.revoke))) return;
    if (!(await confirmed(() => call(`${path}/keys/${id}/revoke`, { method: 'POST' })))) return;
    announce(text.revoked);
    resource.reload();
  }
  const cancel = () => setOpen(null);
  const show = (apiKey: string) => setOpen({ apiKey });
  const end = () => {
    setOpen(null);
    resource.reload();
  };
  return (
    <section aria-label={text.title}>
      <div class="section-heading">
        <h2>{text.title}</h2>
        {isAllowed && (
          <div class="buttons">
            <button type="button" class="button small" onClick={() => setOpen('create')}>
              {text.create}
            </button>
            <button type="button" class="button small" disabled={isBusy} onClick={() => void run(replaceAll)}>
              {text.replaceAll}
            </button>
          </div>
        )}
      </div>
      {error && <Problem error={error} />}
      <Show resource={resource}>
        {(keys) => (
          <KeyTable
            keys={keys}
            change={
              isAllowed
                ? {
                    rotate: (key) => setOpen({ rotate: key }),
                    revoke: (key) => void run(() => revoke(key)),
                  }
                : null
            }
          />
        )}
      </Show>
      {open === 'create' && <NewKey path={path} onCreated={show} onCancel={cancel} />}
      {open && typeof open === 'object' && 'rotate' in open && (
        <RotateKey path={path} key={open.rotate.id} of={open.rotate} onCreated={show} onCancel={cancel} />
      )}
      {open && typeof open === 'object' && 'apiKey' in open && (
        <ShownOnce title={text.shown} onEnd={end}>
          <ShownKey apiKey={open.apiKey} />
        </ShownOnce>
      )}
    </section>
  );
}

/** In place of a key, which is shown once only. */
const keyPlace = 'asz_YOUR_KEY';

/** The last evaluation of an integration; null when there is none. */
export async function readLastCall(
  integrationId: string,
  options: { signal: AbortSignal; background?: boolean },
): Promise<RecordedEvaluation | null> {
  const query = { integrationId, page: 1, size: 1 };
  return (await call<RecordedEvaluation[]>('/v1/evaluations', { query, ...options })).data[0] ?? null;
}

interface ConnectAgentProps {
  integrationId: string;
  /** As it was when the page was loaded. */
  lastCall: RecordedEvaluation | null;
}

/** How an agent asks for decisions, until its first call has come; then when the last one came. */
export function ConnectAgent({ integrationId, lastCall }: ConnectAgentProps) {
  const { connect: text } = words.value.integrations;
  const [chosen, setChosen] = useState(connections[0]?.name ?? '');
  const { state } = useResource(
    `last call of ${integrationId}`,
    (options) => readLastCall(integrationId, options),
    { on: ['evaluations'] },
  );
  const last = state.is === 'ready' ? state.data : lastCall;
  if (last) {
    const { evaluationRunId, tool, enforcementAction, createdAt, phase } = last;
    return (
      <p class="facts" role="status">
        {text.last}{' '}
        <Link href={to('evaluations', evaluationRunId)}>
          <Visible text={tool ?? words.value.phases[phase]} />
        </Link>{' '}
        <Verdict action={enforcementAction} /> <Time at={createdAt} show="full" />
      </p>
    );
  }
  const lines = connections.find(({ name }) => name === chosen)?.lines(location.origin, keyPlace) ?? '';
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="quiet">{text.text}</p>
      <Select
        label={text.by}
        value={chosen}
        choices={connections.map(({ name }) => [name, name])}
        onChoose={setChosen}
      />
      <figure class="json">
        <figcaption>
          <span>{chosen}</span>
          <Copy text={lines} about={chosen} />
        </figcaption>
        <pre tabIndex={0} role="region" aria-label={chosen}>
          {lines}
        </pre>
      </figure>
      <p role="status">{text.waiting}</p>
    </section>
  );
}
