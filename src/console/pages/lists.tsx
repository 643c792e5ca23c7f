import { useState } from 'preact/hooks';
import type {
  ChangeList,
  ListChange,
  ListKind,
  SharedList,
  SharedListSummary,
} from '../../features/lists/schema.ts';
import { listKinds } from '../../features/lists/words.ts';
import { call, mostListed } from '../data/api.ts';
import { announce, ask, useChange } from '../data/change.ts';
import { count, linesOf } from '../data/format.ts';
import { may } from '../data/operator/sign-in.ts';
import { useList, useResource } from '../data/resource.ts';
import { choiceInUrl, go, to } from '../data/route.ts';
import { Time } from '../parts/badges.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { TextField } from '../parts/form/form.tsx';
import { Details, Heading } from '../parts/frame/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter } from '../parts/list/filters.tsx';
import { List, ManagedList } from '../parts/list/list.tsx';
import { type Column, Table } from '../parts/list/table.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

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
  const kind = choiceInUrl('kind', listKinds);
  const resource = useList<SharedListSummary>('/v1/lists', { kind }, { size: mostListed });
  return (
    <ManagedList
      title={text.title}
      permission="lists:write"
      createLabel={text.create}
      create={(close) => <CreateList onCancel={close} />}
      columns={columnsOf()}
      resource={resource}
      none={text.none}
      hint={text.noneHint}
    >
      <Filter label={text.kind} name="kind" value={kind} choices={listKinds} names={text.kinds} />
    </ManagedList>
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

/** Entries of one change that are named. */
const mostNamed = 20;

function ListChanges({ id }: { id: string }) {
  const { lists: text } = words.value;
  const resource = useList<ListChange>(`/v1/lists/${id}/changes`);
  return (
    <section>
      <h2>{text.changes}</h2>
      <List resource={resource} none={text.noChange}>
        {(changes) => (
          <Table headings={[text.changed, text.columns.by, text.columns.what]}>
            {changes.map((change) => (
              <Row key={change.version} change={change} />
            ))}
          </Table>
        )}
      </List>
    </section>
  );
}

function Row({ change: { version, createdAt, author, note, added, removed } }: { change: ListChange }) {
  const { lists: text } = words.value;
  return (
    <tr>
      <th scope="row">
        {text.version(version)}, <Time at={createdAt} />
      </th>
      <td>
        <Visible text={author?.name ?? '–'} />
      </td>
      <td>
        <Entries sign="+" of={added} label={text.added} />
        <Entries sign="−" of={removed} label={text.removed} />
        {note && (
          <p class="quiet">
            <Visible text={note} />
          </p>
        )}
      </td>
    </tr>
  );
}

function Entries({ sign, of: entries, label }: { sign: string; of: readonly string[]; label: string }) {
  if (entries.length === 0) return null;
  return (
    <p>
      <span class="visually-hidden">{label}: </span>
      <span aria-hidden="true">{sign} </span>
      <Visible text={entries.slice(0, mostNamed).join(', ')} />
      {entries.length > mostNamed && ` … (${entries.length})`}
    </p>
  );
}

interface ListEntriesProps {
  list: SharedList;
  onChange: () => void;
}

/** Entries of a list may be 10,000: the first ones are shown, and the others found. */
const mostShown = 200;

/** Entries are added and removed one by one: two operators who change a list at once lose nothing. */
function ListEntries({ list, onChange }: ListEntriesProps) {
  const { lists: text } = words.value;
  const [search, setSearch] = useState('');
  const { error, isBusy, run } = useChange();
  const matching = list.entries.filter((entry) => entry.includes(search.trim()));

  async function change(json: ChangeList) {
    const { data } = await call<SharedList>(`/v1/lists/${list.id}`, { method: 'PATCH', json });
    const before = new Set(list.entries);
    const kept = data.entries.filter((entry) => before.has(entry)).length;
    announce(text.saved(data.entries.length - kept, before.size - kept));
    onChange();
  }
  const remove = may('lists:write') ? (entry: string) => run(() => change({ remove: [entry] })) : null;
  return (
    <div class="cards">
      <section class="card">
        <h2>{text.entries}</h2>
        {list.entries.length > 0 && <TextField label={text.search} value={search} onInput={setSearch} />}
        {error && <Problem error={error} />}
        {matching.length === 0 ? (
          <p class="quiet">{list.entries.length === 0 ? text.noEntry : text.noMatch}</p>
        ) : (
          <ul class="list-entries">
            {matching.slice(0, mostShown).map((entry) => (
              <li key={entry}>
                <code>
                  <Visible text={entry} />
                </code>
                {remove && (
                  <button
                    type="button"
                    class="button small"
                    aria-label={text.removeOne(entry)}
                    disabled={isBusy}
                    onClick={() => void remove(entry)}
                  >
                    {text.remove}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {matching.length > mostShown && (
          <p class="quiet">{text.firstShown(mostShown, count(matching.length))}</p>
        )}
      </section>
      {may('lists:write') && <AddEntries onAdd={change} />}
    </div>
  );
}

function AddEntries({ onAdd }: { onAdd: (change: ChangeList) => Promise<void> }) {
  const { lists: text } = words.value;
  return (
    <section class="card">
      <h2>{text.add}</h2>
      <FieldsForm
        submitLabel={text.add}
        initial={{ entries: '', note: '' }}
        fields={() => [
          {
            name: 'entries',
            at: '/add',
            label: text.entries,
            hint: text.entriesHint,
            rows: 6,
            required: true,
          },
          { name: 'note', label: text.note, hint: text.noteHint, maxLength: 500 },
        ]}
        onSubmit={({ entries, note }) =>
          onAdd({ add: linesOf(entries), ...(note.trim() && { note: note.trim() }) })
        }
      />
    </section>
  );
}

export function ListPage({ id }: { id: string }) {
  const resource = useResource(
    `list ${id}`,
    async ({ signal }) => (await call<SharedList>(`/v1/lists/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>
      {(list) => (
        <>
          <Title list={list} />
          <ListEntries list={list} onChange={resource.reload} />
          <ListChanges key={list.version} id={id} />
        </>
      )}
    </Show>
  );
}

function Title({ list }: { list: SharedList }) {
  const { lists: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function remove() {
    if (!(await ask(text.deleteQuestion, text.delete))) return;
    await call(`/v1/lists/${list.id}`, { method: 'DELETE' });
    announce(text.deleted);
    go(to('lists'));
  }
  return (
    <>
      <Heading title={list.name}>
        <span class="quiet">{text.kinds[list.kind]}</span>
        {may('lists:write') && (
          <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(remove)}>
            {text.delete}
          </button>
        )}
      </Heading>
      {error && <Problem error={error} />}
      <Details
        of={[
          [text.readAs, <code key="">lists.{list.name}</code>],
          [text.entries, count(list.entryCount)],
          [text.changed, <Time key="" at={list.updatedAt} show="full" />],
          [text.description, list.description && <Visible text={list.description} />],
        ]}
      />
    </>
  );
}
