import type { Integration } from '../../../schemas/integrations.ts';
import type { Policy, PolicySummary } from '../../../schemas/policies.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { may } from '../../data/operator.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Link } from '../../parts/link.tsx';
import { Empty, Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface BoundIntegration {
  integration: Integration;
  isBound: boolean;
}

const pageSize = 100;

/** The API lists the policies of an integration: one request for each. */
async function readBindings(policyId: string, signal: AbortSignal): Promise<BoundIntegration[]> {
  const { data } = await call<Integration[]>('/v1/integrations', { query: { size: pageSize }, signal });
  const living = data.filter(({ status }) => status === 'ACTIVE');
  return Promise.all(
    living.map(async (integration) => {
      const path = `/v1/integrations/${integration.id}/policies`;
      const bound = await call<PolicySummary[]>(path, { query: { size: 200 }, signal });
      return { integration, isBound: bound.data.some(({ id }) => id === policyId) };
    }),
  );
}

export function PolicyBindings({ policy }: { policy: Policy }) {
  const { policies: text } = words.value;
  const { error, isBusy, run } = useChange();
  const resource = useResource(`bindings of ${policy.id}`, ({ signal }) => readBindings(policy.id, signal));

  async function change({ integration, isBound }: BoundIntegration) {
    const method = isBound ? 'DELETE' : 'PUT';
    await call(`/v1/integrations/${integration.id}/policies/${policy.id}`, { method });
    announce(isBound ? text.isUnbound(integration.name) : text.isBound(integration.name));
    resource.reload();
  }
  return (
    <>
      {error && <Problem error={error} />}
      <Show resource={resource}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noIntegrations} />
          ) : (
            <>
              {found.every(({ isBound }) => !isBound) && <p class="note">{text.boundToNone}</p>}
              <ul class="bindings">
                {found.map((one) => (
                  <li key={one.integration.id}>
                    <Link href={to('integrations', one.integration.id)}>
                      <Visible text={one.integration.name} />
                    </Link>
                    <span class={one.isBound ? 'status good' : 'status quiet'}>
                      {one.isBound ? text.bound : text.unbound}
                    </span>
                    {may('bindings:write') && (
                      <button
                        type="button"
                        class="button small"
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
          )
        }
      </Show>
    </>
  );
}
