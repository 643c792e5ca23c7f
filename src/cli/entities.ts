import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const kinds = ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'];
const which = '<entity>';

export function addEntities(program: Command, io: Io): void {
  const entities = program
    .command('entities')
    .alias('entity')
    .summary('the people, teams, agents and services that sessions name')
    .description('Governed entities: the people, teams, agents and services that sessions name by entityId.')
    .addHelpText('after', examplesText(['assize entities register "Night shift" --kind TEAM --owner Ada']));
  const load = () => import('./entities/commands.ts');
  const add = (name: string, summary: string, examples: string[], act: keyof Commands): Command =>
    addApiCommand(entities, io, { name, summary, examples }, async () => (await load())[act] as never);

  addPaging(
    add('list', 'list registered entities, newest first', ['assize entities list --kind TEAM'], 'list'),
  )
    .addOption(wordOption('--kind <kind>', 'only these', kinds))
    .option('--owner <owner>', 'only those that somebody answers for');
  add(
    `show ${which}`,
    'show an entity: its counters, and its sessions and violations in numbers',
    ['assize entities show "Night shift"'],
    'show',
  );
  add(
    'register <name>',
    'register an entity',
    ['assize entities register "Night shift" --kind TEAM --owner ada@example.com'],
    'register',
  )
    .addOption(wordOption('--kind <kind>', 'what it is', kinds).makeOptionMandatory())
    .option('--id <id>', 'the entityId of its sessions; a new one when absent')
    .option('--owner <owner>', 'who answers for it')
    .option('--metadata <json>', 'a JSON object');
  add(
    `update ${which}`,
    'change what is given; the rest stays',
    ['assize entities update "Night shift" --owner bob@example.com'],
    'update',
  )
    .option('--name <name>', 'its new name')
    .addOption(wordOption('--kind <kind>', 'what it is', kinds))
    .option('--owner <owner>', 'who answers for it')
    .option('--metadata <json>', 'a JSON object, in place of what it has');
  add(
    `delete ${which}`,
    'delete the registration; sessions and their record stay',
    ['assize entities delete "Night shift"'],
    'remove',
  );
}

type Commands = typeof import('./entities/commands.ts');
