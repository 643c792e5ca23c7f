import { useState } from 'preact/hooks';
import type { Integration } from '../../../features/integrations/schema.ts';
import type { BoundPolicy, Policy } from '../../../features/policies/schema.ts';
import { call, callAll, type Response } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { may } from '../../data/operator/sign-in.ts';
import { type Binding, modeOfDocument, readHouse } from '../../data/policies/policies.ts';
import { proposing } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { pageInUrl, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { List } from '../../parts/list/list.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { BindDialog, type BindTarget, ModeName, Params, unbind } from './effective.tsx';

interface Place {
  integration: Integration;
  /** Null where it is not bound. */
  binding: Binding | null;
}

/** The API lists the policies of an integration: at least one request for each. */
const pageSize = 20;

async function readPlaces(policyId: string, page: number, signal: AbortSignal): Promise<Response<Place[]>> {
  const query = { page, size: pageSize };
  const { data, pagination } = await call<Integration[]>('/v1/integrations', { query, signal });
  const places = data.map(async (integration) => {
    const all = await callAll<BoundPolicy>(`/v1/integrations/${integration.id}/policies`, { signal });
    const bound = all.find(({ id }) => id === policyId);
    if (!bound) return { integration, binding: null };
    const { binding, ...policy } = bound;
    const { mode, params } = binding;
    return { integration, binding: { integrationId: integration.id, policy, mode, params } };
  });
  return { data: await Promise.all(places), pagination };
}

/** Where a policy decides: in every integration, and in those that it is bound to. */
export function PolicyBindings({ policy }: { policy: Policy }) {
  const { policies: text } = words.value;
  const { error, isBusy, run } = useChange();
  const [target, setTarget] = useState<BindTarget | null>(null);
  const page = pageInUrl();
  const own = modeOfDocument(policy.document);
  const house = useResource(
    `house ${policy.id}`,
    async ({ signal }) => (await readHouse(signal)).find((one) => one.policy.id === policy.id) ?? null,
  );
  const places = useResource(`bindings of ${policy.id} ${page}`, ({ signal }) =>
    readPlaces(policy.id, page, signal),
  );
  const reload = () => {
    house.reload();
    places.reload();
  };
  const open = (integrationId: string | null, integrationName: string, current: Binding | null) =>
    setTarget({ policyId: policy.id, policyName: policy.name, integrationId, integrationName, current });
  const end = (binding: Binding, name: string) =>
    void run(async () => {
      if (await unbind(binding, name)) reload();
    });
  const isHouse = house.state.is === 'ready' && house.state.data !== null;
  return (
    <>
      {error && <Problem error={error} />}
      <Show resource={house}>
        {(binding) => (
          <ul class="bindings">
            <li>
              <BindingRow
                name={words.value.bindings.everyIntegration}
                binding={binding}
                own={own}
                mayChange={may('house-policies:write')}
                isBusy={isBusy}
                labels={{ bind: words.value.bindings.setHouse, unbind: words.value.bindings.removeHouse }}
                onOpen={() => open(null, words.value.bindings.everyIntegration, binding)}
                onEnd={() => binding && end(binding, words.value.bindings.everyIntegration)}
              />
            </li>
          </ul>
        )}
      </Show>
      <List resource={places} none={text.noIntegrations}>
        {(found) => (
          <>
            {!isHouse && found.every(({ binding }) => binding === null) && (
              <p class="note">{text.boundToNone}</p>
            )}
            <ul class="bindings">
              {found.map(({ integration, binding }) => (
                <li key={integration.id}>
                  <BindingRow
                    name={integration.name}
                    href={to('integrations', integration.id)}
                    isDeleted={integration.status === 'DELETED'}
                    binding={binding}
                    own={own}
                    mayChange={may('bindings:write') && integration.status === 'ACTIVE'}
                    isBusy={isBusy}
                    labels={{ bind: text.bind, unbind: text.unbind }}
                    onOpen={() => open(integration.id, integration.name, binding)}
                    onEnd={() => binding && end(binding, integration.name)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </List>
      {target && (
        <BindDialog
          target={target}
          onEnd={(isChanged) => {
            setTarget(null);
            if (isChanged) reload();
          }}
        />
      )}
    </>
  );
}

interface BindingRowProps {
  name: string;
  href?: string;
  isDeleted?: boolean;
  binding: Binding | null;
  own: 'ENFORCE' | 'MONITOR';
  mayChange: boolean;
  isBusy: boolean;
  labels: { bind: string; unbind: string };
  onOpen: () => void;
  onEnd: () => void;
}

/** How the policy applies in one place, and the ways to change that. */
function BindingRow({
  name,
  href,
  isDeleted = false,
  binding,
  own,
  mayChange,
  isBusy,
  labels,
  onOpen,
  onEnd,
}: BindingRowProps) {
  const { policies: text, bindings, integrations } = words.value;
  const button = (label: string, onClick: () => void) => (
    <button
      type="button"
      class="button small"
      aria-label={`${proposing(label)}: ${visibleText(name)}`}
      disabled={isBusy}
      onClick={onClick}
    >
      {proposing(label)}
    </button>
  );
  return (
    <div class="binding">
      {href === undefined ? (
        <strong>{name}</strong>
      ) : (
        <Link href={href}>
          <Visible text={name} />
        </Link>
      )}
      {isDeleted && <StatusName tone="bad">{integrations.deletedState}</StatusName>}
      {binding === null ? (
        !isDeleted && <StatusName tone="quiet">{text.unbound}</StatusName>
      ) : (
        <>
          <ModeName mode={binding.mode} own={own} />
          <Params of={binding.params} />
        </>
      )}
      {mayChange && (
        <span class="row-buttons">
          {binding === null ? (
            button(labels.bind, onOpen)
          ) : (
            <>
              {button(bindings.change, onOpen)}
              {button(labels.unbind, onEnd)}
            </>
          )}
        </span>
      )}
    </div>
  );
}
