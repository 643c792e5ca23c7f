import { useState } from 'preact/hooks';
import type { Integration } from '../../schemas/integrations.ts';
import { call } from '../data/api.ts';
import { may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Pager, pageInUrl } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { CreateIntegration } from './integration/create.tsx';

export function IntegrationsPage() {
  const { integrations: text } = words.value;
  const page = pageInUrl();
  const [creating, setCreating] = useState(false);
  const resource = useResource(`integrations ${page}`, ({ signal }) =>
    call<Integration[]>('/v1/integrations', { query: { page }, signal }),
  );
  return (
    <>
      <Heading title={text.title}>
        {may('integrations:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <Show resource={resource}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={text.none}>
              <p>{text.noneHint}</p>
            </Empty>
          ) : (
            <>
              <IntegrationTable integrations={data} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Show>
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

function IntegrationTable({ integrations }: { integrations: readonly Integration[] }) {
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
