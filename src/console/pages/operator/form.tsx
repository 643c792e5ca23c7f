import { useState } from 'preact/hooks';
import type { ListedOperator, Operator, OperatorRole } from '../../../features/operators/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { listed } from '../../data/format.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../strings/index.ts';

const roles: readonly OperatorRole[] = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'];

interface OperatorFormProps {
  /** Null for a new one. */
  operator: Operator | null;
  onEnd: () => void;
  onCancel: () => void;
}

export function OperatorForm({ operator, onEnd, onCancel }: OperatorFormProps) {
  const { operators: text, common } = words.value;
  const [name, setName] = useState(operator?.name ?? '');
  const [email, setEmail] = useState(operator?.email ?? '');
  const [chosen, setChosen] = useState<readonly OperatorRole[]>(operator?.roles ?? ['READ_ONLY']);
  const [groups, setGroups] = useState(operator?.groups.join(', ') ?? '');
  const toggle = (role: OperatorRole) =>
    setChosen(chosen.includes(role) ? chosen.filter((one) => one !== role) : [...chosen, role]);

  async function save() {
    const json = { name: name.trim(), email: email.trim() || null, roles: chosen, groups: listed(groups) };
    const path = operator ? `/v1/operators/${operator.id}` : '/v1/operators';
    const found = await confirmed(() =>
      call<ListedOperator>(path, { method: operator ? 'PATCH' : 'POST', json }),
    );
    if (!found) return;
    announce(operator ? text.changed(json.name) : text.created(json.name));
    onEnd();
  }
  return (
    <Form
      submitLabel={operator ? common.save : text.create}
      isComplete={name.trim() !== '' && chosen.length > 0}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextField label={common.name} value={name} maxLength={200} required onInput={setName} />
      <TextField label={text.email} type="email" value={email} maxLength={254} onInput={setEmail} />
      <fieldset class="field">
        <legend>{text.roles}</legend>
        {roles.map((role) => (
          <label key={role} class="check">
            <input type="checkbox" checked={chosen.includes(role)} onChange={() => toggle(role)} />{' '}
            {text.role[role]}
          </label>
        ))}
      </fieldset>
      <TextField label={text.groups} hint={text.groupsHint} value={groups} onInput={setGroups} />
    </Form>
  );
}
