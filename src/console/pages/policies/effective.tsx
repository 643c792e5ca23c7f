import { useState } from 'preact/hooks';
import type { Policy } from '../../../features/policies/schema.ts';
import type { PolicyMode } from '../../../schemas/decisions.ts';
import { ApiError, call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { may } from '../../data/operator/sign-in.ts';
import {
  type Binding,
  bindingPath,
  hasReported,
  modeOfDocument,
  partOfDocument,
  readEffective,
  readPolicy,
} from '../../data/policies/policies.ts';
import { mustPropose, propose, proposing, sendProposal } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Form, Select, TextField } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { Replay } from './replay.tsx';

/** Whether a policy decides or reports, and by what that is set. */
export function ModeName({ mode, own }: { mode: Binding['mode']; own: 'ENFORCE' | 'MONITOR' }) {
  const { bindings: text } = words.value;
  const shown = mode ?? own;
  return <StatusName tone={shown === 'ENFORCE' ? 'good' : 'quiet'}>{text.modes[shown]}</StatusName>;
}

export function Params({ of: params }: { of: Binding['params'] }) {
  const entries = Object.entries(params);
  if (entries.length === 0) return <span class="quiet">{words.value.bindings.defaults}</span>;
  return (
    <code>
      <Visible text={entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')} />
    </code>
  );
}

/** Ends a binding, or proposes that; resolves with whether it did. */
export async function unbind(binding: Binding, integrationName: string): Promise<boolean> {
  const { bindings: text } = words.value;
  const { integrationId, policy } = binding;
  const isHouse = integrationId === null;
  const question = isHouse
    ? text.removeHouseQuestion(policy.name)
    : text.unbindQuestion(policy.name, integrationName);
  if (mustPropose()) {
    const change = isHouse
      ? { operation: 'unbindHousePolicy' as const, policyId: policy.id }
      : { operation: 'unbindPolicy' as const, policyId: policy.id, integrationId };
    return await propose(question, change);
  }
  if (!(await ask(question, isHouse ? text.removeHouse : words.value.policies.unbind))) return false;
  await call(bindingPath(integrationId, policy.id), { method: 'DELETE' });
  announce(text.ended(policy.name, integrationName));
  return true;
}

interface EffectivePoliciesProps {
  integrationId: string;
  integrationName: string;
  isDeleted: boolean;
  onChange: () => void;
}

/** Everything that decides for an integration: policies of the house and its own, each with mode and params. */
export function EffectivePolicies({
  integrationId,
  integrationName,
  isDeleted,
  onChange,
}: EffectivePoliciesProps) {
  const { integrations, bindings: text, policies, common } = words.value;
  const [target, setTarget] = useState<BindTarget | null>(null);
  const { error, isBusy, run } = useChange();
  const resource = useResource(`effective for ${integrationId}`, async ({ signal }) => {
    const withMode = async (binding: Binding) => ({
      binding,
      own: modeOfDocument((await readPolicy(binding.policy.id, signal)).document),
    });
    return await Promise.all((await readEffective(integrationId, signal)).map(withMode));
  });
  const changed = () => {
    resource.reload();
    onChange();
  };
  const mayChange = may('bindings:write') && !isDeleted;
  return (
    <section aria-label={integrations.boundPolicies}>
      <div class="section-heading">
        <h2>{integrations.boundPolicies}</h2>
        {mayChange && (
          <BindAnother integrationId={integrationId} name={integrationName} onChoose={setTarget} />
        )}
      </div>
      {error && <Problem error={error} />}
      <Show resource={resource}>
        {(found) =>
          found.length === 0 ? (
            <p class="note">{text.nothing}</p>
          ) : (
            <Table headings={[common.name, text.applies, text.mode, text.params, common.status, '']}>
              {found.map(({ binding, own }) => (
                <tr key={`${binding.integrationId} ${binding.policy.id}`}>
                  <th scope="row">
                    <Link href={`${to('policies', binding.policy.id)}?tab=bindings`}>
                      <Visible text={binding.policy.name} />
                    </Link>
                  </th>
                  <td>{binding.integrationId === null ? text.house : text.bound}</td>
                  <td>
                    <ModeName mode={binding.mode} own={own} />
                  </td>
                  <td>
                    <Params of={binding.params} />
                  </td>
                  <td>{policies.statuses[binding.policy.status]}</td>
                  <td>
                    {mayChange && binding.integrationId !== null && (
                      <span class="row-buttons">
                        <button
                          type="button"
                          class="button small"
                          aria-label={`${proposing(text.change)}: ${visibleText(binding.policy.name)}`}
                          onClick={() =>
                            setTarget({
                              policyId: binding.policy.id,
                              policyName: binding.policy.name,
                              integrationId,
                              integrationName,
                              current: binding,
                            })
                          }
                        >
                          {proposing(text.change)}
                        </button>
                        <button
                          type="button"
                          class="button small"
                          aria-label={`${proposing(policies.unbind)}: ${visibleText(binding.policy.name)}`}
                          disabled={isBusy}
                          onClick={() =>
                            void run(async () => {
                              if (await unbind(binding, integrationName)) changed();
                            })
                          }
                        >
                          {proposing(policies.unbind)}
                        </button>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Show>
      {target && (
        <BindDialog
          target={target}
          onEnd={(isChanged) => {
            setTarget(null);
            if (isChanged) changed();
          }}
        />
      )}
    </section>
  );
}

interface BindAnotherProps {
  integrationId: string;
  name: string;
  onChoose: (target: BindTarget) => void;
}

/** Policies that could be bound, by name. */
function BindAnother({ integrationId, name, onChoose }: BindAnotherProps) {
  const { bindings: text } = words.value;
  const resource = useResource('policies to bind', async ({ signal }) => {
    const query = { status: 'ACTIVE', size: 200 };
    return (await call<{ id: string; name: string }[]>('/v1/policies', { query, signal })).data;
  });
  if (resource.state.is !== 'ready') return null;
  const policies = resource.state.data;
  return (
    <Select
      label={text.bindAnother}
      value=""
      choices={[['', '–'], ...policies.map((one) => [one.id, visibleText(one.name)] as const)]}
      onChoose={(policyId) => {
        const policyName = policies.find(({ id }) => id === policyId)?.name ?? '';
        if (policyId !== '')
          onChoose({ policyId, policyName, integrationId, integrationName: name, current: null });
      }}
    />
  );
}

export interface BindTarget {
  policyId: string;
  policyName: string;
  /** Null for every integration. */
  integrationId: string | null;
  integrationName: string;
  /** How it applies until now; null when it does not. */
  current: Pick<Binding, 'mode' | 'params'> | null;
}

interface BindDialogProps {
  target: BindTarget;
  onEnd: (isChanged: boolean) => void;
}

/** Binds a policy, or changes how it is bound: mode, params, and before it is confirmed what it would have decided. */
export function BindDialog({ target, onEnd }: BindDialogProps) {
  const { bindings: text } = words.value;
  const { policyId, policyName, integrationId, integrationName, current } = target;
  const resource = useResource(`to bind ${policyId}`, async ({ signal }) => {
    const [policy, isKnown] = await Promise.all([
      readPolicy(policyId, signal),
      hasReported(policyId, signal),
    ]);
    return { policy, isKnown };
  });
  const title =
    integrationId === null ? text.houseTitle(policyName) : text.bindTitle(policyName, integrationName);
  return (
    <Dialog title={title} onClose={() => onEnd(false)}>
      {integrationId === null && <p class="note">{text.houseMeans}</p>}
      <Show resource={resource}>
        {({ policy, isKnown }) => (
          <BindForm policy={policy} isKnown={isKnown || current !== null} target={target} onEnd={onEnd} />
        )}
      </Show>
    </Dialog>
  );
}

interface BindFormProps extends BindDialogProps {
  policy: Policy;
  /** Whether it has reported something before. */
  isKnown: boolean;
}

function BindForm({ policy, isKnown, target, onEnd }: BindFormProps) {
  const { bindings: text, policies, proposals } = words.value;
  const { policyId, integrationId, current } = target;
  const own = modeOfDocument(policy.document);
  const [mode, setMode] = useState<PolicyMode | 'DOCUMENT'>(
    current === null ? (isKnown || own === 'MONITOR' ? 'DOCUMENT' : 'MONITOR') : (current.mode ?? 'DOCUMENT'),
  );
  const [written, setWritten] = useState(
    current && Object.keys(current.params).length > 0 ? JSON.stringify(current.params, null, 2) : '',
  );
  const [note, setNote] = useState('');
  const params = readParams(written);
  const declared = partOfDocument(policy.document, 'params');
  const bound = { ...(integrationId !== null && { integrationId }), policyId, params: params ?? {} };
  const isActive = policy.status === 'ACTIVE';

  async function send() {
    if (params === null)
      throw new ApiError(400, [{ code: 'invalid', message: text.notParams, path: '/params' }]);
    const json = { params, mode: mode === 'DOCUMENT' ? null : mode };
    if (mustPropose()) {
      const operation = integrationId === null ? ('bindHousePolicy' as const) : ('bindPolicy' as const);
      await sendProposal({ operation, ...bound, ...json }, note);
    } else {
      await call(bindingPath(integrationId, policyId), { method: 'PUT', json });
      announce(text.done(policy.name, target.integrationName));
    }
    onEnd(true);
  }
  return (
    <Form
      submitLabel={proposing(integrationId === null ? text.setHouse : current ? text.save : policies.bind)}
      onSubmit={send}
      onCancel={() => onEnd(false)}
    >
      {!isActive && <p class="note">{text.notActive}</p>}
      <Select<PolicyMode | 'DOCUMENT'>
        label={text.mode}
        value={mode}
        choices={[
          ['DOCUMENT', text.ofDocument(text.modes[own])],
          ['MONITOR', text.modes.MONITOR],
          ['ENFORCE', text.modes.ENFORCE],
        ]}
        onChoose={setMode}
      />
      {!isKnown && <p class="hint">{text.neverRun}</p>}
      {declared !== '' && (
        <>
          <TextField
            label={text.params}
            hint={text.paramsHint}
            value={written}
            rows={3}
            onInput={setWritten}
          />
          <pre class="declared" tabIndex={0} role="region" aria-label={text.declared}>
            <Visible text={declared} />
          </pre>
        </>
      )}
      {mustPropose() && (
        <TextField label={proposals.noteField} value={note} maxLength={500} onInput={setNote} />
      )}
      {may('policies:simulate') && (
        <Replay
          title={text.preview}
          about={text.previewMeans}
          startLabel={text.startPreview}
          request={{
            ...(isActive ? {} : { document: policy.document, policyId }),
            bindings: [{ ...bound, mode: 'ENFORCE' }],
            ...(integrationId !== null && { filter: { integrationId } }),
          }}
        />
      )}
    </Form>
  );
}

/** An object, which an empty text is too; null for anything else. */
function readParams(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
