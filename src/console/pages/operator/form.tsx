import { useState } from 'preact/hooks';
import type { ListedOperator, Operator, OperatorRole } from '../../../schemas/operators.ts';
import { announce } from '../../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Field } from '../../parts/field.tsx';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';

const roles: readonly OperatorRole[] = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'];

/** The entries of a text with commas between them. */
export const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

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
  const [error, setError] = useState<ApiError | null>(null);
  const toggle = (role: OperatorRole) =>
    setChosen(chosen.includes(role) ? chosen.filter((one) => one !== role) : [...chosen, role]);

  async function submit(event: Event) {
    event.preventDefault();
    setError(null);
    const json = { name: name.trim(), email: email.trim() || null, roles: chosen, groups: listed(groups) };
    const path = operator ? `/v1/operators/${operator.id}` : '/v1/operators';
    try {
      const found = await confirmed(() =>
        call<ListedOperator>(path, { method: operator ? 'PATCH' : 'POST', json }),
      );
      if (!found) return;
      announce(operator ? text.changed(json.name) : text.created(json.name));
      onEnd();
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  return (
    <form onSubmit={submit}>
      <Field label={common.name}>
        {(ids) => (
          <input
            {...ids}
            value={name}
            maxLength={200}
            required
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={text.email}>
        {(ids) => (
          <input
            {...ids}
            type="email"
            value={email}
            maxLength={254}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        )}
      </Field>
      <fieldset class="field">
        <legend>{text.roles}</legend>
        {roles.map((role) => (
          <label key={role} class="check">
            <input type="checkbox" checked={chosen.includes(role)} onChange={() => toggle(role)} />{' '}
            {text.role[role]}
          </label>
        ))}
      </fieldset>
      <Field label={text.groups} hint={text.groupsHint}>
        {(ids) => <input {...ids} value={groups} onInput={(event) => setGroups(event.currentTarget.value)} />}
      </Field>
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={name.trim() === '' || chosen.length === 0}>
          {operator ? common.save : text.create}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}
