import { useState } from 'preact/hooks';
import type {
  CreatedOperatorKey,
  ListedOperator,
  Operator,
  OperatorKey,
  OperatorRole,
} from '../../features/operators/schema.ts';
import { operatorRoles } from '../../features/operators/words.ts';
import { type ApiError, apiErrorOf, call, mostListed } from '../data/api.ts';
import { announce, ask } from '../data/change.ts';
import { listed } from '../data/format.ts';
import { confirmed, operator as current, may } from '../data/operator/sign-in.ts';
import { useList, useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName, Time } from '../parts/badges.tsx';
import { Secret, ShownOnce } from '../parts/copy.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ManagedList } from '../parts/list/list.tsx';
import { type Column, Table } from '../parts/list/table.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

interface NewKeyProps {
  operatorId: string;
  /** Whether the operator was only just created. */
  isFirst?: boolean;
  onEnd: () => void;
}

/** Creates a key of an operator, and shows it once. */
function NewKey({ operatorId, isFirst = false, onEnd }: NewKeyProps) {
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

function OperatorForm({ operator, roles = ['READ_ONLY'], onEnd, onCancel }: OperatorFormProps) {
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
  const resource = useList<ListedOperator>('/v1/operators', {}, { size: mostListed });
  return (
    <ManagedList
      title={text.title}
      permission="operators:write"
      createLabel={text.create}
      create={(close) => (
        <NewOperator
          onEnd={() => {
            close();
            resource.reload();
          }}
          onCancel={close}
        />
      )}
      columns={columnsOf()}
      resource={resource}
      none={text.none}
    />
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

interface OperatorKeysProps {
  operator: Operator;
  reload: () => void;
}

function OperatorKeys({ operator, reload }: OperatorKeysProps) {
  const { operators: text } = words.value;
  const [creating, setCreating] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const isAllowed = may('operators:write') || operator.id === current.value?.id;

  async function revoke({ id, name, lastFour }: OperatorKey) {
    if (!(await ask(text.revokeQuestion(name, lastFour), text.revoke))) return;
    setError(null);
    try {
      const done = await confirmed(() =>
        call<CreatedOperatorKey>(`/v1/operator-keys/${id}/revoke`, { method: 'POST' }),
      );
      if (!done) return;
      announce(text.revoked);
      reload();
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  const end = () => {
    setCreating(false);
    reload();
  };
  return (
    <section>
      <div class="section-heading">
        <h2>{text.keys}</h2>
        {isAllowed && operator.status === 'ACTIVE' && (
          <button type="button" class="button small" onClick={() => setCreating(true)}>
            {text.newKey}
          </button>
        )}
      </div>
      {error && <Problem error={error} />}
      {operator.keys.length === 0 ? (
        <p class="quiet">{text.noKeys}</p>
      ) : (
        <KeyTable keys={operator.keys} onRevoke={isAllowed ? revoke : null} />
      )}
      {creating && <NewKey operatorId={operator.id} onEnd={end} />}
    </section>
  );
}

interface KeyTableProps {
  keys: readonly OperatorKey[];
  /** Null when the viewer may not. */
  onRevoke: ((key: OperatorKey) => void) | null;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const { operators: text, common } = words.value;
  return (
    <Table headings={[common.name, common.created, text.lastUsed, text.expires, text.ipRanges, '']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <Visible text={key.name} />{' '}
            {key.lastFour && <span class="quiet">{text.ending(key.lastFour)}</span>}{' '}
            {key.current && <span class="quiet">({text.thisKey})</span>}
          </th>
          <td>
            <Time at={key.createdAt} />
          </td>
          <td>{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : text.never}</td>
          <td>{key.expiresAt ? <Time at={key.expiresAt} /> : text.never}</td>
          <td>{key.ipRanges.join(', ') || '–'}</td>
          <td>
            {onRevoke && (
              <span class="row-buttons">
                <button type="button" class="button small danger" onClick={() => onRevoke(key)}>
                  {text.revoke}
                </button>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function OperatorPage({ id }: { id: string }) {
  const resource = useResource(
    `operator ${id}`,
    async ({ signal }) => (await call<Operator>(`/v1/operators/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>{(operator) => <Shown operator={operator} reload={resource.reload} />}</Show>
  );
}

function Shown({ operator, reload }: { operator: Operator; reload: () => void }) {
  const { operators: text, common } = words.value;
  const [editing, setEditing] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const { id, name, email, status, roles, groups, createdAt } = operator;
  const isActive = status === 'ACTIVE';

  async function setStatus() {
    if (isActive && !(await ask(text.disableQuestion, text.disable))) return;
    setError(null);
    const json = { status: isActive ? 'DISABLED' : 'ACTIVE' };
    try {
      if (!(await confirmed(() => call(`/v1/operators/${id}`, { method: 'PATCH', json })))) return;
      announce(text.changed(name));
      reload();
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  const end = () => {
    setEditing(false);
    reload();
  };
  return (
    <>
      <Heading title={name}>
        <StatusName tone={isActive ? 'good' : 'quiet'}>{text.statuses[status]}</StatusName>
        {may('operators:write') && (
          <>
            <button type="button" class="button small" onClick={() => setEditing(true)}>
              {text.edit}
            </button>
            {id !== current.value?.id && (
              <button type="button" class="button small" onClick={() => void setStatus()}>
                {isActive ? text.disable : text.enable}
              </button>
            )}
          </>
        )}
      </Heading>
      {error && <Problem error={error} />}
      <dl class="details">
        <div>
          <dt>{text.roles}</dt>
          <dd>{roles.map((role) => text.role[role]).join(', ')}</dd>
        </div>
        {groups.length > 0 && (
          <div>
            <dt>{text.groups}</dt>
            <dd>{groups.join(', ')}</dd>
          </div>
        )}
        {email && (
          <div>
            <dt>{text.email}</dt>
            <dd>{email}</dd>
          </div>
        )}
        <div>
          <dt>{common.created}</dt>
          <dd>
            <Time at={createdAt} show="full" />
          </dd>
        </div>
      </dl>
      <OperatorKeys operator={operator} reload={reload} />
      {editing && (
        <Dialog title={text.edit} onClose={() => setEditing(false)}>
          <OperatorForm operator={operator} onEnd={end} onCancel={() => setEditing(false)} />
        </Dialog>
      )}
    </>
  );
}
