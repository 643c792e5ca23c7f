import { useState } from 'preact/hooks';
import type { ListedOperator, Operator, OperatorRole } from '../../features/operators/schema.ts';
import { operatorRoles } from '../../features/operators/words.ts';
import { call } from '../data/api.ts';
import { announce } from '../data/change.ts';
import { confirmed } from '../data/confirmation.ts';
import { listed } from '../data/format.ts';
import { operator as current, may } from '../data/operator.ts';
import { mostListed, useList } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FieldsForm } from '../parts/fields-form.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ListTable } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { NewKey } from './operators/new-key.tsx';

interface OperatorFormProps {
  /** Null for a new one. */
  operator: Operator | null;
  /** The roles that a new operator begins with. */
  roles?: readonly OperatorRole[];
  /** With the id of a new one. */
  onEnd: (id: string) => void;
  onCancel: () => void;
}

export function OperatorForm({ operator, roles = ['READ_ONLY'], onEnd, onCancel }: OperatorFormProps) {
  const { operators: text, common } = words.value;
  return (
    <FieldsForm
      submitLabel={operator ? common.save : text.create}
      onCancel={onCancel}
      initial={{
        name: operator?.name ?? '',
        email: operator?.email ?? '',
        roles: operator?.roles ?? roles,
        groups: operator?.groups.join(', ') ?? '',
      }}
      fields={() => [
        { name: 'name', label: common.name, maxLength: 200, required: true },
        { name: 'email', label: text.email, type: 'email', maxLength: 254 },
        {
          name: 'roles',
          label: text.roles,
          anyOf: operatorRoles.map((role) => [role, text.role[role], text.roleMeans[role]]),
          required: true,
        },
        { name: 'groups', label: text.groups, hint: text.groupsHint },
      ]}
      onSubmit={async ({ name, email, roles, groups }) => {
        const json = { name: name.trim(), email: email.trim() || null, roles, groups: listed(groups) };
        const path = operator ? `/v1/operators/${operator.id}` : '/v1/operators';
        const method = operator ? 'PATCH' : 'POST';
        const found = await confirmed(() => call<ListedOperator>(path, { method, json }));
        if (!found) return false;
        announce(operator ? text.changed(json.name) : text.created(json.name));
        onEnd(found.data.id);
        return true;
      }}
    />
  );
}

interface NewOperatorProps extends Pick<OperatorFormProps, 'roles'> {
  /** When it is created, and has a key unless that was declined. */
  onEnd: () => void;
  onCancel: () => void;
}

/** Creates an operator, and then the key to sign in with. */
export function NewOperator({ roles, onEnd, onCancel }: NewOperatorProps) {
  const [keyless, setKeyless] = useState<string | null>(null);
  if (keyless !== null) return <NewKey operatorId={keyless} isFirst onEnd={onEnd} />;
  return (
    <Dialog title={words.value.operators.create} onClose={onCancel}>
      <OperatorForm operator={null} {...(roles && { roles })} onEnd={setKeyless} onCancel={onCancel} />
    </Dialog>
  );
}

export function OperatorsPage() {
  const { operators: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<ListedOperator>('/v1/operators', {}, { size: mostListed });
  return (
    <>
      <Heading title={text.title}>
        {may('operators:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
      />
      {creating && (
        <NewOperator
          onEnd={() => {
            setCreating(false);
            resource.reload();
          }}
          onCancel={() => setCreating(false)}
        />
      )}
    </>
  );
}

function columnsOf(): Column<ListedOperator>[] {
  const { operators: text, common } = words.value;
  return [
    {
      id: 'name',
      heading: common.name,
      value: ({ name }) => name,
      show: ({ id, name, status }) => (
        <>
          <Link href={to('operators', id)}>
            <Visible text={name} />
          </Link>{' '}
          {id === current.value?.id && <span class="quiet">({text.you})</span>}{' '}
          {status === 'DISABLED' && <StatusName tone="quiet">{text.statuses[status]}</StatusName>}
        </>
      ),
    },
    {
      id: 'roles',
      heading: text.roles,
      value: ({ roles }) => roles.map((role) => text.role[role]).join(', '),
    },
    { id: 'groups', heading: text.groups, value: ({ groups }) => groups.join(', ') },
    { id: 'email', heading: text.email, isOptional: true, value: ({ email }) => email ?? '' },
    {
      id: 'keys',
      heading: text.keys,
      kind: 'number',
      value: ({ keyCount }) => keyCount,
      show: ({ keyCount }) => text.keyCount(keyCount),
    },
  ];
}
