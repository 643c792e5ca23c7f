import { path } from '../../client/http.ts';
import type { CurrentOperator, ListedOperator, Operator } from '../../schemas/operators.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';

type Account = Omit<ListedOperator, 'keyCount'>;
const account: Column<Account>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ROLES', of: ({ roles }) => roles.join(', ') },
  { title: 'GROUPS', of: ({ groups }) => groups.join(', ') },
  { title: 'E-MAIL', of: ({ email }) => email },
];
const listed: Column<ListedOperator>[] = [...account, { title: 'KEYS', of: ({ keyCount }) => keyCount }];
const fields: Column<Operator>[] = [
  ...account,
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'KEYS', of: ({ keys }) => keys.map(({ id, name }) => `${id} (${name})`).join(', ') },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];

interface Filter extends PageOptions {
  status?: string;
  role?: string;
  group?: string;
}

export async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, role, group } = call.options;
  const query = { page, size, status, role, group };
  await printPage(call, { path: '/v1/operators', query }, listed, 'There are no such operators.');
}

export async function whoami({ http, out }: Call): Promise<void> {
  const { data } = await http.send<CurrentOperator>({ method: 'GET', path: '/v1/operators/me' });
  out.record(data, [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'ROLES', of: ({ roles }) => roles.join(', ') },
    { title: 'GROUPS', of: ({ groups }) => groups.join(', ') },
    { title: 'KEY', of: ({ keyId }) => keyId },
    { title: 'MAY', of: ({ permissions }) => permissions.join(', ') },
  ]);
}

export async function show({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'operators', given);
  const { data } = await http.send<Operator>({ method: 'GET', path: path`/v1/operators/${id}` });
  out.record(data, fields);
}

interface Given {
  name?: string;
  email?: string;
  status?: string;
  role?: string[];
  group?: string[];
  entity?: string;
}

const requestOf = ({ name, email, status, role: roles, group: groups, entity: entityId }: Given) =>
  Object.fromEntries(
    Object.entries({ name, email, status, roles, groups, entityId }).filter(
      ([, value]) => value !== undefined,
    ),
  );

export async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const json = requestOf({ ...options, ...(name !== undefined && { name }) });
  const { data } = await http.send<Operator>({ method: 'POST', path: '/v1/operators', json });
  out.record(data, fields);
  out.note(`It has no key yet: assize keys create --operator ${data.id}`);
}

export async function update({ http, out, options, args: [given] }: Call<Given>): Promise<void> {
  const json = requestOf(options);
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'operators', given);
  const { data } = await http.send<Operator>({ method: 'PATCH', path: path`/v1/operators/${id}`, json });
  out.record(data, fields);
}
