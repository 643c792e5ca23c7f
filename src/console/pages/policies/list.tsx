import type { ListedPolicy, PolicyStatus } from '../../../features/policies/schema.ts';
import { policyStatuses } from '../../../features/policies/words.ts';
import { mostListed } from '../../data/api.ts';
import { count } from '../../data/format.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useList, useResource } from '../../data/resource.ts';
import { choiceInUrl, to } from '../../data/route.ts';
import { type CountOf, countsOf, lastSlots, readStats } from '../../data/statistics.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Filter } from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import { type Column, nameColumn } from '../../parts/list/table.tsx';
import { words } from '../../strings/index.ts';

export const policyTone = (status: PolicyStatus) =>
  ({ DRAFT: 'busy', ACTIVE: 'good', DEPRECATED: 'quiet' })[status] as 'busy' | 'good' | 'quiet';

export function PoliciesPage() {
  const { policies: text, common } = words.value;
  const status = choiceInUrl('status', policyStatuses);
  const resource = useList<ListedPolicy>('/v1/policies', { status }, { size: mostListed });
  const { state: hits } = useResource('hits of policies', async ({ signal }) =>
    countsOf(await readStats('policy', lastSlots(7, 'day'), { signal, background: true })),
  );
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
        columns={columnsOf(hits.is === 'ready' ? hits.data : () => undefined)}
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

/** `House policy, 3 enforce, 1 monitors`. */
function bindingsOf({ houseMode, enforcedCount, monitoredCount }: ListedPolicy): string {
  const { policies: text, bindings } = words.value;
  const said = [
    houseMode && bindings.house,
    enforcedCount > 0 && text.enforcedIn(enforcedCount),
    monitoredCount > 0 && text.monitoredIn(monitoredCount),
  ].filter(Boolean);
  return said.length > 0 ? said.join(', ') : text.unbound;
}

function columnsOf(hits: CountOf): Column<ListedPolicy>[] {
  const { policies: text, bindings, common } = words.value;
  return [
    nameColumn('policies'),
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => <StatusName tone={policyTone(status)}>{text.statuses[status]}</StatusName>,
    },
    {
      id: 'mode',
      heading: bindings.mode,
      kind: 'mark',
      value: ({ mode }) => bindings.modes[mode],
    },
    {
      id: 'bindings',
      heading: text.tabs.bindings,
      value: ({ enforcedCount, monitoredCount }) => enforcedCount + monitoredCount,
      text: bindingsOf,
      show: (policy) => <Link href={`${to('policies', policy.id)}?tab=bindings`}>{bindingsOf(policy)}</Link>,
    },
    {
      id: 'hits',
      heading: text.hits,
      kind: 'number',
      value: ({ name }) => hits(name) ?? 0,
      show: ({ id, name }) => <Hits policyId={id} value={hits(name)} />,
    },
    {
      id: 'version',
      heading: text.tabs.versions,
      isOptional: true,
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
    { id: 'author', heading: text.changedBy, value: ({ changedBy }) => changedBy?.name ?? '' },
    { id: 'updated', heading: text.updated, kind: 'time', value: ({ updatedAt }) => updatedAt },
  ];
}

/** The evaluations of the last seven days in which it reported; undefined when others had so many more that it is not named. */
function Hits({ policyId, value }: { policyId: string; value: number | undefined }) {
  if (value === undefined) return '–';
  if (value === 0) return count(0);
  return (
    <Link href={`${to('violations')}?${new URLSearchParams({ policy: policyId, period: 'week' })}`}>
      {count(value)}
    </Link>
  );
}
