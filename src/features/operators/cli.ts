import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import type { CurrentOperator, ListedOperator, Operator } from './schema.ts';
import { operatorRoles, operatorStatuses } from './words.ts';

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

const current: Column<CurrentOperator>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'ROLES', of: ({ roles }) => roles.join(', ') },
  { title: 'GROUPS', of: ({ groups }) => groups.join(', ') },
  { title: 'KEY', of: ({ keyId }) => keyId },
  { title: 'MAY', of: ({ permissions }) => permissions.join(', ') },
];

const statusOption = (description: string) => wordOption('--status <status>', description, operatorStatuses);

function rolesOption() {
  const option = wordOption(
    '--role <role>',
    'role of the operator; repeat the option for several roles',
    operatorRoles,
  );
  const read = option.parseArg as (text: string) => string;
  return option.argParser((text: string, before: string[] = []) => [...before, read(text)]);
}

const email = textOption('--email <address>', 'unique among operators');
const further = [
  textOption('--group <group...>', 'groups it belongs to'),
  textOption('--entity <id>', 'the entityId under which agents act for this person'),
];
const accountFields = { role: 'roles', group: 'groups', entity: 'entityId' };

export const addOperators = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'operators',
    alias: 'operator',
    summary: 'the people and programs that manage the service',
    description:
      'Operators manage the service, as their roles permit. Name one by its id, or by its name if that is unique. `assize keys create` gives one a key.',
    examples: [
      'assize operators create "Ada Lovelace" --email ada@example.com --role REVIEWER',
      'assize keys create --operator "Ada Lovelace"',
    ],
    commands: [
      {
        name: 'list',
        summary: 'list operators, newest first',
        examples: ['assize operators list --role REVIEWER'],
        options: [
          statusOption('only these'),
          wordOption('--role <role>', 'only those with this role', operatorRoles),
          textOption('--group <group>', 'only those in this group'),
        ],
        request: 'GET /v1/operators',
        columns: listed,
        none: 'There are no such operators.',
      },
      {
        name: 'whoami',
        summary: 'show the operator of this key, and its permissions',
        examples: ['assize operators whoami'],
        request: 'GET /v1/operators/me',
        columns: current,
      },
      {
        name: 'show <operator>',
        summary: 'show an operator and its keys',
        examples: ['assize operators show owner'],
        request: 'GET /v1/operators/{operators}',
        columns: fields,
      },
      {
        name: 'create <name>',
        summary: 'create an operator, without a key',
        examples: ['assize operators create "Grace Hopper" --role POLICY_EDITOR --role AUDITOR'],
        options: [email, rolesOption().makeOptionMandatory(), ...further],
        request: 'POST /v1/operators',
        fields: accountFields,
        print: (operator: Operator, { out }: Call) => {
          out.record(operator, fields);
          out.note(`It has no key yet: assize keys create --operator ${operator.id}`);
        },
      },
      {
        name: 'update <operator>',
        summary: 'change the given fields',
        examples: ['assize operators update "Grace Hopper" --status DISABLED'],
        options: [
          textOption('--name <name>', 'its new name'),
          statusOption('DISABLED refuses all of its keys at once'),
          email,
          rolesOption(),
          ...further,
        ],
        request: 'PATCH /v1/operators/{operators}',
        fields: accountFields,
        columns: fields,
      },
    ],
  });
