import { useState } from 'preact/hooks';
import type { SharedListSummary } from '../../features/lists/schema.ts';
import { count } from '../data/format.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, to } from '../data/route.ts';
import { Filter } from '../parts/filter.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { CreateList } from './list/create.tsx';
import { listKinds } from './list/kinds.ts';

export function ListsPage() {
  const { lists: text } = words.value;
  const [creating, setCreating] = useState(false);
  const kind = choiceInUrl('kind', listKinds);
  const resource = useList<SharedListSummary>('/v1/lists', { kind });
  return (
    <>
      <Heading title={text.title}>
        <Filter label={text.kind} name="kind" value={kind} choices={listKinds} names={text.kinds} />
        {may('lists:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(lists) => <ListTable lists={lists} />}
      </List>
      {creating && <CreateList onCancel={() => setCreating(false)} />}
    </>
  );
}

function ListTable({ lists }: { lists: readonly SharedListSummary[] }) {
  const { lists: text, common } = words.value;
  return (
    <Table headings={[common.name, text.kind, text.entries, text.description, text.changed]}>
      {lists.map(({ id, name, kind, entryCount, description, updatedAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('lists', id)}>{name}</Link>
          </th>
          <td>{text.kinds[kind]}</td>
          <td>{count(entryCount)}</td>
          <td>
            <Visible text={description ?? ''} />
          </td>
          <td>
            <Time at={updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
