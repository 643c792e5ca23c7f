import { useState } from 'preact/hooks';
import type { ListedOperator } from '../../schemas/operators.ts';
import { call } from '../data/api.ts';
import { operator as current, may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Pager, pageInUrl } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { OperatorForm } from './operator/form.tsx';

export function OperatorsPage() {
  const { operators: text } = words.value;
  const page = pageInUrl();
  const [creating, setCreating] = useState(false);
  const resource = useResource(`operators ${page}`, ({ signal }) =>
    call<ListedOperator[]>('/v1/operators', { query: { page }, signal }),
  );
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
      <Show resource={resource}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={text.none} />
          ) : (
            <>
              <OperatorTable operators={data} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Show>
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
