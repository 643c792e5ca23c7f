import type { ProposalSummary } from '../../features/proposals/schema.ts';
import type { ProposalStatus } from '../../features/proposals/words.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, to } from '../data/route.ts';
import { StatusName, Time } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const statuses: readonly ProposalStatus[] = ['PENDING', 'ACTIVATED', 'REJECTED'];

export function ProposalsPage() {
  const { proposals: text, common } = words.value;
  const status = choiceInUrl('status', statuses);
  const resource = useList<ProposalSummary>('/v1/proposals', { status }, { on: ['proposals'] });
  return (
    <>
      <Heading title={text.title}>
        <Filter label={common.status} name="status" value={status} choices={statuses} names={text.statuses} />
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(proposals) => <ProposalTable proposals={proposals} />}
      </List>
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

function ProposalTable({ proposals }: { proposals: readonly ProposalSummary[] }) {
  const { proposals: text, common } = words.value;
  return (
    <Table headings={[text.what, common.status, text.author, text.note, text.at]}>
      {proposals.map(({ id, operation, status, author, note, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('proposals', id)}>{text.operations[operation]}</Link>
          </th>
          <td>
            <ProposalStatusName status={status} />
          </td>
          <td>
            <Visible text={author.name} />
          </td>
          <td>
            <Visible text={note ?? ''} />
          </td>
          <td>
            <Time at={createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
