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
import { parseForWriting } from '../../json/parse.ts';
import type { Entity, EntityCounter, ListedEntity } from './schema.ts';
import { entityKinds } from './words.ts';

export function addEntities(program: Command, io: Io): void {
  const entities = program
    .command('entities')
    .alias('entity')
    .summary('the people, teams, agents and services that sessions name')
    .description('Governed entities: the people, teams, agents and services that sessions name by entityId.')
    .addHelpText('after', examplesText(['assize entities register "Night shift" --kind TEAM --owner Ada']));
  const add = <Options extends object>(
    name: string,
    summary: string,
    examples: string[],
    act: (call: Call<Options>) => Promise<void>,
  ): Command => addApiCommand(entities, io, { name, summary, examples }, async () => act);

  addPaging(add('list', 'list registered entities, newest first', ['assize entities list --kind TEAM'], list))
    .addOption(wordOption('--kind <kind>', 'only these', entityKinds))
    .option('--owner <owner>', 'only those that somebody answers for');
  add(
    'show <entity>',
    'show an entity: its counters, and its sessions and violations in numbers',
    ['assize entities show "Night shift"'],
    show,
  );
  add(
    'register <name>',
    'register an entity',
    ['assize entities register "Night shift" --kind TEAM --owner ada@example.com'],
    register,
  )
    .addOption(wordOption('--kind <kind>', 'what it is', entityKinds).makeOptionMandatory())
    .option('--id <id>', 'the entityId of its sessions; a new one when absent')
    .option('--owner <owner>', 'who answers for it')
    .option('--metadata <json>', 'a JSON object');
  add(
    'update <entity>',
    'change what is given; the rest stays',
    ['assize entities update "Night shift" --owner bob@example.com'],
    update,
  )
    .option('--name <name>', 'its new name')
    .addOption(wordOption('--kind <kind>', 'what it is', entityKinds))
    .option('--owner <owner>', 'who answers for it')
    .option('--metadata <json>', 'a JSON object, in place of what it has');
  add(
    'delete <entity>',
    'delete the registration; sessions and their record stay',
    ['assize entities delete "Night shift"'],
    remove,
  );
}

const columns: Column<ListedEntity>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'OWNER', of: ({ owner }) => owner },
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
];
const fields: Column<Entity>[] = [
  ...(columns as Column<Entity>[]),
  { title: 'METADATA', of: ({ metadata }) => JSON.stringify(metadata) },
  { title: 'SESSIONS', of: ({ sessionCount }) => sessionCount },
  { title: 'NEW VIOLATIONS', of: ({ violationCounts }) => violationCounts.NEW },
  { title: 'ACKNOWLEDGED', of: ({ violationCounts }) => violationCounts.ACKNOWLEDGED },
  { title: 'RESOLVED', of: ({ violationCounts }) => violationCounts.RESOLVED },
  { title: 'DISMISSED', of: ({ violationCounts }) => violationCounts.DISMISSED },
];

const counterColumns: Column<EntityCounter>[] = [
  { title: 'COUNTER', of: ({ name }) => name },
  {
    title: 'VALUE',
    of: ({ value, keyCount, why }) => value ?? (keyCount === null ? why : `${keyCount} keys`),
  },
  { title: 'WINDOW', of: ({ window }) => window },
  { title: 'SPLIT BY', of: ({ splitBy }) => splitBy },
  { title: 'POLICY', of: ({ policyName }) => policyName },
  { title: 'INTEGRATION', of: ({ integrationName }) => integrationName },
];

async function list(call: Call<PageOptions & { kind?: string; owner?: string }>): Promise<void> {
  const { page, size, kind, owner } = call.options;
  const request = { path: '/v1/entities', query: { page, size, kind, owner } };
  await printPage(call, request, columns, 'There are no such entities.');
}

/** The entity, then its counters. */
async function show({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'entities', args[0]);
  const { data } = await http.send<Entity>({ method: 'GET', path: path`/v1/entities/${id}` });
  out.record(data, fields);
  if (out.json || data.counters.length === 0) return;
  out.text('\n');
  out.list(data.counters, counterColumns, '');
}

interface Given {
  id?: string;
  name?: string;
  kind?: string;
  owner?: string;
  metadata?: string;
}

async function register({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const { id, kind, owner } = options;
  const json = { id, name, kind, owner, metadata: objectIn(options.metadata) };
  const { data } = await http.send<Entity>({ method: 'POST', path: '/v1/entities', json });
  out.record(data, fields);
}

async function update({ http, out, options, args }: Call<Given>): Promise<void> {
  const { name, kind, owner } = options;
  const json = { name, kind, owner, metadata: objectIn(options.metadata) };
  if (Object.values(json).every((value) => value === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  }
  const id = await idOf(http, 'entities', args[0]);
  const { data } = await http.send<Entity>({ method: 'PATCH', path: path`/v1/entities/${id}`, json });
  out.record(data, fields);
}

async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'entities', args[0]);
  out.record((await http.send<Entity>({ method: 'DELETE', path: path`/v1/entities/${id}` })).data, fields);
}

function objectIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseForWriting(text);
  } catch {
    throw new Exit(exitCodes.wrongUse, '--metadata: must be a JSON object');
  }
}
