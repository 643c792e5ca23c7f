import { useState } from 'preact/hooks';
import type { CreateMcpServer, McpServer } from '../../features/mcp-servers/schema.ts';
import { toolListings } from '../../features/mcp-servers/words.ts';
import { call, mostListed } from '../data/api.ts';
import { announce, ask, useChange } from '../data/change.ts';
import { linesOf } from '../data/format.ts';
import { may } from '../data/operator/sign-in.ts';
import { useList } from '../data/resource.ts';
import { Dialog } from '../parts/form/dialog.tsx';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { ListTable } from '../parts/list/list.tsx';
import type { Column } from '../parts/list/table.tsx';
import { Problem } from '../parts/states.tsx';
import { words } from '../strings/index.ts';

interface ServerFormProps {
  /** Null for a new one. */
  server: McpServer | null;
  onEnd: () => void;
  onSaved: () => void;
}

function ServerForm({ server, onEnd, onSaved }: ServerFormProps) {
  const { mcpServers: text, common } = words.value;
  return (
    <Dialog title={server ? text.edit : text.create} onClose={onEnd}>
      <FieldsForm
        submitLabel={server ? common.save : text.create}
        onCancel={onEnd}
        initial={{
          name: server?.name ?? '',
          url: server?.url ?? '',
          headers: '',
          integrationIds: server?.integrationIds ?? [],
          toolList: server?.toolList ?? toolListings[0],
          holdSeconds: String(server?.holdSeconds ?? 0),
          timeoutSeconds: String(server?.timeoutSeconds ?? 300),
          forwardsAuthorization: server?.forwardsAuthorization ?? false,
          masks: server?.masks ?? false,
        }}
        fields={() => [
          !server && { name: 'name', label: common.name, hint: text.nameHint, maxLength: 64, required: true },
          { name: 'url', label: text.url, hint: text.urlHint, required: true },
          {
            name: 'headers',
            label: text.headers,
            hint: server ? text.headersStay : text.headersHint,
            rows: 2,
          },
          {
            name: 'integrationIds',
            label: text.integrations,
            hint: text.integrationsHint,
            anyOf: 'integrations',
          },
          {
            name: 'toolList',
            label: text.toolList,
            choices: toolListings.map((one) => [one, text.toolLists[one]]),
          },
          { name: 'holdSeconds', label: text.holdSeconds, hint: text.holdHint, type: 'number' },
          { name: 'timeoutSeconds', label: text.timeoutSeconds, type: 'number' },
          { name: 'forwardsAuthorization', label: text.forwards },
          { name: 'masks', label: text.masks },
        ]}
        onSubmit={async ({ name, headers, holdSeconds, timeoutSeconds, ...values }) => {
          const json = {
            ...values,
            url: values.url.trim(),
            ...(linesOf(headers).length > 0 && { headers: linesOf(headers) }),
            integrationIds: [...values.integrationIds],
            holdSeconds: Number(holdSeconds),
            timeoutSeconds: Number(timeoutSeconds),
          };
          if (server) await call(`/v1/mcp-servers/${server.id}`, { method: 'PATCH', json });
          else {
            const created = { name: name.trim(), ...json } satisfies CreateMcpServer;
            await call('/v1/mcp-servers', { method: 'POST', json: created });
          }
          announce(server ? text.changed : text.created);
          onSaved();
        }}
      />
    </Dialog>
  );
}

export function McpServersPage() {
  const { mcpServers: text } = words.value;
  const [edited, setEdited] = useState<McpServer | 'new' | null>(null);
  const { error, isBusy, run } = useChange();
  const resource = useList<McpServer>('/v1/mcp-servers', {}, { size: mostListed });
  const mayChange = may('integrations:write');

  async function remove({ id, name }: McpServer) {
    if (!(await ask(text.deleteQuestion(name), text.delete))) return;
    await call(`/v1/mcp-servers/${id}`, { method: 'DELETE' });
    announce(text.deleted);
    resource.reload();
  }
  return (
    <>
      <Heading title={text.title}>
        {mayChange && (
          <button type="button" class="button primary" onClick={() => setEdited('new')}>
            {text.create}
          </button>
        )}
      </Heading>
      {error && <Problem error={error} />}
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
        actions={
          mayChange &&
          ((server) => (
            <>
              <button type="button" class="button small" onClick={() => setEdited(server)}>
                {text.edit}
              </button>
              <button
                type="button"
                class="button small danger"
                disabled={isBusy}
                onClick={() => void run(() => remove(server))}
              >
                {text.delete}
              </button>
            </>
          ))
        }
      />
      {edited && (
        <ServerForm
          server={edited === 'new' ? null : edited}
          onEnd={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            resource.reload();
          }}
        />
      )}
    </>
  );
}

function columnsOf(): Column<McpServer>[] {
  const { mcpServers: text, common } = words.value;
  return [
    { id: 'name', heading: common.name, value: ({ name }) => name },
    { id: 'url', heading: text.url, value: ({ url }) => url },
    {
      id: 'path',
      heading: text.path,
      value: pathOf,
      show: (server) => <code>{pathOf(server)}</code>,
    },
    {
      id: 'headers',
      heading: text.headers,
      value: ({ headerNames, forwardsAuthorization }) =>
        [...headerNames, ...(forwardsAuthorization ? [text.forwarded] : [])].join(', '),
    },
    { id: 'tools', heading: text.toolList, value: ({ toolList }) => text.toolLists[toolList] },
  ];
}

const pathOf = ({ name }: McpServer): string => `/v1/mcp-proxy/${name}`;
