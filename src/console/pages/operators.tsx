import { useState } from 'preact/hooks';
import type { ListedOperator, Operator } from '../../features/operators/schema.ts';
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
  /** With the id of a new one. */
  onEnd: (id: string) => void;
  onCancel: () => void;
}

export function OperatorForm({ operator, onEnd, onCancel }: OperatorFormProps) {
  const { operators: text, common } = words.value;
  return (
    <FieldsForm
      submitLabel={operator ? common.save : text.create}
      onCancel={onCancel}
      initial={{
        name: operator?.name ?? '',
        email: operator?.email ?? '',
        roles: operator?.roles ?? ['READ_ONLY'],
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
      }}
    />
  );
}

export function OperatorsPage() {
  const { operators: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<ListedOperator>('/v1/operators', {}, { size: mostListed });
  const [keyless, setKeyless] = useState<string | null>(null);
  const end = (id: string) => {
    setCreating(false);
    setKeyless(id);
    resource.reload();
  };
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
        <Dialog title={text.create} onClose={() => setCreating(false)}>
          <OperatorForm operator={null} onEnd={end} onCancel={() => setCreating(false)} />
        </Dialog>
      )}
      {keyless !== null && (
        <NewKey
          operatorId={keyless}
          isFirst
          onEnd={() => {
            setKeyless(null);
            resource.reload();
          }}
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
