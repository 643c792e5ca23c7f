import { useState } from 'preact/hooks';
import type { CreatedOperatorKey, Operator, OperatorKey } from '../../../features/operators/schema.ts';
import { announce } from '../../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { operator as current, may } from '../../data/operator.ts';
import { ask } from '../../data/question.ts';
import { Problem } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { NewKey } from './new-key.tsx';

interface OperatorKeysProps {
  operator: Operator;
  reload: () => void;
}

export function OperatorKeys({ operator, reload }: OperatorKeysProps) {
  const { operators: text } = words.value;
  const [creating, setCreating] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const isAllowed = may('operators:write') || operator.id === current.value?.id;

  async function revoke({ id }: OperatorKey) {
    if (!(await ask(text.revokeQuestion))) return;
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
              <button type="button" class="button small danger" onClick={() => onRevoke(key)}>
                {text.revoke}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
