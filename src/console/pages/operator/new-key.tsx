import { useState } from 'preact/hooks';
import type { CreatedOperatorKey } from '../../../schemas/operator-keys.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { Secret } from '../integration/shown-key.tsx';
import { listed } from './form.tsx';

/** Creates a key of an operator, and shows it once. */
export function NewKey({ operatorId, onEnd }: { operatorId: string; onEnd: () => void }) {
  const { operators: text, integrations, common } = words.value;
  const [name, setName] = useState('');
  const [ranges, setRanges] = useState('');
  const [created, setCreated] = useState<CreatedOperatorKey | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  if (created) {
    return (
      <Dialog title={text.keyShown} onClose={onEnd} keepsOpen>
        <p class="note">{text.keyShownText}</p>
        <Secret label={text.keyShown} value={created.key} />
        <div class="buttons">
          <button type="button" class="button primary" onClick={onEnd}>
            {integrations.done}
          </button>
        </div>
      </Dialog>
    );
  }
  async function submit(event: Event) {
    event.preventDefault();
    setError(null);
    const json = { operatorId, name: name.trim() || undefined, ipRanges: listed(ranges) };
    try {
      const found = await confirmed(() =>
        call<CreatedOperatorKey>('/v1/operator-keys', { method: 'POST', json }),
      );
      if (found) setCreated(found.data);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  return (
    <Dialog title={text.newKey} onClose={onEnd}>
      <form onSubmit={submit}>
        <Field label={text.keyName}>
          {(ids) => (
            <input
              {...ids}
              value={name}
              maxLength={200}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={text.ipRanges} hint={text.ipRangesHint}>
          {(ids) => (
            <input {...ids} value={ranges} onInput={(event) => setRanges(event.currentTarget.value)} />
          )}
        </Field>
        {error && <Problem error={error} />}
        <div class="buttons">
          <button type="submit" class="button primary">
            {text.newKey}
          </button>
          <button type="button" class="button" onClick={onEnd}>
            {common.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
