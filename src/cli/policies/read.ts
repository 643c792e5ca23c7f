import { path } from '../../client/http.ts';
import type { Policy } from '../../schemas/policies.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { policyColumns, policyFields, versionColumns } from './columns.ts';

export async function list(call: Call<PageOptions & { status?: string }>): Promise<void> {
  const { page, size, status } = call.options;
  const request = { path: '/v1/policies', query: { page, size, status } };
  await printPage(call, request, policyColumns, 'There are no policies.');
}

/** With `--document` the document alone, to the byte: it can be edited and pushed again. */
export async function show({
  http,
  out,
  options,
  args: [given],
}: Call<{ document?: boolean }>): Promise<void> {
  const id = await idOf(http, 'policies', given);
  const { data } = await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${id}` });
  if (options.document) return out.text(data.document);
  out.record(data, policyFields);
}

export async function versions(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'policies', call.args[0]);
  const request = { path: path`/v1/policies/${id}/versions`, query: { page, size } };
  await printPage(call, request, versionColumns, 'It has no versions.');
}
