import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import type { ListChange, SharedList, SharedListSummary } from './schema.ts';
import { listKinds } from './words.ts';

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
const description = textOption('--description <text>', 'what it is for');

export const addLists = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'lists',
    summary: 'shared lists that policies read as lists.NAME',
    description:
      'Shared lists of domains, accounts and tools: policies read them as lists.NAME. Each change is recorded.',
    examples: ['assize lists create internalDomains --kind DOMAINS --entry example.com example.org'],
    commands: [
      {
        name: 'list',
        summary: 'list the shared lists, newest first',
        examples: ['assize lists list --kind DOMAINS'],
        options: [wordOption('--kind <kind>', 'only these', listKinds)],
        request: 'GET /v1/lists',
        columns,
        none: 'There are no lists.',
      },
      {
        name: 'show <list>',
        summary: 'show a list',
        examples: ['assize lists show internalDomains --entries'],
        options: [textOption('--entries', 'print the entries alone, one a line')],
        request: 'GET /v1/lists/{lists}',
        fields: { entries: null },
        print,
      },
      {
        name: 'create <name>',
        summary: 'create a list',
        examples: ['assize lists create internalDomains --kind DOMAINS --entry example.com'],
        options: [
          wordOption('--kind <kind>', 'what the entries are', listKinds).makeOptionMandatory(),
          textOption('--entry <entry...>', 'entries to begin with'),
          description,
          textOption('--note <text>', 'why it is made'),
        ],
        request: 'POST /v1/lists',
        fields: { entry: 'entries' },
        columns,
      },
      {
        name: 'update <list>',
        summary: 'add and remove entries, from the next request on',
        examples: [
          'assize lists update internalDomains --add example.net --remove example.org --note "sold"',
        ],
        options: [
          textOption('--add <entry...>', 'entries to add'),
          textOption('--remove <entry...>', 'entries to remove'),
          description,
          textOption('--note <text>', 'why it changes'),
        ],
        request: 'PATCH /v1/lists/{lists}',
        check: (given: { add?: string[]; remove?: string[]; description?: string }) =>
          given.add || given.remove || given.description !== undefined
            ? null
            : 'give --add, --remove or --description',
        columns,
      },
      {
        name: 'changes <list>',
        summary: 'list who changed what and why, newest first',
        examples: ['assize lists changes internalDomains'],
        request: 'GET /v1/lists/{lists}/changes',
        columns: changeColumns,
        none: 'It was never changed.',
      },
      {
        name: 'delete <list>',
        summary: 'delete a list that no policy reads',
        examples: ['assize lists delete internalDomains'],
        request: 'DELETE /v1/lists/{lists}',
        columns,
      },
    ],
  });

function print(list: SharedList, { out, options }: Call<{ entries?: boolean }>): void {
  if (!options.entries || out.json) out.record(list, columns);
  else for (const entry of list.entries) out.text(`${entry}\n`);
}
