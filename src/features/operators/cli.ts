import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import type { CurrentOperator, ListedOperator, Operator } from './schema.ts';
import { operatorRoles, operatorStatuses } from './words.ts';

const which = '<operator>';

export function addOperators(program: Command, io: Io): void {
  const operators = program
    .command('operators')
    .alias('operator')
    .summary('the people and programs that manage the service')
    .description(
      'Operators manage the service, as their roles permit. Name one by its id, or by its name if that is unique. `assize keys create` gives one a key.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize operators create "Ada Lovelace" --email ada@example.com --role REVIEWER',
        'assize keys create --operator "Ada Lovelace"',
      ]),
    );

  addPaging(
    addApiCommand(
      operators,
      io,
      {
        name: 'list',
        summary: 'list operators, newest first',
        examples: ['assize operators list --role REVIEWER'],
      },
      async () => list,
    ),
  )
    .addOption(statusOption('only these'))
    .addOption(wordOption('--role <role>', 'only those with this role', operatorRoles))
    .option('--group <group>', 'only those in this group');
  addApiCommand(
    operators,
    io,
    {
      name: 'whoami',
      summary: 'show the operator of this key, and its permissions',
      examples: ['assize operators whoami'],
    },
    async () => whoami,
  );
  addApiCommand(
    operators,
    io,
    {
      name: `show ${which}`,
      summary: 'show an operator and its keys',
      examples: ['assize operators show owner'],
    },
    async () => show,
  );
  accountOptions(
    addApiCommand(
      operators,
      io,
      {
        name: 'create <name>',
        summary: 'create an operator, without a key',
        examples: ['assize operators create "Grace Hopper" --role POLICY_EDITOR --role AUDITOR'],
      },
      async () => create,
    ),
    true,
  );
  accountOptions(
    addApiCommand(
      operators,
      io,
      {
        name: `update ${which}`,
        summary: 'change the given fields',
        examples: ['assize operators update "Grace Hopper" --status DISABLED'],
      },
      async () => update,
    )
      .option('--name <name>', 'its new name')
      .addOption(statusOption('DISABLED refuses all of its keys at once')),
    false,
  );
}

const statusOption = (description: string) => wordOption('--status <status>', description, operatorStatuses);

function accountOptions(command: Command, needsRole: boolean): void {
  const role = wordOption(
    '--role <role>',
    'role of the operator; repeat the option for several roles',
    operatorRoles,
  );
  const read = role.parseArg as (text: string) => string;
  role.argParser((text: string, before: string[] = []) => [...before, read(text)]);
  command
    .option('--email <address>', 'unique among operators')
    .addOption(needsRole ? role.makeOptionMandatory() : role)
    .option('--group <group...>', 'groups it belongs to')
    .option('--entity <id>', 'the entityId under which agents act for this person');
}

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

async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, role, group } = call.options;
  const query = { page, size, status, role, group };
  await printPage(call, { path: '/v1/operators', query }, listed, 'There are no such operators.');
}

async function whoami({ http, out }: Call): Promise<void> {
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

async function show({ http, out, args: [given] }: Call): Promise<void> {
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

async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const json = requestOf({ ...options, ...(name !== undefined && { name }) });
  const { data } = await http.send<Operator>({ method: 'POST', path: '/v1/operators', json });
  out.record(data, fields);
  out.note(`It has no key yet: assize keys create --operator ${data.id}`);
}

async function update({ http, out, options, args: [given] }: Call<Given>): Promise<void> {
  const json = requestOf(options);
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'operators', given);
  const { data } = await http.send<Operator>({ method: 'PATCH', path: path`/v1/operators/${id}`, json });
  out.record(data, fields);
}
