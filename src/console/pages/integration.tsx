import type { Integration } from '../../features/integrations/schema.ts';
import type { PolicySummary } from '../../schemas/policies.ts';
import { call, callAll } from '../data/api.ts';
import { may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { IntegrationActions } from './integration/actions.tsx';
import { IntegrationKeys } from './integration/keys.tsx';
import { QuotasForm } from './integration/quotas-form.tsx';
import { IntegrationSettingsForm } from './integration/settings-form.tsx';
import { ToolCatalogueSection } from './integration/tool-catalogue.tsx';
import { IntegrationWarnings } from './integration/warnings.tsx';

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
      <IntegrationWarnings of={integration} />
      {!isDeleted && may('integrations:write') && (
        <IntegrationActions id={integration.id} onDeleted={reload} />
      )}
      <IntegrationKeys integrationId={integration.id} isDeleted={isDeleted} />
      <div class="cards">
        <BoundPolicies id={integration.id} />
        {!isDeleted && <IntegrationSettingsForm integration={integration} onSaved={reload} />}
        {!isDeleted && <QuotasForm integration={integration} onSaved={reload} />}
      </div>
      {!isDeleted && <ToolCatalogueSection integrationId={integration.id} />}
    </>
  );
}

function BoundPolicies({ id }: { id: string }) {
  const { integrations: text, common } = words.value;
  const resource = useResource(`bound to ${id}`, ({ signal }) =>
    callAll<PolicySummary>(`/v1/integrations/${id}/policies`, { signal }),
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
