import { useState } from 'preact/hooks';
import type { Webhook } from '../../features/webhooks/schema.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { to } from '../data/route.ts';
import { StatusName } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { List } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { CreateWebhook } from './webhook/create.tsx';

export function WebhooksPage() {
  const { webhooks: text } = words.value;
  const [creating, setCreating] = useState(false);
  const resource = useList<Webhook>('/v1/webhooks');
  return (
    <>
      <Heading title={text.title}>
        {may('webhooks:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {text.create}
          </button>
        )}
      </Heading>
      <List resource={resource} none={text.none} hint={text.noneHint}>
        {(webhooks) => <WebhookTable webhooks={webhooks} />}
      </List>
      {creating && (
        <CreateWebhook
          onEnd={() => {
            setCreating(false);
            resource.reload();
          }}
        />
      )}
    </>
  );
}

export const targetOf = ({ url, to: recipients }: Webhook): string => url ?? recipients.join(', ');

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { webhooks: text, common } = words.value;
  return (
    <Table headings={[common.name, common.status, text.format, text.sends, text.types]}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <th scope="row">
            <Link href={to('webhooks', webhook.id)}>
              <Visible text={webhook.name} />
            </Link>
          </th>
          <td>
            <StatusName tone={webhook.status === 'ACTIVE' ? 'good' : 'quiet'}>
              {text.statuses[webhook.status]}
            </StatusName>
          </td>
          <td>{text.formats[webhook.format]}</td>
          <td>
            <Visible text={targetOf(webhook)} />
          </td>
          <td>
            <code>{webhook.types.join(', ')}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
