import type { IntegrationKey } from '../../../features/integrations/schema.ts';
import { now } from '../../data/clock.ts';
import { StatusName } from '../../parts/badges.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { scopeNames } from './scopes.ts';

interface KeyTableProps {
  keys: readonly IntegrationKey[];
  /** Null when the viewer may not. */
  change: Record<'rotate' | 'revoke', (key: IntegrationKey) => void> | null;
}

const hasExpired = ({ expiresAt }: IntegrationKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.value;

export function KeyTable({ keys, change }: KeyTableProps) {
  const { keys: text } = words.value.integrations;
  const { operators, common } = words.value;
  if (keys.length === 0) return <p class="quiet">{text.none}</p>;
  return (
    <Table headings={[common.name, text.scopes, common.created, operators.lastUsed, operators.expires, '']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <Visible text={key.name} />{' '}
            {key.lastFour && <span class="quiet">{operators.ending(key.lastFour)}</span>}
          </th>
          <td>{scopeNames(key.scopes)}</td>
          <td>
            <Time at={key.createdAt} />
          </td>
          <td>{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : operators.never}</td>
          <td>
            <Ending of={key} />
          </td>
          <td>
            {change && key.revokedAt === null && !hasExpired(key) && (
              <span class="row-buttons">
                <button type="button" class="button small" onClick={() => change.rotate(key)}>
                  {text.rotate}
                </button>
                <button type="button" class="button small danger" onClick={() => change.revoke(key)}>
                  {operators.revoke}
                </button>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Ending({ of: key }: { of: IntegrationKey }) {
  const { keys: text } = words.value.integrations;
  if (key.revokedAt !== null) {
    return (
      <>
        <StatusName tone="quiet">{text.isRevoked}</StatusName> <Time at={key.revokedAt} />
      </>
    );
  }
  if (key.expiresAt === null) return words.value.operators.never;
  return (
    <>
      {hasExpired(key) && <StatusName tone="quiet">{text.hasExpired}</StatusName>} <Time at={key.expiresAt} />
    </>
  );
}
