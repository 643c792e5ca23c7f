import { useState } from 'preact/hooks';
import type { ListedOperator } from '../../features/operators/schema.ts';
import { operator as current, may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { OperatorForm } from './operator/form.tsx';

export function OperatorsPage() {
  const { operators: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<ListedOperator>('/v1/operators');
  const end = () => {
    setCreating(false);
    resource.reload();
  };
  return (
    <>
      <Heading title={text.title}>
        {may('operators:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <List resource={resource} none={text.none}>
        {(operators) => <OperatorTable operators={operators} />}
      </List>
      {creating && (
        <Dialog title={text.create} onClose={() => setCreating(false)}>
          <OperatorForm operator={null} onEnd={end} onCancel={() => setCreating(false)} />
        </Dialog>
      )}
    </>
  );
}

function OperatorTable({ operators }: { operators: readonly ListedOperator[] }) {
  const { operators: text, common } = words.value;
  return (
    <Table headings={[common.name, text.roles, text.groups, text.keys]}>
      {operators.map(({ id, name, status, roles, groups, keyCount }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('operators', id)}>
              <Visible text={name} />
            </Link>{' '}
            {id === current.value?.id && <span class="quiet">({text.you})</span>}{' '}
            {status === 'DISABLED' && <StatusName tone="quiet">{text.statuses[status]}</StatusName>}
          </th>
          <td>{roles.map((role) => text.role[role]).join(', ')}</td>
          <td>{groups.join(', ')}</td>
          <td>{text.keyCount(keyCount)}</td>
        </tr>
      ))}
    </Table>
  );
}
