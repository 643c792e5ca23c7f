import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addLocalCommand } from '../../cli/local-commands.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import type { AuditEntry, ListedAuditEntry } from './schema.ts';
import { auditOutcomes } from './words.ts';

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
        async () => list,
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
    async () => show,
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
      async () => exportAll,
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
    async () => (await import('../../cli/audit/export-record.ts')).exportRecord,
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
    async () => (await import('../../cli/audit/export-record.ts')).showKey,
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
    async () => (await import('../../cli/audit/verify-record.ts')).verifyRecord,
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
    .addOption(wordOption('--outcome <outcome>', 'only these', auditOutcomes))
    .option('--from <time>', 'from this time on, such as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time');
}

const columns: Column<AuditEntry>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'AT', of: ({ at }) => at },
  { title: 'ACTOR', of: ({ actor }) => actor.name },
  { title: 'ACTION', of: ({ action }) => action },
  { title: 'RESOURCE', of: ({ resourceId }) => resourceId },
  { title: 'OUTCOME', of: ({ outcome }) => outcome, word: true },
  { title: 'FROM', of: ({ address }) => address },
];
const fields: Column<AuditEntry>[] = [
  ...columns,
  { title: 'ACTOR ID', of: ({ actor }) => actor.id },
  { title: 'KEY', of: ({ actor }) => actor.keyId },
  { title: 'REQUEST', of: ({ method, path }) => `${method} ${path}` },
  { title: 'REQUEST ID', of: ({ requestId }) => requestId },
  { title: 'STATUS', of: ({ statusCode }) => statusCode },
  { title: 'MESSAGE', of: ({ message }) => message },
  { title: 'BEFORE', of: ({ before }) => before && JSON.stringify(before) },
  { title: 'AFTER', of: ({ after }) => after && JSON.stringify(after) },
];

interface Filter extends PageOptions {
  actor?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  outcome?: string;
  from?: string;
  to?: string;
}

const queryOf = ({ actor: actorId, action, resource, resourceId, outcome, from, to }: Filter) => ({
  actorId,
  action,
  resource,
  resourceId,
  outcome,
  from,
  to,
});

async function list(call: Call<Filter>): Promise<void> {
  const { page, size } = call.options;
  const query = { page, size, ...queryOf(call.options) };
  await printPage(call, { path: '/v1/audit', query }, columns, 'There are no such entries.');
}

async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<AuditEntry>({ method: 'GET', path: path`/v1/audit/${id}` });
  out.record(data, fields);
}

const mostInPage = 200;

/** Page by page from the newest on, so that neither side holds more than one. */
async function exportAll({ http, out, options }: Call<Filter>): Promise<void> {
  const query = queryOf(options);
  let before: string | undefined;
  for (;;) {
    const { data } = await http.send<ListedAuditEntry[]>({
      method: 'GET',
      path: '/v1/audit',
      query: { ...query, before, size: mostInPage },
    });
    for (const listed of data) {
      const whole = listed.omitted
        ? (await http.send<AuditEntry>({ method: 'GET', path: path`/v1/audit/${listed.id}` })).data
        : listed;
      out.line(whole, JSON.stringify(whole));
    }
    before = data.at(-1)?.id;
    if (data.length < mostInPage || out.unread()) return;
  }
}
