import { useState } from 'preact/hooks';
import type { CreatedWebhook } from '../../../features/webhooks/schema.ts';
import { announce } from '../../data/announcements.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Secret, ShownOnce } from '../../parts/secret.tsx';
import { words } from '../../strings/index.ts';
import { WebhookForm } from './form.tsx';

/** Creates a webhook; one that signs shows its secret once. */
export function CreateWebhook({ onEnd }: { onEnd: () => void }) {
  const { webhooks: text } = words.value;
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <ShownSecret title={text.created} secret={secret} onEnd={onEnd} />;
  const created = (webhook: CreatedWebhook) => {
    if (webhook.secret !== null) return setSecret(webhook.secret);
    announce(text.created);
    onEnd();
  };
  return (
    <Dialog title={text.create} onClose={onEnd}>
      <WebhookForm webhook={null} onSaved={created} onCancel={onEnd} />
    </Dialog>
  );
}

interface ShownSecretProps {
  title: string;
  secret: string;
  onEnd: () => void;
}

export function ShownSecret({ title, secret, onEnd }: ShownSecretProps) {
  const { webhooks: text } = words.value;
  return (
    <ShownOnce title={title} onEnd={onEnd}>
      <p class="note">{text.secretOnce}</p>
      <Secret label={text.secret} value={secret} />
    </ShownOnce>
  );
}
