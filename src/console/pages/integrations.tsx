import { useState } from 'preact/hooks';
import type { IntegrationSummary } from '../../features/integrations/schema.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { CreateIntegration } from './integration/create.tsx';

export function IntegrationsPage() {
  const { integrations: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<IntegrationSummary>('/v1/integrations');
  return (
    <>
      <Heading title={text.title}>
        {may('integrations:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(integrations) => <IntegrationTable integrations={integrations} />}
      </List>
      {creating && (
        <CreateIntegration
          onEnd={() => {
            setCreating(false);
            resource.reload();
          }}
        />
      )}
    </>
  );
}

function IntegrationTable({ integrations }: { integrations: readonly IntegrationSummary[] }) {
  const { integrations: text, common } = words.value;
  return (
    <Table headings={[common.name, text.kind, text.key, common.created]}>
      {integrations.map(({ id, name, kind, status, apiKeyPrefix, createdAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={to('integrations', id)}>
              <Visible text={name} />
            </Link>{' '}
            {status === 'DELETED' && <StatusName tone="quiet">{text.deletedState}</StatusName>}
          </th>
          <td>{text.kinds[kind]}</td>
          <td>{apiKeyPrefix === null ? text.noKey : <code>{text.keyStarts(apiKeyPrefix)}</code>}</td>
          <td>
            <Time at={createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
