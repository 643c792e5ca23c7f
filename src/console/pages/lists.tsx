import { useState } from 'preact/hooks';
import type { ListKind, SharedList, SharedListSummary } from '../../features/lists/schema.ts';
import { listKinds } from '../../features/lists/words.ts';
import { call } from '../data/api.ts';
import { announce } from '../data/change.ts';
import { count, linesOf } from '../data/format.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, go, to } from '../data/route.ts';
import { Time } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, Select, TextField } from '../parts/form.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

function CreateList({ onCancel }: { onCancel: () => void }) {
  const { lists: text, common } = words.value;
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ListKind>('DOMAINS');
  const [description, setDescription] = useState('');
  const [entries, setEntries] = useState('');

  async function create() {
    const json = {
      name: name.trim(),
      kind,
      entries: linesOf(entries),
      ...(description.trim() && { description: description.trim() }),
    };
    const { data } = await call<SharedList>('/v1/lists', { method: 'POST', json });
    announce(text.created(data.name));
    go(to('lists', data.id));
  }
  return (
    <Dialog title={text.create} onClose={onCancel}>
      <Form submitLabel={text.create} isComplete={name.trim() !== ''} onSubmit={create} onCancel={onCancel}>
        <TextField
          label={common.name}
          hint={text.nameHint}
          value={name}
          maxLength={64}
          required
          onInput={setName}
        />
        <Select
          label={text.kind}
          value={kind}
          choices={listKinds.map((one) => [one, text.kinds[one]])}
          onChoose={setKind}
        />
        <TextField label={text.description} value={description} maxLength={2_000} onInput={setDescription} />
        <TextField
          label={text.entries}
          hint={text.entriesHint}
          rows={6}
          value={entries}
          onInput={setEntries}
        />
      </Form>
    </Dialog>
  );
}

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
