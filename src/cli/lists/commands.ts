import { path } from '../../client/http.ts';
import type { ListChange, SharedList, SharedListSummary } from '../../schemas/lists.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';

const columns: Column<SharedListSummary>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'ENTRIES', of: ({ entryCount }) => entryCount },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
  { title: 'DESCRIPTION', of: ({ description }) => description },
];
const changeColumns: Column<ListChange>[] = [
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'BY', of: ({ author }) => author?.name },
  { title: 'ADDED', of: ({ added }) => added.join(', ') },
  { title: 'REMOVED', of: ({ removed }) => removed.join(', ') },
  { title: 'NOTE', of: ({ note }) => note },
  { title: 'AT', of: ({ createdAt }) => createdAt },
];

export async function list(call: Call<PageOptions & { kind?: string }>): Promise<void> {
  const { page, size, kind } = call.options;
  await printPage(call, { path: '/v1/lists', query: { page, size, kind } }, columns, 'There are no lists.');
}

export async function show({ http, out, options, args }: Call<{ entries?: boolean }>): Promise<void> {
  const id = await idOf(http, 'lists', args[0]);
  const { data } = await http.send<SharedList>({ method: 'GET', path: path`/v1/lists/${id}` });
  if (options.entries && !out.json) {
    for (const entry of data.entries) out.text(`${entry}\n`);
    return;
  }
  out.record(data, columns);
}

interface Given {
  kind?: string;
  entry?: string[];
  add?: string[];
  remove?: string[];
  description?: string;
  note?: string;
}

export async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const { kind, entry: entries, description, note } = options;
  const json = { name, kind, entries, description, note };
  const { data } = await http.send<SharedList>({ method: 'POST', path: '/v1/lists', json });
  out.record(data, columns);
}

export async function update({ http, out, options, args }: Call<Given>): Promise<void> {
  const { add, remove, description, note } = options;
  if (!add && !remove && description === undefined) {
    throw new Exit(exitCodes.wrongUse, 'give --add, --remove or --description');
  }
  const id = await idOf(http, 'lists', args[0]);
  const { data } = await http.send<SharedList>({
    method: 'PATCH',
    path: path`/v1/lists/${id}`,
    json: { add, remove, description, note },
  });
  out.record(data, columns);
}

export async function changes(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'lists', call.args[0]);
  const request = { path: path`/v1/lists/${id}/changes`, query: { page, size } };
  await printPage(call, request, changeColumns, 'It was never changed.');
}

export async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'lists', args[0]);
  out.record((await http.send<SharedList>({ method: 'DELETE', path: path`/v1/lists/${id}` })).data, columns);
}
