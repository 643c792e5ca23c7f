import type { PolicyStatus, PolicySummary } from '../../features/policies/schema.ts';
import { policyStatuses } from '../../features/policies/words.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, to } from '../data/route.ts';
import { StatusName, Time } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

export const policyTone = (status: PolicyStatus) =>
  ({ DRAFT: 'busy', ACTIVE: 'good', DEPRECATED: 'quiet' })[status] as 'busy' | 'good' | 'quiet';

export function PoliciesPage() {
  const { policies: text, common } = words.value;
  const status = choiceInUrl('status', policyStatuses);
  const resource = useList<PolicySummary>('/v1/policies', { status });
  return (
    <>
      <Heading title={text.title}>
        <Filter
          label={common.status}
          name="status"
          value={status}
          choices={policyStatuses}
          names={text.statuses}
        />
        {may('policies:write') && (
          <Link href={to('policies', 'new')} class="button primary">
            {text.create}
          </Link>
        )}
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(policies) => <PolicyTable policies={policies} />}
      </List>
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
