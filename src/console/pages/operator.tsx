import { useState } from 'preact/hooks';
import type { Operator } from '../../features/operators/schema.ts';
import { announce } from '../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../data/api.ts';
import { confirmed } from '../data/confirmation.ts';
import { operator as current, may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { useResource } from '../data/resource.ts';
import { StatusName } from '../parts/badges.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Time } from '../parts/times.tsx';
import { words } from '../strings/index.ts';
import { OperatorForm } from './operator/form.tsx';
import { OperatorKeys } from './operator/keys.tsx';

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
    if (isActive && !(await ask(text.disableQuestion))) return;
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
