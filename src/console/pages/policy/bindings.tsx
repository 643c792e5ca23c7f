import type { Integration } from '../../../features/integrations/schema.ts';
import type { Policy, PolicySummary } from '../../../schemas/policies.ts';
import { announce } from '../../data/announcements.ts';
import { call, callAll, type Response } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { may } from '../../data/operator.ts';
import { useResource } from '../../data/resource.ts';
import { pageInUrl, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { List } from '../../parts/list.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

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

export function PolicyBindings({ policy }: { policy: Policy }) {
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
