import { readFileSync } from 'node:fs';
import { path } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { Proposal, ProposalSummary } from '../../schemas/proposals.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
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
  operator?: string;
  fields?: string;
  add?: string[];
  remove?: string[];
  note?: string;
}

export async function create({ http, out, options, args: [operation] }: Call<Given>): Promise<void> {
  const { integration, policy, list, operator, add, remove, note } = options;
  const json = {
    operation,
    ...(integration !== undefined && { integrationId: await idOf(http, 'integrations', integration) }),
    ...(policy !== undefined && { policyId: await idOf(http, 'policies', policy) }),
    ...(list !== undefined && { listId: await idOf(http, 'lists', list) }),
    ...(operator !== undefined && { operatorId: operator }),
    ...(options.fields !== undefined && fieldsIn(operation, options.fields)),
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

/** Of a file, such as one that `tools show --json` wrote, only the tools: the rest of it is no field of a proposal. */
function fieldsIn(operation: string | undefined, given: string): Record<string, unknown> {
  const isJson = given.trimStart().startsWith('{');
  const fields = objectIn(isJson ? given : textOf(given), isJson ? '--fields' : given);
  if (operation === 'replaceToolCatalogue') return { tools: fields.tools };
  if (operation !== 'importTools' || 'listedTools' in fields) return fields;
  // A whole JSON-RPC response has the list as its result.
  return { listedTools: ((fields.result ?? fields) as { tools?: unknown }).tools };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Exit(exitCodes.wrongUse, `${file}: cannot be read`);
  }
}

function objectIn(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseForWriting(text);
  } catch {
    value = null;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Exit(exitCodes.wrongUse, `${place}: must be a JSON object`);
}
