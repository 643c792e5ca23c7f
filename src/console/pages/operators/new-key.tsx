import { useState } from 'preact/hooks';
import type { CreatedOperatorKey } from '../../../features/operators/schema.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { listed } from '../../data/format.ts';
import { Secret, ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, TextField } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';

interface NewKeyProps {
  operatorId: string;
  /** Whether the operator was only just created. */
  isFirst?: boolean;
  onEnd: () => void;
}

/** Creates a key of an operator, and shows it once. */
export function NewKey({ operatorId, isFirst = false, onEnd }: NewKeyProps) {
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
      {isFirst && <p>{text.keyNext}</p>}
      <Form submitLabel={text.newKey} onSubmit={create} onCancel={onEnd}>
        <TextField label={text.keyName} value={name} maxLength={200} onInput={setName} />
        <TextField label={text.ipRanges} hint={text.ipRangesHint} value={ranges} onInput={setRanges} />
      </Form>
    </Dialog>
  );
}
