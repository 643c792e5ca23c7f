import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

export function addAudit(program: Command, io: Io): void {
  const audit = program
    .command('audit')
    .summary('what operators did, and what they were refused')
    .description(
      'Management calls: who did what to which resource, when, from where, and what it was before and after.',
    )
    .addHelpText(
      'after',
      examplesText(['assize audit list --action activatePolicy', 'assize audit export > audit.ndjson']),
    );
  const load = () => import('./audit/commands.ts');
  filterOptions(
    addPaging(
      addApiCommand(
        audit,
        io,
        {
          name: 'list',
          summary: 'list management calls, newest first',
          examples: ['assize audit list --outcome REFUSED'],
        },
        async () => (await load()).list,
      ),
    ),
  );
  addApiCommand(
    audit,
    io,
    {
      name: 'show <id>',
      summary: 'show a management call, with the values before and after',
      examples: ['assize audit show 01980000-0000-7000-8000-000000000000'],
    },
    async () => (await load()).show,
  );
  filterOptions(
    addApiCommand(
      audit,
      io,
      {
        name: 'export',
        summary: 'print management calls as JSON lines, newest first',
        examples: ['assize audit export --from 2030-01-01T00:00:00Z > audit.ndjson'],
      },
      async () => (await load()).exportAll,
    ),
  );
}

function filterOptions(command: Command): void {
  command
    .option('--actor <id>', 'only those of an operator or integration')
    .option('--action <operation>', 'only these, such as activatePolicy')
    .option('--resource <kind>', 'only those of a kind of resource, such as policies')
    .option('--resource-id <id>', 'only those of one resource')
    .addOption(wordOption('--outcome <outcome>', 'only these', ['SUCCEEDED', 'REFUSED', 'FAILED']))
    .option('--from <time>', 'from this time on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time');
}
