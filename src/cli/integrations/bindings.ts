import { path } from '../../client/http.ts';
import type { Binding } from '../../schemas/bindings.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/table.ts';
import { policyColumns } from '../policies/columns.ts';
import { bodyOf, type Terms } from '../policies/terms.ts';

const fields: Column<Binding>[] = [
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

export async function listBound(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'integrations', call.args[0]);
  const request = { path: path`/v1/integrations/${id}/policies`, query: { page, size } };
  await printPage(call, request, policyColumns, 'No policy is bound to it.');
}

export const bind = (call: Call<Terms>): Promise<void> =>
  change(call, { method: 'PUT', ...bodyOf(call.options) });

export const unbind = (call: Call): Promise<void> => change(call, { method: 'DELETE' });

async function change(
  { http, out, args }: Pick<Call, 'http' | 'out' | 'args'>,
  request: { method: 'PUT' | 'DELETE'; json?: object },
): Promise<void> {
  const integration = await idOf(http, 'integrations', args[0]);
  const policy = await idOf(http, 'policies', args[1]);
  const { data } = await http.send<Binding>({
    ...request,
    path: path`/v1/integrations/${integration}/policies/${policy}`,
  });
  out.record(data, fields);
}
