import { useState } from 'preact/hooks';
import type { Integration } from '../../features/integrations/schema.ts';
import type { Policy, PolicySummary } from '../../features/policies/schema.ts';
import { type ApiError, apiErrorOf, call, callAll, type Response } from '../data/api.ts';
import { announce, useChange } from '../data/change.ts';
import { may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { choiceInUrl, go, pageInUrl, setQuery, to } from '../data/route.ts';
import { visibleText } from '../data/visible-text.ts';
import { StatusName } from '../parts/badges.tsx';
import { Choice } from '../parts/form.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { policyTone } from './policies.tsx';
import { PolicyDocumentForm } from './policy/document-form.tsx';
import { PolicyVersions } from './policy/versions.tsx';

interface BoundIntegration {
  integration: Integration;
  isBound: boolean;
}

/** The API lists the policies of an integration: at least one request for each. */
const pageSize = 20;

async function readBindings(
  policyId: string,
  page: number,
  signal: AbortSignal,
): Promise<Response<BoundIntegration[]>> {
  const query = { page, size: pageSize };
  const { data, pagination } = await call<Integration[]>('/v1/integrations', { query, signal });
  const found = data.map(async (integration) => {
    const bound = await callAll<PolicySummary>(`/v1/integrations/${integration.id}/policies`, { signal });
    return { integration, isBound: bound.some(({ id }) => id === policyId) };
  });
  return { data: await Promise.all(found), pagination };
}

function PolicyBindings({ policy }: { policy: Policy }) {
  const { policies: text } = words.value;
  const { error, isBusy, run } = useChange();
  const page = pageInUrl();
  const resource = useResource(`bindings of ${policy.id} ${page}`, ({ signal }) =>
    readBindings(policy.id, page, signal),
  );

  async function change({ integration, isBound }: BoundIntegration) {
    const method = isBound ? 'DELETE' : 'PUT';
    await call(`/v1/integrations/${integration.id}/policies/${policy.id}`, { method });
    announce(isBound ? text.isUnbound(integration.name) : text.isBound(integration.name));
    resource.reload();
  }
  return (
    <>
      {error && <Problem error={error} />}
      <List resource={resource} none={text.noIntegrations}>
        {(found) => (
          <>
            {found.every(({ isBound }) => !isBound) && <p class="note">{text.boundToNone}</p>}
            <ul class="bindings">
              {found.map((one) => (
                <li key={one.integration.id}>
                  <Link href={to('integrations', one.integration.id)}>
                    <Visible text={one.integration.name} />
                  </Link>
                  <Status of={one} />
                  {may('bindings:write') && one.integration.status === 'ACTIVE' && (
                    <button
                      type="button"
                      class="button small"
                      aria-label={`${one.isBound ? text.unbind : text.bind}: ${visibleText(one.integration.name)}`}
                      disabled={isBusy}
                      onClick={() => void run(() => change(one))}
                    >
                      {one.isBound ? text.unbind : text.bind}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </List>
    </>
  );
}

function Status({ of: { integration, isBound } }: { of: BoundIntegration }) {
  const { policies: text, integrations } = words.value;
  if (integration.status === 'DELETED')
    return <StatusName tone="bad">{integrations.deletedState}</StatusName>;
  return <StatusName tone={isBound ? 'good' : 'quiet'}>{isBound ? text.bound : text.unbound}</StatusName>;
}

/** What a new policy starts with: valid, tested, and with a line for each part that most policies need. */
const template = `schemaVersion: 1
name: new-policy
description: What this policy is for
mode: ENFORCE

rules:
  - id: no-shell
    name: No shell
    when: tool == "shell"
    effect: BLOCK
    severity: HIGH
    message: "{{tool}} is not for agents"

tests:
  - name: a shell is blocked
    given: { tool: shell }
    expect: { enforcementAction: BLOCK, rules: [no-shell] }
  - name: a search is allowed
    given: { tool: web.search }
    expect: { enforcementAction: ALLOW }
`;

export function PolicyPage({ id }: { id: string }) {
  return id === 'new' ? <NewPolicy /> : <ExistingPolicy id={id} />;
}

function NewPolicy() {
  const { policies: text } = words.value;
  async function save(document: string) {
    const { data } = await call<Policy>('/v1/policies', { method: 'POST', yaml: document });
    announce(text.saved(data.version));
    go(to('policies', data.id));
  }
  return (
    <>
      <Heading title={text.create} />
      <PolicyDocumentForm document={template} saveLabel={text.saveNew} isNew onSave={save} />
    </>
  );
}

const tabs = ['document', 'versions', 'bindings'] as const;

function ExistingPolicy({ id }: { id: string }) {
  const resource = useResource(
    `policy ${id}`,
    async ({ signal }) => (await call<Policy>(`/v1/policies/${id}`, { signal })).data,
  );
  return <Show resource={resource}>{(policy) => <Shown policy={policy} resource={resource} />}</Show>;
}

function Shown({ policy, resource }: { policy: Policy; resource: Resource<Policy> }) {
  const { policies: text } = words.value;
  const tab = choiceInUrl('tab', tabs) ?? 'document';
  async function save(document: string) {
    const path = `/v1/policies/${policy.id}`;
    const { revision } = policy;
    const { data } = await call<Policy>(path, { method: 'PUT', yaml: document, revision });
    announce(data.status === 'ACTIVE' ? text.savedActive(data.version) : text.saved(data.version));
    resource.reload();
  }
  return (
    <>
      <Heading title={policy.name}>
        <StatusName tone={policyTone(policy.status)}>{text.statuses[policy.status]}</StatusName>
        <span class="quiet">{text.version(policy.version)}</span>
        {may('policies:write') && <LifeCycle policy={policy} reload={resource.reload} />}
      </Heading>
      <Choice
        label={text.tabsLabel}
        value={tab}
        choices={tabs.map((one) => [one, text.tabs[one]])}
        onChoose={(next) => setQuery({ tab: next === 'document' ? null : next, page: null })}
      />
      {tab === 'document' && (
        <>
          {policy.status === 'ACTIVE' && <p class="note">{text.activeWarning}</p>}
          <PolicyDocumentForm
            key={policy.version}
            document={policy.document}
            policyId={policy.id}
            version={policy.version}
            saveLabel={text.save}
            onSave={save}
          />
        </>
      )}
      {tab === 'versions' && (
        <PolicyVersions
          key={`${policy.version} ${policy.latestVersion}`}
          policy={policy}
          onChange={resource.reload}
        />
      )}
      {tab === 'bindings' && <PolicyBindings policy={policy} />}
    </>
  );
}

function LifeCycle({ policy, reload }: { policy: Policy; reload: () => void }) {
  const { policies: text, common } = words.value;
  const [error, setError] = useState<ApiError | null>(null);

  async function run(change: () => Promise<unknown>, done: string) {
    setError(null);
    try {
      await change();
      announce(done);
      reload();
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  async function askThen(question: string, change: () => Promise<unknown>, done: string) {
    if (await ask(question)) await run(change, done);
  }
  const post = (verb: string) => call<PolicySummary>(`/v1/policies/${policy.id}/${verb}`, { method: 'POST' });
  async function remove() {
    await call(`/v1/policies/${policy.id}`, { method: 'DELETE' });
    go(to('policies'));
  }
  return (
    <>
      {policy.status !== 'ACTIVE' && (
        <button
          type="button"
          class="button primary"
          onClick={() => run(() => post('activate'), text.activated(policy.version))}
        >
          {text.activate}
        </button>
      )}
      {policy.status === 'ACTIVE' && (
        <button
          type="button"
          class="button"
          onClick={() => askThen(text.retireQuestion, () => post('deprecate'), text.retired)}
        >
          {text.retire}
        </button>
      )}
      {policy.status === 'DRAFT' && (
        <button
          type="button"
          class="button danger"
          onClick={() => askThen(text.deleteQuestion, remove, text.deleted)}
        >
          {common.delete}
        </button>
      )}
      {error && <Problem error={error} />}
    </>
  );
}
