import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Integration, IntegrationSummary } from '../../features/integrations/schema.ts';
import type { ListedOperator } from '../../features/operators/schema.ts';
import type { PolicySummary } from '../../features/policies/schema.ts';
import type { Webhook, WebhookTest } from '../../features/webhooks/schema.ts';
import type { RecordedEvaluation } from '../../schemas/evaluations.ts';
import { call, callAll } from '../data/api.ts';
import { announce, useChange } from '../data/change.ts';
import { demoNames } from '../data/names.ts';
import { guide } from '../data/operator/preferences.ts';
import { operator as current, may } from '../data/operator/sign-in.ts';
import { bindingPath, readEffective } from '../data/policies/policies.ts';
import { mustPropose } from '../data/policies/propose.ts';
import { useResource } from '../data/resource.ts';
import { go, query, setQuery, to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Select } from '../parts/form/form.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { ConnectAgent, readLastCall } from './integrations/keys.tsx';
import { CreateIntegration } from './integrations/list.tsx';
import { NewOperator } from './operators.tsx';
import { CreateWebhookDialog, readWebhookHealth } from './webhooks/list.tsx';

/** The parts that are set up already, as the service has it. */
interface SetUp {
  /** Active ones that are not the demo's, newest first. */
  integrations: readonly IntegrationSummary[];
  /** The one that the steps are about. */
  integration: IntegrationSummary | null;
  lastCall: RecordedEvaluation | null;
  hasPolicies: boolean;
  starters: readonly PolicySummary[];
  /** Other operators who may decide reviews. */
  reviewers: readonly ListedOperator[];
  webhooks: readonly Webhook[];
  hasDelivered: boolean;
}

async function readSetUp(chosen: string | null, signal: AbortSignal): Promise<SetUp> {
  const [all, starters, operators, webhooks] = await Promise.all([
    callAll<Integration>('/v1/integrations', { signal }),
    callAll<PolicySummary>('/v1/policies', { query: { status: 'ACTIVE' }, signal }),
    may('operators:read') ? callAll<ListedOperator>('/v1/operators', { signal }) : [],
    may('webhooks:read') ? callAll<Webhook>('/v1/webhooks', { signal }) : [],
  ]);
  const integrations = all.filter(({ name, status }) => status === 'ACTIVE' && !demoNames.includes(name));
  const integration = integrations.find(({ id }) => id === chosen) ?? integrations[0] ?? null;
  const active = webhooks.filter(({ status }) => status === 'ACTIVE');
  const [lastCall, policies, health] = await Promise.all([
    integration && readLastCall(integration.id, { signal }),
    integration && readEffective(integration.id, signal),
    Promise.all(active.map(({ id }) => readWebhookHealth(id, signal))),
  ]);
  return {
    integrations,
    integration,
    starters,
    webhooks: active,
    lastCall,
    hasPolicies: policies?.some(({ policy }) => policy.status === 'ACTIVE') ?? false,
    reviewers: operators.filter(
      ({ id, status, roles }) =>
        id !== current.value?.id &&
        status === 'ACTIVE' &&
        (roles.includes('REVIEWER') || roles.includes('OWNER')),
    ),
    hasDelivered: health.some(({ lastSuccessAt }) => lastSuccessAt !== null),
  };
}

const everyMs = 5_000;

/** The steps from the demo to agents of one's own. Each is done once the service says so. */
export function StartPage() {
  const { start: text } = words.value;
  const chosen = query.value.get('integration');
  const resource = useResource(`set-up ${chosen}`, ({ signal }) => readSetUp(chosen, signal), {
    everyMs,
    on: ['evaluations'],
    onAfterMs: 500,
  });
  const putAway = () => {
    guide.value = 'away';
    announce(text.isAway);
    go(to('now'));
  };
  return (
    <>
      <Heading title={text.title}>
        <button type="button" class="button" onClick={putAway}>
          {text.putAway}
        </button>
      </Heading>
      <p class="quiet">{text.about}</p>
      <Show resource={resource}>{(found) => <Steps {...found} reload={resource.reload} />}</Show>
    </>
  );
}

