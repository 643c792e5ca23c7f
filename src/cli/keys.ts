import type { Command } from 'commander';
import { addApiCommand, examplesText } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addKeys(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .alias('key')
    .summary('the keys of operators, and new ones for integrations')
    .description(
      'Keys are shown when they are made, and kept as hashes: a lost one is replaced. Who lost the last key of an owner makes another on the database itself.',
    )
    .addHelpText('after', examplesText(['assize keys create', 'assize keys rotate demo']));
  const load = () => import('./keys/commands.ts');
  addPaging(
    addApiCommand(
      keys,
      io,
      { name: 'list', summary: 'list operator keys, newest first', examples: ['assize keys list'] },
      async () => (await load()).list,
    ),
  ).option('--operator <operator>', 'only those of an operator');
  addApiCommand(
    keys,
    io,
    {
      name: 'create',
      summary: 'create an operator key; it is shown only once',
      examples: [
        'assize keys create --operator "Ada Lovelace" --name laptop --ip-range 127.0.0.0/8',
        'assize keys create --database data/assize.db',
      ],
    },
    async () => (await load()).create,
  )
    .option('--operator <operator>', 'whose; yours when absent, on a database that of its first owner')
    .option('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it stops working, as 2030-01-31T12:00:00Z')
    .option('--ip-range <range...>', 'addresses and CIDR ranges that it may be used from');
  addApiCommand(
    keys,
    io,
    {
      name: 'revoke <id>',
      summary: 'revoke an operator key; the last one of an owner stays',
      examples: [`assize keys revoke ${someId}`],
    },
    async () => (await load()).revoke,
  );
  addApiCommand(
    keys,
    io,
    {
      name: 'rotate [integration]',
      summary: 'replace the key of an integration, or the operator key in use; it is shown only once',
      examples: ['assize keys rotate demo', 'assize keys rotate'],
    },
    async () => (await load()).rotate,
  ).option('--expires-at <time>', 'when the new key stops working, as 2030-01-31T12:00:00Z');
}
