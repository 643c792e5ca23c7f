import { useState } from 'preact/hooks';
import type { CreatedIntegrationKey } from '../../../features/integrations/schema.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { momentOf } from '../../data/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';
import { type KeyScope, keyScopes } from './scopes.ts';

export interface NewKeyProps {
  /** Of the integration. */
  path: string;
  /** Called with the key, which is shown once. */
  onCreated: (apiKey: string) => void;
  onCancel: () => void;
}

/** Another key beside those that the integration has. */
export function NewKey({ path, onCreated, onCancel }: NewKeyProps) {
  const { keys: text } = words.value.integrations;
  const { operators } = words.value;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(keyScopes);
  const [expires, setExpires] = useState('');
  const toggle = (scope: KeyScope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);

  async function create() {
    const json = {
      ...(name.trim() && { name: name.trim() }),
      scopes,
      ...(expires && { expiresAt: momentOf(expires) }),
    };
    const found = await confirmed(() =>
      call<CreatedIntegrationKey>(`${path}/keys`, { method: 'POST', json }),
    );
    if (found) onCreated(found.data.apiKey);
  }
  return (
    <Dialog title={text.create} onClose={onCancel}>
      <Form submitLabel={text.create} isComplete={scopes.length > 0} onSubmit={create} onCancel={onCancel}>
        <TextField label={operators.keyName} value={name} maxLength={200} onInput={setName} />
        <fieldset class="field">
          <legend>{text.scopes}</legend>
          {keyScopes.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />{' '}
              {text.scopeNames[scope]}
            </label>
          ))}
        </fieldset>
        <TextField label={text.expiresAt} type="datetime-local" value={expires} onInput={setExpires} />
      </Form>
    </Dialog>
  );
}
