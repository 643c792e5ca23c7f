import type { ListChange } from '../../../features/lists/schema.ts';
import { useList } from '../../data/resource.ts';
import { List } from '../../parts/list.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Entries of one change that are named. */
const mostNamed = 20;

export function ListChanges({ id }: { id: string }) {
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
        {text.version(version)} <Time at={createdAt} />
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
