import { useState } from 'preact/hooks';
import type { ChangeList, SharedList } from '../../../features/lists/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { count, linesOf } from '../../data/format.ts';
import { may } from '../../data/operator.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface ListEntriesProps {
  list: SharedList;
  onChange: () => void;
}

/** Entries of a list may be 10,000: the first ones are shown, and the others found. */
const mostShown = 200;

/** Entries are added and removed one by one: two operators who change a list at once lose nothing. */
export function ListEntries({ list, onChange }: ListEntriesProps) {
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
  const [entries, setEntries] = useState('');
  const [note, setNote] = useState('');
  const add = linesOf(entries);
  async function send() {
    await onAdd({ add, ...(note.trim() && { note: note.trim() }) });
    setEntries('');
    setNote('');
  }
  return (
    <section class="card">
      <h2>{text.add}</h2>
      <Form submitLabel={text.add} isComplete={add.length > 0} onSubmit={send}>
        <TextField
          label={text.entries}
          hint={text.entriesHint}
          rows={6}
          value={entries}
          onInput={setEntries}
        />
        <TextField label={text.note} hint={text.noteHint} value={note} maxLength={500} onInput={setNote} />
      </Form>
    </section>
  );
}
