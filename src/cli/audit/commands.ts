import { path } from '../../client/http.ts';
import type { AuditEntry, ListedAuditEntry } from '../../schemas/audit.ts';
import type { Call } from '../api/call.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/table.ts';

const columns: Column<AuditEntry>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'AT', of: ({ at }) => at },
  { title: 'ACTOR', of: ({ actor }) => actor.name },
  { title: 'ACTION', of: ({ action }) => action },
  { title: 'RESOURCE', of: ({ resourceId }) => resourceId },
  { title: 'OUTCOME', of: ({ outcome }) => outcome, word: true },
  { title: 'FROM', of: ({ address }) => address },
];
const fields: Column<AuditEntry>[] = [
  ...columns,
  { title: 'ACTOR ID', of: ({ actor }) => actor.id },
  { title: 'KEY', of: ({ actor }) => actor.keyId },
  { title: 'REQUEST', of: ({ method, path }) => `${method} ${path}` },
  { title: 'REQUEST ID', of: ({ requestId }) => requestId },
  { title: 'STATUS', of: ({ statusCode }) => statusCode },
  { title: 'MESSAGE', of: ({ message }) => message },
  { title: 'BEFORE', of: ({ before }) => before && JSON.stringify(before) },
  { title: 'AFTER', of: ({ after }) => after && JSON.stringify(after) },
];

interface Filter extends PageOptions {
  actor?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  outcome?: string;
  from?: string;
  to?: string;
}

const queryOf = ({ actor: actorId, action, resource, resourceId, outcome, from, to }: Filter) => ({
  actorId,
  action,
  resource,
  resourceId,
  outcome,
  from,
  to,
});

export async function list(call: Call<Filter>): Promise<void> {
  const { page, size } = call.options;
  const query = { page, size, ...queryOf(call.options) };
  await printPage(call, { path: '/v1/audit', query }, columns, 'There are no such entries.');
}

export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<AuditEntry>({ method: 'GET', path: path`/v1/audit/${id}` });
  out.record(data, fields);
}

const mostInPage = 200;

/** Page by page from the newest on, so that neither side holds more than one. */
export async function exportAll({ http, out, options }: Call<Filter>): Promise<void> {
  const query = queryOf(options);
  let before: string | undefined;
  for (;;) {
    const { data } = await http.send<ListedAuditEntry[]>({
      method: 'GET',
      path: '/v1/audit',
      query: { ...query, before, size: mostInPage },
    });
    for (const listed of data) {
      const whole = listed.omitted
        ? (await http.send<AuditEntry>({ method: 'GET', path: path`/v1/audit/${listed.id}` })).data
        : listed;
      out.line(whole, JSON.stringify(whole));
    }
    before = data.at(-1)?.id;
    if (data.length < mostInPage || out.unread()) return;
  }
}
