import { useState } from 'preact/hooks';
import type {
  CreatedOperatorKey,
  ListedOperator,
  Operator,
  OperatorRole,
} from '../../../features/operators/schema.ts';
import { operatorRoles } from '../../../features/operators/words.ts';
import { call, mostListed } from '../../data/api.ts';
import { announce } from '../../data/change.ts';
import { listed } from '../../data/format.ts';
import { confirmed, operator as current, may } from '../../data/operator/sign-in.ts';
import { useList } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Secret, ShownOnce } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface NewKeyProps {
  operatorId: string;
  /** Whether the operator was only just created. */
  isFirst?: boolean;
  onEnd: () => void;
}

/** Creates a key of an operator, and shows it once. */
export function NewKey({ operatorId, isFirst = false, onEnd }: NewKeyProps) {
  const { operators: text } = words.value;
  const [created, setCreated] = useState<CreatedOperatorKey | null>(null);
  if (created) {
    return (
      <ShownOnce title={text.keyShown} onEnd={onEnd}>
        <p class="note">{text.keyShownText}</p>
        <Secret label={text.keyShown} value={created.key} />
      </ShownOnce>
    );
  }
  return (
    <Dialog title={text.newKey} onClose={onEnd}>
      {isFirst && <p>{text.keyNext}</p>}
      <FieldsForm
        submitLabel={text.newKey}
        onCancel={onEnd}
        initial={{ name: '', ipRanges: '' }}
        fields={() => [
          { name: 'name', label: text.keyName, maxLength: 200 },
          { name: 'ipRanges', label: text.ipRanges, hint: text.ipRangesHint },
        ]}
        onSubmit={async ({ name, ipRanges }) => {
          const json = { operatorId, name: name.trim() || undefined, ipRanges: listed(ipRanges) };
          const found = await confirmed(() =>
            call<CreatedOperatorKey>('/v1/operator-keys', { method: 'POST', json }),
          );
          if (found) setCreated(found.data);
          return found !== null;
        }}
      />
    </Dialog>
  );
}

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
