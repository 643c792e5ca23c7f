import { useState } from 'preact/hooks';
import type { Integration, RegeneratedKey, RegeneratedWebhookSecret } from '../../../schemas/integrations.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { confirmed } from '../../data/confirmation.ts';
import { may } from '../../data/operator.ts';
import { ask } from '../../data/question.ts';
import { Secret, ShownOnce } from '../../parts/secret.tsx';
import { Problem } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { words } from '../../strings/index.ts';
import { ShownKey } from './shown-key.tsx';

type Fresh = { apiKey: string } | { webhookSecret: string };

export function KeySection({ integration, reload }: { integration: Integration; reload: () => void }) {
  const { integrations: text, common } = words.value;
  const [fresh, setFresh] = useState<Fresh | null>(null);
  const { error, run } = useChange();
  const path = `/v1/integrations/${integration.id}`;
  const isDeleted = integration.status === 'DELETED';

  const change = <T,>(question: string, send: () => Promise<{ data: T }>, done: (data: T) => void) =>
    run(async () => {
      if (!(await ask(question))) return;
      const found = await confirmed(send);
      if (found) done(found.data);
    });
  const regenerate = () =>
    change(
      text.regenerateQuestion,
      () => call<RegeneratedKey>(`${path}/regenerate-key`, { method: 'POST' }),
      setFresh,
    );
  const regenerateSecret = () =>
    change(
      `${text.regenerateSecret}?`,
      () =>
        call<RegeneratedWebhookSecret>(`${path}/regenerate-webhook-secret`, {
          method: 'POST',
        }),
      setFresh,
    );
  const remove = () =>
    change(text.deleteQuestion, () => call<Integration>(path, { method: 'DELETE' }), reload);
  return (
    <section class="card">
      <h2>{text.key}</h2>
      <p>
        {integration.apiKeyPrefix === null ? (
          text.noKey
        ) : (
          <code>{text.keyStarts(integration.apiKeyPrefix)}</code>
        )}{' '}
        <span class="quiet">
          {common.created} <Time at={integration.createdAt} />
        </span>
      </p>
      {integration.apiKeyExpiresAt && (
        <p class="quiet">
          <Time at={integration.apiKeyExpiresAt} show="full" />
        </p>
      )}
      {error && <Problem error={error} />}
      {!isDeleted && may('integrations:write') && (
        <div class="buttons">
          <button type="button" class="button" onClick={regenerate}>
            {text.regenerate}
          </button>
          <button type="button" class="button" onClick={regenerateSecret}>
            {text.regenerateSecret}
          </button>
          <button type="button" class="button danger" onClick={remove}>
            {common.delete}
          </button>
        </div>
      )}
      {fresh && (
        <FreshSecret
          fresh={fresh}
          onEnd={() => {
            setFresh(null);
            reload();
            announce(text.regenerated);
          }}
        />
      )}
    </section>
  );
}

function FreshSecret({ fresh, onEnd }: { fresh: Fresh; onEnd: () => void }) {
  const { integrations: text } = words.value;
  return (
    <ShownOnce title={text.regenerated} onEnd={onEnd}>
      {'apiKey' in fresh ? (
        <ShownKey apiKey={fresh.apiKey} />
      ) : (
        <>
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={fresh.webhookSecret} />
        </>
      )}
    </ShownOnce>
  );
}
