import { useState } from 'preact/hooks';
import type { CreatedOperatorKey } from '../../../features/operators/schema.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { listed } from '../../data/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Secret, ShownOnce } from '../../parts/secret.tsx';
import { words } from '../../strings/index.ts';

/** Creates a key of an operator, and shows it once. */
export function NewKey({ operatorId, onEnd }: { operatorId: string; onEnd: () => void }) {
  const { operators: text } = words.value;
  const [name, setName] = useState('');
  const [ranges, setRanges] = useState('');
  const [created, setCreated] = useState<CreatedOperatorKey | null>(null);
  if (created) {
    return (
      <ShownOnce title={text.keyShown} onEnd={onEnd}>
        <p class="note">{text.keyShownText}</p>
        <Secret label={text.keyShown} value={created.key} />
      </ShownOnce>
    );
  }
  async function create() {
    const json = { operatorId, name: name.trim() || undefined, ipRanges: listed(ranges) };
    const found = await confirmed(() =>
      call<CreatedOperatorKey>('/v1/operator-keys', { method: 'POST', json }),
    );
    if (found) setCreated(found.data);
  }
  return (
    <Dialog title={text.newKey} onClose={onEnd}>
      <Form submitLabel={text.newKey} onSubmit={create} onCancel={onEnd}>
        <TextField label={text.keyName} value={name} maxLength={200} onInput={setName} />
        <TextField label={text.ipRanges} hint={text.ipRangesHint} value={ranges} onInput={setRanges} />
      </Form>
    </Dialog>
  );
}
