import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const kinds = ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'];

export function addLists(program: Command, io: Io): void {
  const lists = program
    .command('lists')
    .summary('shared lists that policies read as lists.NAME')
    .description(
      'Shared lists of domains, accounts and tools: policies read them as lists.NAME. Each change is recorded.',
    )
    .addHelpText(
      'after',
      examplesText(['assize lists create internalDomains --kind DOMAINS --entry example.com example.org']),
    );
  const load = () => import('./lists/commands.ts');
  const add = (name: string, summary: string, examples: string[], act: keyof Commands): Command =>
    addApiCommand(lists, io, { name, summary, examples }, async () => (await load())[act] as never);

  addPaging(
    add('list', 'list the shared lists, newest first', ['assize lists list --kind DOMAINS'], 'list'),
  ).addOption(wordOption('--kind <kind>', 'only these', kinds));
  add('show <list>', 'show a list', ['assize lists show internalDomains --entries'], 'show').option(
    '--entries',
    'print the entries alone, one a line',
  );
  add(
    'create <name>',
    'create a list',
    ['assize lists create internalDomains --kind DOMAINS --entry example.com'],
    'create',
  )
    .addOption(wordOption('--kind <kind>', 'what the entries are', kinds).makeOptionMandatory())
    .option('--entry <entry...>', 'entries to begin with')
    .option('--description <text>', 'what it is for')
    .option('--note <text>', 'why it is made');
  add(
    'update <list>',
    'add and remove entries, from the next request on',
    ['assize lists update internalDomains --add example.net --remove example.org --note "sold"'],
    'update',
  )
    .option('--add <entry...>', 'entries to add')
    .option('--remove <entry...>', 'entries to remove')
    .option('--description <text>', 'what it is for')
    .option('--note <text>', 'why it changes');
  addPaging(
    add(
      'changes <list>',
      'list who changed what and why, newest first',
      ['assize lists changes internalDomains'],
      'changes',
    ),
  );
  add(
    'delete <list>',
    'delete a list that no policy reads',
    ['assize lists delete internalDomains'],
    'remove',
  );
}

type Commands = typeof import('./lists/commands.ts');
