import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const roles = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'];
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
  const load = () => import('./operators/commands.ts');

  addPaging(
    addApiCommand(
      operators,
      io,
      {
        name: 'list',
        summary: 'list operators, newest first',
        examples: ['assize operators list --role REVIEWER'],
      },
      async () => (await load()).list,
    ),
  )
    .addOption(statusOption('only these'))
    .addOption(wordOption('--role <role>', 'only those with this role', roles))
    .option('--group <group>', 'only those in this group');
  addApiCommand(
    operators,
    io,
    {
      name: 'whoami',
      summary: 'show the operator of this key, and its permissions',
      examples: ['assize operators whoami'],
    },
    async () => (await load()).whoami,
  );
  addApiCommand(
    operators,
    io,
    {
      name: `show ${which}`,
      summary: 'show an operator and its keys',
      examples: ['assize operators show owner'],
    },
    async () => (await load()).show,
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
      async () => (await load()).create,
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
      async () => (await load()).update,
    )
      .option('--name <name>', 'its new name')
      .addOption(statusOption('DISABLED refuses all of its keys at once')),
    false,
  );
}

const statusOption = (description: string) =>
  wordOption('--status <status>', description, ['ACTIVE', 'DISABLED']);

function accountOptions(command: Command, needsRole: boolean): void {
  const role = wordOption(
    '--role <role>',
    'role of the operator; repeat the option for several roles',
    roles,
  );
  const read = role.parseArg as (text: string) => string;
  role.argParser((text: string, before: string[] = []) => [...before, read(text)]);
  command
    .option('--email <address>', 'unique among operators')
    .addOption(needsRole ? role.makeOptionMandatory() : role)
    .option('--group <group...>', 'groups it belongs to')
    .option('--entity <id>', 'the entityId under which agents act for this person');
}
