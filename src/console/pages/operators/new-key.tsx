import { useState } from 'preact/hooks';
import type { CreatedOperatorKey } from '../../../features/operators/schema.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { listed } from '../../data/format.ts';
import { Secret, ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldsForm } from '../../parts/fields-form.tsx';
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
  const [created, setCreated] = useState<CreatedOperatorKey | null>(null);
  if (created) {
    return (
      <ShownOnce title={text.keyShown} onEnd={onEnd}>
        <p class="note">{text.keyShownText}</p>
        <Secret label={text.keyShown} value={created.key} />
      </ShownOnce>
    );
  }
  return (
    <Dialog title={text.newKey} onClose={onEnd}>
      {isFirst && <p>{text.keyNext}</p>}
      <FieldsForm
        submitLabel={text.newKey}
        onCancel={onEnd}
        initial={{ name: '', ipRanges: '' }}
        fields={() => [
          { name: 'name', label: text.keyName, maxLength: 200 },
          { name: 'ipRanges', label: text.ipRanges, hint: text.ipRangesHint },
        ]}
        onSubmit={async ({ name, ipRanges }) => {
          const json = { operatorId, name: name.trim() || undefined, ipRanges: listed(ipRanges) };
          const found = await confirmed(() =>
            call<CreatedOperatorKey>('/v1/operator-keys', { method: 'POST', json }),
          );
          if (found) setCreated(found.data);
          return found !== null;
        }}
      />
    </Dialog>
  );
}
