import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { may } from '../../data/operator/sign-in.ts';
import {
  type Binding,
  bindingPath,
  modeOfDocument,
  readEffective,
  readPolicy,
} from '../../data/policies/policies.ts';
import { mustPropose, propose, proposing } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { BindDialog, type BindTarget } from './bind-dialog.tsx';

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
