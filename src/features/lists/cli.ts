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
import type { ListChange, SharedList, SharedListSummary } from './schema.ts';
import { listKinds } from './words.ts';

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
  const add = <Options extends object>(
    name: string,
    summary: string,
    examples: string[],
    act: (call: Call<Options>) => Promise<void>,
  ): Command => addApiCommand(lists, io, { name, summary, examples }, async () => act);

  addPaging(
    add('list', 'list the shared lists, newest first', ['assize lists list --kind DOMAINS'], list),
  ).addOption(wordOption('--kind <kind>', 'only these', listKinds));
  add('show <list>', 'show a list', ['assize lists show internalDomains --entries'], show).option(
    '--entries',
    'print the entries alone, one a line',
  );
  add(
    'create <name>',
    'create a list',
    ['assize lists create internalDomains --kind DOMAINS --entry example.com'],
    create,
  )
    .addOption(wordOption('--kind <kind>', 'what the entries are', listKinds).makeOptionMandatory())
    .option('--entry <entry...>', 'entries to begin with')
    .option('--description <text>', 'what it is for')
    .option('--note <text>', 'why it is made');
  add(
    'update <list>',
    'add and remove entries, from the next request on',
    ['assize lists update internalDomains --add example.net --remove example.org --note "sold"'],
    update,
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
      changes,
    ),
  );
  add('delete <list>', 'delete a list that no policy reads', ['assize lists delete internalDomains'], remove);
}

const columns: Column<SharedListSummary>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'ENTRIES', of: ({ entryCount }) => entryCount },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
  { title: 'DESCRIPTION', of: ({ description }) => description },
];
const changeColumns: Column<ListChange>[] = [
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'BY', of: ({ author }) => author?.name },
  { title: 'ADDED', of: ({ added }) => added.join(', ') },
  { title: 'REMOVED', of: ({ removed }) => removed.join(', ') },
  { title: 'NOTE', of: ({ note }) => note },
  { title: 'AT', of: ({ createdAt }) => createdAt },
];

async function list(call: Call<PageOptions & { kind?: string }>): Promise<void> {
  const { page, size, kind } = call.options;
  await printPage(call, { path: '/v1/lists', query: { page, size, kind } }, columns, 'There are no lists.');
}

async function show({ http, out, options, args }: Call<{ entries?: boolean }>): Promise<void> {
  const id = await idOf(http, 'lists', args[0]);
  const { data } = await http.send<SharedList>({ method: 'GET', path: path`/v1/lists/${id}` });
  if (options.entries && !out.json) {
    for (const entry of data.entries) out.text(`${entry}\n`);
    return;
  }
  out.record(data, columns);
}

interface Given {
  kind?: string;
  entry?: string[];
  add?: string[];
  remove?: string[];
  description?: string;
  note?: string;
}

async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const { kind, entry: entries, description, note } = options;
  const json = { name, kind, entries, description, note };
  const { data } = await http.send<SharedList>({ method: 'POST', path: '/v1/lists', json });
  out.record(data, columns);
}

async function update({ http, out, options, args }: Call<Given>): Promise<void> {
  const { add, remove, description, note } = options;
  if (!add && !remove && description === undefined) {
    throw new Exit(exitCodes.wrongUse, 'give --add, --remove or --description');
  }
  const id = await idOf(http, 'lists', args[0]);
  const { data } = await http.send<SharedList>({
    method: 'PATCH',
    path: path`/v1/lists/${id}`,
    json: { add, remove, description, note },
  });
  out.record(data, columns);
}

async function changes(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'lists', call.args[0]);
  const request = { path: path`/v1/lists/${id}/changes`, query: { page, size } };
  await printPage(call, request, changeColumns, 'It was never changed.');
}

async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'lists', args[0]);
  out.record((await http.send<SharedList>({ method: 'DELETE', path: path`/v1/lists/${id}` })).data, columns);
}
