import type { ProposalSummary } from '../../../features/proposals/schema.ts';
import type { ProposalStatus } from '../../../features/proposals/words.ts';
import { mostListed } from '../../data/api.ts';
import { useList } from '../../data/resource.ts';
import { choiceInUrl, to } from '../../data/route.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Filter } from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { words } from '../../strings/index.ts';

const statuses: readonly ProposalStatus[] = ['PENDING', 'ACTIVATED', 'REJECTED'];

export function ProposalsPage() {
  const { proposals: text, common } = words.value;
  const status = choiceInUrl('status', statuses);
  const resource = useList<ProposalSummary>(
    '/v1/proposals',
    { status },
    { on: ['proposals'], size: mostListed },
  );
  return (
    <>
      <Heading title={text.title} />
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
      >
        <Filter label={common.status} name="status" value={status} choices={statuses} names={text.statuses} />
      </ListTable>
    </>
  );
}

export function ProposalStatusName({ status }: { status: ProposalStatus }) {
  return (
    <StatusName tone={status === 'ACTIVATED' ? 'good' : 'quiet'}>
      {words.value.proposals.statuses[status]}
    </StatusName>
  );
}

function columnsOf(): Column<ProposalSummary>[] {
  const { proposals: text, common } = words.value;
  return [
    {
      id: 'change',
      heading: text.what,
      value: ({ operation }) => text.operations[operation],
      show: ({ id, operation }) => <Link href={to('proposals', id)}>{text.operations[operation]}</Link>,
    },
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => <ProposalStatusName status={status} />,
    },
    { id: 'author', heading: text.author, value: ({ author }) => author.name },
    { id: 'note', heading: text.note, value: ({ note }) => note ?? '' },
    { id: 'at', heading: text.at, kind: 'time', value: ({ createdAt }) => createdAt },
  ];
}
