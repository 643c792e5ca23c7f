import { path } from '../../client/http.ts';
import type { HousePolicy } from '../../schemas/bindings.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/output.ts';
import { bodyOf, type Terms } from '../policies/terms.ts';

const columns: Column<HousePolicy>[] = [
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'NAME', of: ({ policy }) => policy.name },
  { title: 'STATUS', of: ({ policy }) => policy.status, word: true },
  { title: 'VERSION', of: ({ policy }) => policy.version },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

export async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const request = { path: '/v1/house-policies', query: { page, size } };
  await printPage(call, request, columns, 'No policy applies to every integration.');
}

export const bind = (call: Call<Terms>): Promise<void> =>
  change(call, { method: 'PUT', ...bodyOf(call.options) });

export const unbind = (call: Call): Promise<void> => change(call, { method: 'DELETE' });

async function change(
  { http, out, args }: Pick<Call, 'http' | 'out' | 'args'>,
  request: { method: 'PUT' | 'DELETE'; json?: object },
): Promise<void> {
  const id = await idOf(http, 'policies', args[0]);
  const { data } = await http.send<HousePolicy>({ ...request, path: path`/v1/house-policies/${id}` });
  out.record(data, columns);
}
