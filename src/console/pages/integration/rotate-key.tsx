import { useState } from 'preact/hooks';
import type { IntegrationKey, RotatedIntegrationKey } from '../../../features/integrations/schema.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';
import type { NewKeyProps } from './new-key.tsx';

/** Hours for which both keys work; at most 168. */
const overlaps = ['1', '24', '168', '0'] as const;
type Overlap = (typeof overlaps)[number];

/** Another key with the same name and scopes; the old one goes on for a while, so that no request fails. */
export function RotateKey({ path, of, onCreated, onCancel }: NewKeyProps & { of: IntegrationKey }) {
  const { keys: text } = words.value.integrations;
  const [overlap, setOverlap] = useState<Overlap>('24');

  async function rotate() {
    const json = { overlapHours: Number(overlap) };
    const found = await confirmed(() =>
      call<RotatedIntegrationKey>(`${path}/keys/${of.id}/rotate`, { method: 'POST', json }),
    );
    if (found) onCreated(found.data.apiKey);
  }
  return (
    <Dialog title={text.rotateOne(of.name)} onClose={onCancel}>
      <p>{text.rotateText}</p>
      <Form submitLabel={text.rotate} onSubmit={rotate} onCancel={onCancel}>
        <Select
          label={text.overlap}
          value={overlap}
          choices={overlaps.map((hours) => [hours, text.overlaps[hours]])}
          onChoose={setOverlap}
        />
      </Form>
    </Dialog>
  );
}