function Steps(props: SetUp & { reload: () => void }) {
  const { start: text } = words.value;
  const hasTested = useSignal(false);
  const { integrations, integration, lastCall, hasPolicies, reviewers, hasDelivered } = props;
  return (
    <ol class="guide">
      <Step title={text.connect} isDone={lastCall !== null}>
        {integrations.length > 1 && integration && (
          <Select
            label={words.value.integrations.one}
            value={integration.id}
            choices={integrations.map(({ id, name }) => [id, name])}
            onChoose={(id) => setQuery({ integration: id })}
          />
        )}
        <Connect {...props} />
      </Step>
      <Step title={text.bind} isDone={hasPolicies}>
        <BindStarters {...props} />
      </Step>
      <Step title={text.invite} isDone={reviewers.length > 0}>
        <Invite {...props} />
      </Step>
      <Step title={text.webhook} isDone={hasDelivered || hasTested.value}>
        <TestWebhook {...props} onDelivered={() => (hasTested.value = true)} />
      </Step>
    </ol>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  const { start: text } = words.value;
  return (
    <li class="card">
      <div class="section-heading">
        <h2>{title}</h2>
        <StatusName tone={isDone ? 'good' : 'quiet'}>{isDone ? text.done : text.open}</StatusName>
      </div>
      {children}
    </li>
  );
}

type StepContent = SetUp & { reload: () => void };

function Connect({ integration, lastCall, reload }: StepContent) {
  const { start: text, integrations } = words.value;
  const [creating, setCreating] = useState(false);
  // The dialog shows the new key once, so it stays open when a reload finds the new integration.
  if (integration && !creating)
    return <ConnectAgent key={integration.id} integrationId={integration.id} lastCall={lastCall} />;
  return (
    <>
      <p>{text.connectMeans}</p>
      {may('integrations:write') && (
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          {integrations.create}
        </button>
      )}
      {creating && (
        <CreateIntegration
          onEnd={() => {
            setCreating(false);
            reload();
          }}
        />
      )}
    </>
  );
}

function BindStarters({ integration, starters, hasPolicies, reload }: StepContent) {
  const { start: text } = words.value;
  const { error, isBusy, run } = useChange();
  if (integration === null) return <p class="quiet">{text.first}</p>;
  async function bind(integrationId: string) {
    for (const { id } of starters)
      await call(bindingPath(integrationId, id), { method: 'PUT', json: { mode: 'MONITOR' } });
    announce(text.bound(starters.length));
    reload();
  }
  const link = (
    <Link href={to('integrations', integration.id)} class="button">
      {text.openIntegration}
    </Link>
  );
  if (hasPolicies) return <div class="buttons">{link}</div>;
  return (
    <>
      <p>{words.value.integrations.warnings.no_policy_bound}</p>
      <p class="quiet">{starters.length === 0 ? text.noStarters : text.bindMeans(starters.length)}</p>
      {error && <Problem error={error} />}
      <div class="buttons">
        {starters.length > 0 && may('bindings:write') && !mustPropose() && (
          <button
            type="button"
            class="button primary"
            disabled={isBusy}
            onClick={() => void run(() => bind(integration.id))}
          >
            {text.bindNow}
          </button>
        )}
        {link}
      </div>
    </>
  );
}

function Invite({ reviewers, reload }: StepContent) {
  const { start: text } = words.value;
  const [creating, setCreating] = useState(false);
  const end = () => {
    setCreating(false);
    reload();
  };
  return (
    <>
      {reviewers.length > 0 ? (
        <p>
          <Visible text={reviewers.map(({ name }) => name).join(', ')} />
        </p>
      ) : (
        <p class="quiet">{text.inviteMeans}</p>
      )}
      {may('operators:write') && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setCreating(true)}>
            {text.inviteNow}
          </button>
        </div>
      )}
      {creating && <NewOperator roles={['REVIEWER']} onEnd={end} onCancel={end} />}
    </>
  );
}

function TestWebhook({ webhooks, reload, onDelivered }: StepContent & { onDelivered: () => void }) {
  const { start: text, webhooks: webhookText } = words.value;
  const [creating, setCreating] = useState(false);
  const [outcome, setOutcome] = useState<WebhookTest | null>(null);
  const { error, isBusy, run } = useChange();
  const [webhook] = webhooks;
  async function test(id: string) {
    const { data } = await call<WebhookTest>(`/v1/webhooks/${id}/test`, { method: 'POST' });
    setOutcome(data);
    if (data.delivered) onDelivered();
  }
  return (
    <>
      <p class="quiet">{text.webhookMeans}</p>
      {error && <Problem error={error} />}
      {outcome && (
        <p class={outcome.delivered ? 'good-line' : 'mistake'} role="status">
          {outcome.delivered
            ? webhookText.testDelivered(String(outcome.statusCode ?? ''))
            : webhookText.testFailed(outcome.reason ?? String(outcome.statusCode ?? ''))}
        </p>
      )}
      {may('webhooks:write') && (
        <div class="buttons">
          {webhook && (
            <button
              type="button"
              class="button"
              disabled={isBusy}
              onClick={() => void run(() => test(webhook.id))}
            >
              <span>
                {webhookText.test} (<Visible text={webhook.name} />)
              </span>
            </button>
          )}
          <button type="button" class="button" onClick={() => setCreating(true)}>
            {webhookText.create}
          </button>
        </div>
      )}
      {creating && (
        <CreateWebhookDialog
          onEnd={() => {
            setCreating(false);
            reload();
          }}
        />
      )}
    </>
  );
}
