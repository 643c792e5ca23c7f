import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addLocalCommand } from '../../cli/local-commands.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { path } from '../../client/http.ts';
import type { AuditEntry, ListedAuditEntry } from './schema.ts';
import { auditOutcomes } from './words.ts';

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

const filterOptions = [
  textOption('--actor <id>', 'only those of an operator or integration'),
  textOption('--action <operation>', 'only this operation, such as activatePolicy'),
  textOption('--resource <kind>', 'only those of a kind of resource, such as policies'),
  textOption('--resource-id <id>', 'only those of one resource'),
  wordOption('--outcome <outcome>', 'only these', auditOutcomes),
  textOption('--from <time>', 'from this time on, such as 2030-01-31T12:00:00Z'),
  textOption('--to <time>', 'before this time'),
];

export function addAudit(program: Command, io: Io): void {
  const audit = addNoun(program, io, {
    name: 'audit',
    summary: 'list management calls; export and verify the record',
    description:
      'Management calls (who did what to which resource, when, from where, and what it was before and after), and the record of everything that was decided: exports that prove themselves, and their verification.',
    examples: [
      'assize audit list --action activatePolicy',
      'assize audit export > record.ndjson',
      'assize audit verify record.ndjson',
    ],
    commands: [
      {
        name: 'list',
        summary: 'list management calls, newest first',
        examples: ['assize audit list --outcome REFUSED'],
        options: filterOptions,
        request: 'GET /v1/audit',
        fields: { actor: 'actorId' },
        columns,
        none: 'There are no such entries.',
      },
      {
        name: 'show <id>',
        summary: 'show a management call, with the values before and after',
        examples: ['assize audit show 01980000-0000-7000-8000-000000000000'],
        request: 'GET /v1/audit/{id}',
        columns: fields,
      },
      {
        name: 'calls',
        summary: 'print management calls as JSON lines, newest first',
        examples: ['assize audit calls --from 2030-01-01T00:00:00Z > calls.ndjson'],
        options: filterOptions,
        act: printCalls,
      },
      {
        name: 'export',
        summary: 'print the record as JSON lines that can be verified',
        examples: [
          'assize audit export > record.ndjson',
          'assize audit export --from 2030-01-01T00:00:00Z --to 2030-02-01T00:00:00Z --package january',
        ],
        options: [
          textOption('--session <id>', 'only this session'),
          textOption(
            '--from <time>',
            'start at the last root signed by this time, such as 2030-01-31T12:00:00Z',
          ),
          textOption('--to <time>', 'end at the first root signed from this time on'),
          textOption('--package <folder>', 'write a folder with the export, a report and a verifier instead'),
        ],
        act: async (call) => (await import('../../cli/audit/export-record.ts')).exportRecord(call),
      },
      {
        name: 'key',
        summary: 'show the public key that signs the record',
        examples: ['assize audit key'],
        act: async (call) => (await import('../../cli/audit/export-record.ts')).showKey(call),
      },
    ],
  });
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

interface Filter {
  actor?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  outcome?: string;
  from?: string;
  to?: string;
}

const mostInPage = 200;

/** Page by page from the newest on, so that neither side holds more than one. */
async function printCalls({ http, out, options }: Call<Filter>): Promise<void> {
  const { actor: actorId, action, resource, resourceId, outcome, from, to } = options;
  const query = { actorId, action, resource, resourceId, outcome, from, to };
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
