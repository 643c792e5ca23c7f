import { type Command, Option } from 'commander';
import { addApiCommand, examplesText, numberOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addKeys(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .alias('key')
    .summary('manage keys of operators, and replace keys of integrations')
    .description(
      'Keys are shown once, when they are created, and stored as hashes: a lost key can only be replaced. If the last key of an owner is lost, create another one with --database.',
    )
    .addHelpText('after', examplesText(['assize keys create', 'assize keys rotate demo']));
  const load = () => import('./keys/commands.ts');
  addPaging(
    addApiCommand(
      keys,
      io,
      {
        name: 'list',
        summary: 'list the keys of operators, or of an integration, newest first',
        examples: ['assize keys list', 'assize keys list --integration demo'],
      },
      async () => (await load()).list,
    ),
  )
    .option('--operator <operator>', 'only those of an operator')
    .option('--integration <integration>', 'those of an integration instead');
  addApiCommand(
    keys,
    io,
    {
      name: 'create',
      summary: 'create a key of an operator, or of an integration; it is shown only once',
      examples: [
        'assize keys create --operator "Ada Lovelace" --name laptop --ip-range 127.0.0.0/8',
        'assize keys create --integration demo --name dashboard --scope read',
        'assize keys create --database data/assize.db',
      ],
    },
    async () => (await load()).create,
  )
    .option(
      '--operator <operator>',
      'owner of the key; by default you, or the first owner when working on a database',
    )
    .option('--integration <integration>', 'of an integration instead')
    .addOption(
      new Option(
        '--scope <scope...>',
        'what the key of an integration may do; everything when absent',
      ).choices(['evaluate', 'sessions:open', 'sessions:end', 'read']),
    )
    .option('--name <name>', 'what the key is for')
    .option('--expires-at <time>', 'when it expires, such as 2030-01-31T12:00:00Z')
    .option(
      '--ip-range <range...>',
      'addresses and CIDR ranges that the key of an operator may be used from',
    );
  addApiCommand(
    keys,
    io,
    {
      name: 'revoke <id>',
      summary: 'revoke a key of an operator, or of an integration; the last one of an owner stays',
      examples: [`assize keys revoke ${someId}`, `assize keys revoke ${someId} --integration demo`],
    },
    async () => (await load()).revoke,
  ).option('--integration <integration>', 'whose key it is, when it is that of an integration');
  addApiCommand(
    keys,
    io,
    {
      name: 'rotate [integration] [id]',
      summary:
        'replace the operator key in use, or the keys of an integration at once; or one of them by its id, which goes on for a while',
      examples: [
        'assize keys rotate demo',
        `assize keys rotate demo ${someId} --overlap-hours 24`,
        'assize keys rotate',
      ],
    },
    async () => (await load()).rotate,
  )
    .addOption(
      numberOption('--overlap-hours <n>', 'for how long the old key goes on; 24 when absent', [0, 168]),
    )
    .option('--expires-at <time>', 'when the new key expires, such as 2030-01-31T12:00:00Z');
}
