import { useState } from 'preact/hooks';
import type { Integration, RegeneratedKey, RegeneratedWebhookSecret } from '../../schemas/integrations.ts';
import type { PolicySummary } from '../../schemas/policies.ts';
import { announce } from '../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../data/api.ts';
import { confirmed } from '../data/confirmation.ts';
import { may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { IntegrationSettingsForm } from './integration/settings-form.tsx';
import { Secret, ShownKey } from './integration/shown-key.tsx';

export function IntegrationPage({ id }: { id: string }) {
  const resource = useResource(
    `integration ${id}`,
    async ({ signal }) => (await call<Integration>(`/v1/integrations/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>
      {(integration) => <Shown integration={integration} reload={resource.reload} />}
    </Show>
  );
}

function Shown({ integration, reload }: { integration: Integration; reload: () => void }) {
  const { integrations: text } = words.value;
  const isDeleted = integration.status === 'DELETED';
  return (
    <>
      <Heading title={integration.name}>
        <span class="quiet">{text.kinds[integration.kind]}</span>
        {isDeleted && <StatusName tone="bad">{text.deletedState}</StatusName>}
        <Link href={`${to('sessions')}?integration=${integration.id}`} class="button">
          {text.sessions}
        </Link>
      </Heading>
      {integration.description && (
        <p>
          <Visible text={integration.description} />
        </p>
      )}
      <div class="cards">
        <KeySection integration={integration} reload={reload} />
        <BoundPolicies id={integration.id} />
        {!isDeleted && <IntegrationSettingsForm integration={integration} onSaved={reload} />}
      </div>
    </>
  );
}

type Fresh = { apiKey: string } | { webhookSecret: string };

function KeySection({ integration, reload }: { integration: Integration; reload: () => void }) {
  const { integrations: text, common } = words.value;
  const [fresh, setFresh] = useState<Fresh | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const path = `/v1/integrations/${integration.id}`;
  const isDeleted = integration.status === 'DELETED';

  async function change<T>(question: string, run: () => Promise<{ data: T }>, done: (data: T) => void) {
    setError(null);
    if (!(await ask(question))) return;
    try {
      const found = await confirmed(run);
      if (found) done(found.data);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  const regenerate = () =>
    change(
      text.regenerateQuestion,
      () => call<RegeneratedKey>(`${path}/regenerate-key`, { method: 'POST' }),
      setFresh,
    );
  const regenerateSecret = () =>
    change(
      `${text.regenerateSecret}?`,
      () =>
        call<RegeneratedWebhookSecret>(`${path}/regenerate-webhook-secret`, {
          method: 'POST',
        }),
      setFresh,
    );
  const remove = () =>
    change(text.deleteQuestion, () => call<Integration>(path, { method: 'DELETE' }), reload);
  return (
    <section class="card">
      <h2>{text.key}</h2>
      <p>
        {integration.apiKeyPrefix === null ? (
          text.noKey
        ) : (
          <code>{text.keyStarts(integration.apiKeyPrefix)}</code>
        )}{' '}
        <span class="quiet">
          {common.created} <Time at={integration.createdAt} />
        </span>
      </p>
      {integration.apiKeyExpiresAt && (
        <p class="quiet">
          <Time at={integration.apiKeyExpiresAt} show="full" />
        </p>
      )}
      {error && <Problem error={error} />}
      {!isDeleted && may('integrations:write') && (
        <div class="buttons">
          <button type="button" class="button" onClick={regenerate}>
            {text.regenerate}
          </button>
          <button type="button" class="button" onClick={regenerateSecret}>
            {text.regenerateSecret}
          </button>
          <button type="button" class="button danger" onClick={remove}>
            {common.delete}
          </button>
        </div>
      )}
      {fresh && (
        <FreshSecret
          fresh={fresh}
          onEnd={() => {
            setFresh(null);
            reload();
            announce(text.regenerated);
          }}
        />
      )}
    </section>
  );
}

function FreshSecret({ fresh, onEnd }: { fresh: Fresh; onEnd: () => void }) {
  const { integrations: text } = words.value;
  return (
    <Dialog title={text.regenerated} onClose={onEnd} keepsOpen>
      {'apiKey' in fresh ? (
        <ShownKey apiKey={fresh.apiKey} />
      ) : (
        <>
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={fresh.webhookSecret} />
        </>
      )}
      <div class="buttons">
        <button type="button" class="button primary" onClick={onEnd}>
          {text.done}
        </button>
      </div>
    </Dialog>
  );
}

function BoundPolicies({ id }: { id: string }) {
  const { integrations: text, common } = words.value;
  const resource = useResource(
    `bound to ${id}`,
    async ({ signal }) => (await call<PolicySummary[]>(`/v1/integrations/${id}/policies`, { signal })).data,
  );
  return (
    <section class="card">
      <h2>{text.boundPolicies}</h2>
      <Show resource={resource}>
        {(policies) =>
          policies.length === 0 ? (
            <p class="quiet">{common.none}</p>
          ) : (
            <ul class="plain">
              {policies.map((policy) => (
                <li key={policy.id}>
                  <Link href={`${to('policies', policy.id)}?tab=bindings`}>
                    <Visible text={policy.name} />
                  </Link>{' '}
                  <span class="quiet">{words.value.policies.statuses[policy.status]}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}
