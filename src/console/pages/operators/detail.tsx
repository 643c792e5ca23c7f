import { useState } from 'preact/hooks';
import type { CreatedOperatorKey, Operator, OperatorKey } from '../../../features/operators/schema.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { announce, ask } from '../../data/change.ts';
import { confirmed, operator as current, may } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { StatusName, Time } from '../../parts/badges.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { NewKey, OperatorForm } from './list.tsx';

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
