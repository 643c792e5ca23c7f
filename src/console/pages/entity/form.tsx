import { useState } from 'preact/hooks';
import type { Entity, EntityKind } from '../../../features/entities/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';

export const entityKinds: readonly EntityKind[] = ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'];

interface EntityFormProps {
  /** Null for a new one. */
  entity: Entity | null;
  onEnd: (entity: Entity) => void;
  onCancel: () => void;
}

export function EntityForm({ entity, onEnd, onCancel }: EntityFormProps) {
  const { entities: text, common } = words.value;
  const [id, setId] = useState('');
  const [name, setName] = useState(entity?.name ?? '');
  const [kind, setKind] = useState<EntityKind>(entity?.kind ?? 'PERSON');
  const [owner, setOwner] = useState(entity?.owner ?? '');

  async function save() {
    const json = {
      ...(!entity && id.trim() && { id: id.trim() }),
      name: name.trim(),
      kind,
      owner: owner.trim() || null,
    };
    const { data } = entity
      ? await call<Entity>(`/v1/entities/${entity.id}`, { method: 'PATCH', json })
      : await call<Entity>('/v1/entities', { method: 'POST', json });
    announce(entity ? text.changed(data.name) : text.created(data.name));
    onEnd(data);
  }
  return (
    <Form
      submitLabel={entity ? common.save : text.create}
      isComplete={name.trim() !== ''}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextField label={common.name} value={name} maxLength={200} required onInput={setName} />
      <Select
        label={text.kind}
        value={kind}
        choices={entityKinds.map((one) => [one, text.kinds[one]])}
        onChoose={setKind}
      />
      <TextField label={text.owner} value={owner} maxLength={200} onInput={setOwner} />
      {!entity && <TextField label={text.id} hint={text.idHint} value={id} maxLength={36} onInput={setId} />}
    </Form>
  );
}
