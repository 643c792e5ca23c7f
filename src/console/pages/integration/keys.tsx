import { useState } from 'preact/hooks';
import type { IntegrationKey, RegeneratedKey } from '../../../features/integrations/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call, callAll } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { confirmed } from '../../data/confirmation.ts';
import { may } from '../../data/operator.ts';
import { ask } from '../../data/question.ts';
import { useResource } from '../../data/resource.ts';
import { ShownOnce } from '../../parts/secret.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { ShownKey } from './shown-key.tsx';

/** What is open beside the table: a form, or a key that is shown once. */
type Open = 'create' | { rotate: IntegrationKey } | { apiKey: string } | null;

interface IntegrationKeysProps {
  integrationId: string;
  isDeleted: boolean;
}

export function IntegrationKeys({ integrationId, isDeleted }: IntegrationKeysProps) {
  const { keys: text } = words.value.integrations;
  const [open, setOpen] = useState<Open>(null);
  const { error, isBusy, run } = useChange();
  const path = `/v1/integrations/${integrationId}`;
  const resource = useResource(`keys of ${integrationId}`, ({ signal }) =>
    callAll<IntegrationKey>(`${path}/keys`, { signal }),
  );
  const isAllowed = !isDeleted && may('integrations:write');

  async function replaceAll() {
    if (!(await ask(text.replaceAllQuestion))) return;
    const found = await confirmed(() => call<RegeneratedKey>(`${path}/regenerate-key`, { method: 'POST' }));
    if (found) setOpen({ apiKey: found.data.apiKey });
  }
  async function revoke({ id }: IntegrationKey) {
    if (!(await ask(text.revokeQuestion))) return;
    if (!(await confirmed(() => call(`${path}/keys/${id}/revoke`, { method: 'POST' })))) return;
    announce(text.revoked);
    resource.reload();
  }
  const cancel = () => setOpen(null);
  const show = (apiKey: string) => setOpen({ apiKey });
  const end = () => {
    setOpen(null);
    resource.reload();
  };
  return (
    <section aria-label={text.title}>
      <div class="section-heading">
        <h2>{text.title}</h2>
        {isAllowed && (
          <div class="buttons">
            <button type="button" class="button small" onClick={() => setOpen('create')}>
              {text.create}
            </button>
            <button type="button" class="button small" disabled={isBusy} onClick={() => void run(replaceAll)}>
              {text.replaceAll}
            </button>
          </div>
        )}
      </div>
      {error && <Problem error={error} />}
      <Show resource={resource}>
        {(keys) => (
          <KeyTable
            keys={keys}
            change={
              isAllowed
                ? {
                    rotate: (key) => setOpen({ rotate: key }),
                    revoke: (key) => void run(() => revoke(key)),
                  }
                : null
            }
          />
        )}
      </Show>
      {open === 'create' && <NewKey path={path} onCreated={show} onCancel={cancel} />}
      {open && typeof open === 'object' && 'rotate' in open && (
        <RotateKey path={path} key={open.rotate.id} of={open.rotate} onCreated={show} onCancel={cancel} />
      )}
      {open && typeof open === 'object' && 'apiKey' in open && (
        <ShownOnce title={text.shown} onEnd={end}>
          <ShownKey apiKey={open.apiKey} />
        </ShownOnce>
      )}
    </section>
  );
}
