import type { PolicyStatus, PolicySummary } from '../../schemas/policies.ts';
import { call } from '../data/api.ts';
import { may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { query, setQuery, to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Choice } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Pager, pageInUrl } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const statuses: readonly PolicyStatus[] = ['DRAFT', 'ACTIVE', 'DEPRECATED'];

export const policyTone = (status: PolicyStatus) =>
  ({ DRAFT: 'busy', ACTIVE: 'good', DEPRECATED: 'quiet' })[status] as 'busy' | 'good' | 'quiet';

export function PoliciesPage() {
  const { policies: text, common } = words.value;
  const page = pageInUrl();
  const asked = query.value.get('status') as PolicyStatus | null;
  const status = asked && statuses.includes(asked) ? asked : undefined;
  const resource = useResource(`policies ${status} ${page}`, ({ signal }) =>
    call<PolicySummary[]>('/v1/policies', { query: { status, page }, signal }),
  );
  return (
    <>
      <Heading title={text.title}>
        <Choice
          label={common.status}
          value={status ?? 'ALL'}
          choices={[['ALL', common.all], ...statuses.map((one) => [one, text.statuses[one]] as const)]}
          onChoose={(next) => setQuery({ status: next === 'ALL' ? null : next, page: null })}
        />
        {may('policies:write') && (
          <Link href={to('policies', 'new')} class="button primary">
            {text.create}
          </Link>
        )}
      </Heading>
      <Show resource={resource}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={text.none}>
              <p>{text.noneHint}</p>
            </Empty>
          ) : (
            <>
              <PolicyTable policies={data} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Show>
    </>
  );
}

function PolicyTable({ policies }: { policies: readonly PolicySummary[] }) {
  const { policies: text, common } = words.value;
  return (
    <Table headings={[common.name, common.status, text.tabs.versions, text.updated]}>
      {policies.map(({ id, name, status, version, latestVersion, updatedAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('policies', id)}>
              <Visible text={name} />
            </Link>
          </th>
          <td>
            <StatusName tone={policyTone(status)}>{text.statuses[status]}</StatusName>
          </td>
          <td>
            {text.version(version)}
            {latestVersion > version && <span class="quiet"> ({text.latest(latestVersion)})</span>}
          </td>
          <td>
            <Time at={updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
