import type { PolicyStatus, PolicySummary } from '../../../features/policies/schema.ts';
import { policyStatuses } from '../../../features/policies/words.ts';
import { may } from '../../data/operator/operator.ts';
import { mostListed, useList } from '../../data/resource.ts';
import { choiceInUrl, to } from '../../data/route.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Filter } from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

export const policyTone = (status: PolicyStatus) =>
  ({ DRAFT: 'busy', ACTIVE: 'good', DEPRECATED: 'quiet' })[status] as 'busy' | 'good' | 'quiet';

export function PoliciesPage() {
  const { policies: text, common } = words.value;
  const status = choiceInUrl('status', policyStatuses);
  const resource = useList<PolicySummary>('/v1/policies', { status }, { size: mostListed });
  return (
    <>
      <Heading title={text.title}>
        {may('policies:write') && (
          <Link href={to('policies', 'new')} class="button primary">
            {text.create}
          </Link>
        )}
      </Heading>
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
      >
        <Filter
          label={common.status}
          name="status"
          value={status}
          choices={policyStatuses}
          names={text.statuses}
        />
      </ListTable>
    </>
  );
}

function columnsOf(): Column<PolicySummary>[] {
  const { policies: text, common } = words.value;
  return [
    {
      id: 'name',
      heading: common.name,
      value: ({ name }) => name,
      show: ({ id, name }) => (
        <Link href={to('policies', id)}>
          <Visible text={name} />
        </Link>
      ),
    },
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => <StatusName tone={policyTone(status)}>{text.statuses[status]}</StatusName>,
    },
    {
      id: 'version',
      heading: text.tabs.versions,
      value: ({ version }) => text.version(version),
      show: ({ version, latestVersion }) => (
        <>
          {text.version(version)}
          {latestVersion > version && <span class="quiet"> ({text.latest(latestVersion)})</span>}
        </>
      ),
    },
    {
      id: 'created',
      heading: common.created,
      kind: 'time',
      isOptional: true,
      value: ({ createdAt }) => createdAt,
    },
    { id: 'updated', heading: text.updated, kind: 'time', value: ({ updatedAt }) => updatedAt },
  ];
}
