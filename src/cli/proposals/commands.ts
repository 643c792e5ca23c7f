import { path } from '../../client/http.ts';
import type { Proposal, ProposalSummary } from '../../schemas/proposals.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import type { Column } from '../output/table.ts';
import { bodyOf, type Terms } from '../policies/terms.ts';

const columns: Column<ProposalSummary>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'OPERATION', of: ({ operation }) => operation },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'AUTHOR', of: ({ author }) => author.name },
  { title: 'DECIDED BY', of: ({ decidedBy }) => decidedBy?.name },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'NOTE', of: ({ note }) => note },
];
const fields: Column<Proposal>[] = [
  ...columns,
  { title: 'CHANGE', of: ({ change }) => JSON.stringify(change) },
  { title: 'BEFORE', of: ({ before }) => JSON.stringify(before) },
];

export async function list(call: Call<PageOptions & { status?: string }>): Promise<void> {
  const { page, size, status } = call.options;
  const request = { path: '/v1/proposals', query: { page, size, status } };
  await printPage(call, request, columns, 'There are no proposals.');
}

export async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  out.record((await http.send<Proposal>({ method: 'GET', path: path`/v1/proposals/${id}` })).data, fields);
}

interface Given extends Terms {
  integration?: string;
  policy?: string;
  list?: string;
  add?: string[];
  remove?: string[];
  note?: string;
}

export async function create({ http, out, options, args: [operation] }: Call<Given>): Promise<void> {
  const { integration, policy, list, add, remove, note } = options;
  const json = {
    operation,
    ...(integration !== undefined && { integrationId: await idOf(http, 'integrations', integration) }),
    ...(policy !== undefined && { policyId: await idOf(http, 'policies', policy) }),
    ...(list !== undefined && { listId: await idOf(http, 'lists', list) }),
    ...bodyOf(options).json,
    add,
    remove,
    note,
  };
  out.record((await http.send<Proposal>({ method: 'POST', path: '/v1/proposals', json })).data, fields);
}

export const activate = (call: Call): Promise<void> => decide(call, 'activate');
export const reject = (call: Call): Promise<void> => decide(call, 'reject');

async function decide({ http, out, args: [id = ''] }: Call, verb: 'activate' | 'reject'): Promise<void> {
  const decided = { method: 'POST', path: `${path`/v1/proposals/${id}`}/${verb}` } as const;
  out.record((await http.send<Proposal>(decided)).data, fields);
}
