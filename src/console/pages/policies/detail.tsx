import { useState } from 'preact/hooks';
import type { Policy, PolicySummary } from '../../../features/policies/schema.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { fullTimeOf, momentOf } from '../../data/format.ts';
import { may } from '../../data/operator/sign-in.ts';
import { mustPropose, propose, proposing } from '../../data/policies/propose.ts';
import { type Resource, useResource } from '../../data/resource.ts';
import { choiceInUrl, go, setQuery, to } from '../../data/route.ts';
import { StatusName, Time } from '../../parts/badges.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Choice } from '../../parts/form/field.tsx';
import { Form, TextField } from '../../parts/form/form.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { PolicyBindings } from './bindings.tsx';
import { PolicyDocumentForm } from './document-form.tsx';
import { policyTone } from './list.tsx';
import { PolicyVersions } from './versions.tsx';

/** The start of a new policy: valid, tested, and with a line for each part that most policies need. */
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
  const { policies: text } = words.value;
  const { error, isBusy, run } = useChange();
  const [isScheduling, setScheduling] = useState(false);
  const { id, status, version, latestVersion, scheduledAt, scheduledVersion } = policy;

  async function make(change: () => Promise<unknown>, done: string) {
    await change();
    announce(done);
    reload();
  }
  const post = (verb: string) => call<PolicySummary>(`/v1/policies/${id}/${verb}`, { method: 'POST' });
  async function retire() {
    if (mustPropose())
      return void (await propose(text.retireQuestion, { operation: 'deprecatePolicy', policyId: id }));
    if (await ask(text.retireQuestion, text.retire)) await make(() => post('deprecate'), text.retired);
  }
  async function remove() {
    if (!(await ask(text.deleteQuestion, text.delete))) return;
    await call(`/v1/policies/${id}`, { method: 'DELETE' });
    announce(text.deleted);
    go(to('policies'));
  }
  const unschedule = () =>
    make(() => call(`/v1/policies/${id}/schedule`, { method: 'DELETE' }), text.unscheduled);
  return (
    <>
      {scheduledAt !== null && scheduledVersion !== null && (
        <span class="quiet">
          {text.scheduled(scheduledVersion)} <Time at={scheduledAt} show="full" />{' '}
          <button type="button" class="link" disabled={isBusy} onClick={() => void run(unschedule)}>
            {text.unschedule}
          </button>
        </span>
      )}
      {status !== 'ACTIVE' && (
        <button
          type="button"
          class="button primary"
          disabled={isBusy}
          onClick={() => void run(() => make(() => post('activate'), text.activated(version)))}
        >
          {text.activate}
        </button>
      )}
      {(status !== 'ACTIVE' || latestVersion > version) && (
        <button type="button" class="button" onClick={() => setScheduling(true)}>
          {text.activateAt}
        </button>
      )}
      {status === 'ACTIVE' && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void run(retire)}>
          {proposing(text.retire)}
        </button>
      )}
      {status === 'DRAFT' && (
        <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(remove)}>
          {text.delete}
        </button>
      )}
      {error && <Problem error={error} />}
      {isScheduling && (
        <Schedule
          policy={policy}
          onEnd={(isDone) => {
            setScheduling(false);
            if (isDone) reload();
          }}
        />
      )}
    </>
  );
}

/** When the latest version begins to decide. */
function Schedule({
  policy: { id, latestVersion },
  onEnd,
}: {
  policy: Policy;
  onEnd: (isDone: boolean) => void;
}) {
  const { policies: text } = words.value;
  const [at, setAt] = useState('');
  async function send() {
    const json = { version: latestVersion, at: momentOf(at) };
    const { data } = await call<PolicySummary>(`/v1/policies/${id}/schedule`, { method: 'POST', json });
    announce(`${text.scheduled(latestVersion)} ${fullTimeOf(data.scheduledAt ?? json.at)}`);
    onEnd(true);
  }
  return (
    <Dialog title={text.scheduleTitle(latestVersion)} onClose={() => onEnd(false)}>
      <Form submitLabel={text.schedule} isComplete={at !== ''} onSubmit={send} onCancel={() => onEnd(false)}>
        <TextField label={text.scheduleAt} type="datetime-local" value={at} required onInput={setAt} />
      </Form>
    </Dialog>
  );
}
