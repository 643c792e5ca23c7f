import { useState } from 'preact/hooks';
import type { ListKind, SharedList, SharedListSummary } from '../../../features/lists/schema.ts';
import { listKinds } from '../../../features/lists/words.ts';
import { call, mostListed } from '../../data/api.ts';
import { announce } from '../../data/change.ts';
import { linesOf } from '../../data/format.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useList } from '../../data/resource.ts';
import { choiceInUrl, go, to } from '../../data/route.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Filter } from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { words } from '../../strings/index.ts';

function CreateList({ onCancel }: { onCancel: () => void }) {
  const { lists: text, common } = words.value;
  return (
    <Dialog title={text.create} onClose={onCancel}>
      <FieldsForm
        submitLabel={text.create}
        onCancel={onCancel}
        initial={{ name: '', kind: 'DOMAINS' as ListKind, description: '', entries: '' }}
        fields={() => [
          { name: 'name', label: common.name, hint: text.nameHint, maxLength: 64, required: true },
          { name: 'kind', label: text.kind, choices: listKinds.map((one) => [one, text.kinds[one]]) },
          { name: 'description', label: text.description, maxLength: 2_000 },
          { name: 'entries', label: text.entries, hint: text.entriesHint, rows: 6 },
        ]}
        onSubmit={async ({ name, kind, description, entries }) => {
          const json = {
            name: name.trim(),
            kind,
            entries: linesOf(entries),
            ...(description.trim() && { description: description.trim() }),
          };
          const { data } = await call<SharedList>('/v1/lists', { method: 'POST', json });
          announce(text.created(data.name));
          go(to('lists', data.id));
        }}
      />
    </Dialog>
  );
}

export function ListsPage() {
  const { lists: text } = words.value;
  const [creating, setCreating] = useState(false);
  const kind = choiceInUrl('kind', listKinds);
  const resource = useList<SharedListSummary>('/v1/lists', { kind }, { size: mostListed });
  return (
    <>
      <Heading title={text.title}>
        {may('lists:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
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
        <Filter label={text.kind} name="kind" value={kind} choices={listKinds} names={text.kinds} />
      </ListTable>
      {creating && <CreateList onCancel={() => setCreating(false)} />}
    </>
  );
}

function columnsOf(): Column<SharedListSummary>[] {
  const { lists: text, common } = words.value;
  return [
    {
      id: 'name',
      heading: common.name,
      value: ({ name }) => name,
      show: ({ id, name }) => <Link href={to('lists', id)}>{name}</Link>,
    },
    { id: 'kind', heading: text.kind, kind: 'mark', value: ({ kind }) => text.kinds[kind] },
    { id: 'entries', heading: text.entries, kind: 'number', value: ({ entryCount }) => entryCount },
    { id: 'description', heading: text.description, value: ({ description }) => description ?? '' },
    { id: 'changed', heading: text.changed, kind: 'time', value: ({ updatedAt }) => updatedAt },
  ];
}
