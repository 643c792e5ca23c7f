import { useState } from 'preact/hooks';
import type { Policy, PolicySummary } from '../../schemas/policies.ts';
import { announce } from '../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../data/api.ts';
import { may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { choiceInUrl, go, setQuery, to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Choice } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { words } from '../strings/index.ts';
import { policyTone } from './policies.tsx';
import { PolicyBindings } from './policy/bindings.tsx';
import { PolicyDocumentForm } from './policy/document-form.tsx';
import { template } from './policy/template.ts';
import { PolicyVersions } from './policy/versions.tsx';

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
