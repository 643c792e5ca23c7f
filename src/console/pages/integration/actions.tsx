import { useState } from 'preact/hooks';
import type { Integration, RegeneratedWebhookSecret } from '../../../features/integrations/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { confirmed } from '../../data/confirmation.ts';
import { ask } from '../../data/question.ts';
import { Secret, ShownOnce } from '../../parts/secret.tsx';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';

interface IntegrationActionsProps {
  id: string;
  onDeleted: () => void;
}

/** What is done to an integration as a whole. */
export function IntegrationActions({ id, onDeleted }: IntegrationActionsProps) {
  const { integrations: text, common } = words.value;
  const [secret, setSecret] = useState<string | null>(null);
  const { error, isBusy, run } = useChange();
  const path = `/v1/integrations/${id}`;

  async function replaceSecret() {
    if (!(await ask(text.regenerateSecretQuestion))) return;
    const found = await confirmed(() =>
      call<RegeneratedWebhookSecret>(`${path}/regenerate-webhook-secret`, { method: 'POST' }),
    );
    if (found) setSecret(found.data.webhookSecret);
  }
  async function remove() {
    if (!(await ask(text.deleteQuestion))) return;
    if (await confirmed(() => call<Integration>(path, { method: 'DELETE' }))) onDeleted();
  }
  return (
    <section class="actions">
      <div class="buttons">
        <button type="button" class="button" disabled={isBusy} onClick={() => void run(replaceSecret)}>
          {text.regenerateSecret}
        </button>
        <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(remove)}>
          {common.delete}
        </button>
      </div>
      {error && <Problem error={error} />}
      {secret !== null && (
        <ShownOnce
          title={text.regenerated}
          onEnd={() => {
            setSecret(null);
            announce(text.regenerated);
          }}
        >
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={secret} />
        </ShownOnce>
      )}
    </section>
  );
}
