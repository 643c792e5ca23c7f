import { useState } from 'preact/hooks';
import type { EntityKind, ListedEntity } from '../../features/entities/schema.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, go, query, to } from '../data/route.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Filter, SearchFilter } from '../parts/filter.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { EntityForm, entityKinds } from './entity/form.tsx';

export function EntitiesPage() {
  const { entities: text } = words.value;
  const [creating, setCreating] = useState(false);
  const kind: EntityKind | undefined = choiceInUrl('kind', entityKinds);
  const owner = query.value.get('owner') ?? undefined;
  const resource = useList<ListedEntity>('/v1/entities', { kind, owner });
  return (
    <>
      <Heading title={text.title}>
        <Filter label={text.kind} name="kind" value={kind} choices={entityKinds} names={text.kinds} folded />
        <SearchFilter label={text.owner} name="owner" />
        {may('entities:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(entities) => <EntityTable entities={entities} />}
      </List>
      {creating && (
        <Dialog title={text.create} onClose={() => setCreating(false)}>
          <EntityForm
            entity={null}
            onEnd={({ id }) => go(to('entities', id))}
            onCancel={() => setCreating(false)}
          />
        </Dialog>
      )}
    </>
  );
}

function EntityTable({ entities }: { entities: readonly ListedEntity[] }) {
  const { entities: text, common } = words.value;
  return (
    <Table headings={[common.name, text.kind, text.owner, common.created]}>
      {entities.map(({ id, name, kind, owner, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('entities', id)}>
              <Visible text={name} />
            </Link>
          </th>
          <td>{text.kinds[kind]}</td>
          <td>
            <Visible text={owner ?? ''} />
          </td>
          <td>
            <Time at={createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
