import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';
import { addPaging } from './paging.ts';

export function addAudit(program: Command, io: Io): void {
  const audit = program
    .command('audit')
    .summary('list management calls; export and verify the record')
    .description(
      'Management calls (who did what to which resource, when, from where, and what it was before and after), and the record of everything that was decided: exports that prove themselves, and their verification.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize audit list --action activatePolicy',
        'assize audit export > record.ndjson',
        'assize audit verify record.ndjson',
      ]),
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
        name: 'calls',
        summary: 'print management calls as JSON lines, newest first',
        examples: ['assize audit calls --from 2030-01-01T00:00:00Z > calls.ndjson'],
      },
      async () => (await load()).exportAll,
    ),
  );
  addApiCommand(
    audit,
    io,
    {
      name: 'export',
      summary: 'print the record as JSON lines that can be verified',
      examples: [
        'assize audit export > record.ndjson',
        'assize audit export --from 2030-01-01T00:00:00Z --to 2030-02-01T00:00:00Z --package january',
      ],
    },
    async () => (await import('./audit/export-record.ts')).exportRecord,
  )
    .option('--session <id>', 'only this session')
    .option('--from <time>', 'start at the last root signed by this time, such as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'end at the first root signed from this time on')
    .option('--package <folder>', 'write a folder with the export, a report and a verifier instead');
  addApiCommand(
    audit,
    io,
    {
      name: 'key',
      summary: 'show the public key that signs the record',
      examples: ['assize audit key'],
    },
    async () => (await import('./audit/export-record.ts')).showKey,
  );
  addLocalCommand(
    audit,
    io,
    {
      name: 'verify <file>',
      summary: 'verify an export of the record',
      description:
        'Verifies an export of the record from the file alone, and names every entry that was changed, removed, moved or cut off. - reads standard input.',
      examples: ['assize audit verify record.ndjson --trust KEY-ID'],
    },
    async () => (await import('./audit/verify-record.ts')).verifyRecord,
  )
    .option('--trust <key-id...>', 'ids of the signing keys to trust')
    .option('--root <hash...>', 'hashes of roots that the export must contain');
}

function filterOptions(command: Command): void {
  command
    .option('--actor <id>', 'only those of an operator or integration')
    .option('--action <operation>', 'only this operation, such as activatePolicy')
    .option('--resource <kind>', 'only those of a kind of resource, such as policies')
    .option('--resource-id <id>', 'only those of one resource')
    .addOption(wordOption('--outcome <outcome>', 'only these', ['SUCCEEDED', 'REFUSED', 'FAILED']))
    .option('--from <time>', 'from this time on, such as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time');
}
