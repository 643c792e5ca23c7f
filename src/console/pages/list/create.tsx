import { useState } from 'preact/hooks';
import type { ListKind, SharedList } from '../../../features/lists/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { linesOf } from '../../data/format.ts';
import { go, to } from '../../data/route.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';
import { listKinds } from './kinds.ts';

export function CreateList({ onCancel }: { onCancel: () => void }) {
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
