import { readFileSync } from 'node:fs';
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
import { bodyOf, type Terms, withTerms } from '../policies/cli-bindings.ts';
import type { Proposal, ProposalSummary } from './schema.ts';
import { proposalStatuses, proposedOperations } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addProposals(program: Command, io: Io): void {
  const proposals = program
    .command('proposals')
    .summary('changes that a second operator activates')
    .description(
      'Proposals are changes of what decides that are no versions of policies: bindings, house policies, lists, tool catalogues, integrations. Under four-eyes control, another operator must activate them.',
    )
    .addHelpText(
      'after',
      examplesText(['assize proposals create changeList --list internalDomains --add example.net']),
    );
  const add = <Options extends object>(
    name: string,
    summary: string,
    examples: string[],
    act: (call: Call<Options>) => Promise<void>,
  ): Command => addApiCommand(proposals, io, { name, summary, examples }, async () => act);

  addPaging(
    add('list', 'list proposals, newest first', ['assize proposals list --status PENDING'], list),
  ).addOption(wordOption('--status <status>', 'only these', proposalStatuses));
  add('show <id>', 'show what a proposal would change', [`assize proposals show ${someId}`], show);
  withTerms(
    add(
      'create <operation>',
      `propose a change: ${proposedOperations.join(', ')}`,
      [
        'assize proposals create bindPolicy --integration demo --policy spending-limits --param perDay=5000',
        'assize proposals create changeList --list internalDomains --remove example.org --note "sold"',
        'assize proposals create replaceToolCatalogue --integration demo --fields tools.json',
        'assize proposals create changeIntegration --integration demo --fields \'{"settings":{"whenNoPolicy":"BLOCK"}}\'',
      ],
      create,
    ),
  )
    .option('--integration <integration>', 'the integration of a binding, catalogue or change')
    .option('--policy <policy>', 'the policy')
    .option('--list <list>', 'the list')
    .option('--operator <id>', 'the operator')
    .option('--add <entry...>', 'entries to add to the list')
    .option('--remove <entry...>', 'entries to remove from the list')
    .option(
      '--fields <json>',
      'what else the operation takes, as a JSON object or the file that has it: tools, listedTools, name, settings, list, entries, entityId, groups',
    )
    .option('--note <text>', 'why it is proposed');
  add('activate <id>', 'make the change', [`assize proposals activate ${someId}`], activate);
  add(
    'reject <id>',
    'reject a proposal, or withdraw your own',
    [`assize proposals reject ${someId}`],
    reject,
  );
}

const columns: Column<ProposalSummary>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'OPERATION', of: ({ operation }) => operation },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'AUTHOR', of: ({ author }) => author.name },
  { title: 'DECIDED BY', of: ({ decidedBy }) => decidedBy?.name },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'NOTE', of: ({ note }) => note },
];
const fields: Column<Proposal>[] = [
  ...columns,
  { title: 'CHANGE', of: ({ change }) => JSON.stringify(change) },
  { title: 'BEFORE', of: ({ before }) => JSON.stringify(before) },
];

async function list(call: Call<PageOptions & { status?: string }>): Promise<void> {
  const { page, size, status } = call.options;
  const request = { path: '/v1/proposals', query: { page, size, status } };
  await printPage(call, request, columns, 'There are no proposals.');
}

async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  out.record((await http.send<Proposal>({ method: 'GET', path: path`/v1/proposals/${id}` })).data, fields);
}

interface Given extends Terms {
  integration?: string;
  policy?: string;
  list?: string;
  operator?: string;
  fields?: string;
  add?: string[];
  remove?: string[];
  note?: string;
}

async function create({ http, out, options, args: [operation] }: Call<Given>): Promise<void> {
  const { integration, policy, list, operator, add, remove, note } = options;
  const json = {
    operation,
    ...(integration !== undefined && { integrationId: await idOf(http, 'integrations', integration) }),
    ...(policy !== undefined && { policyId: await idOf(http, 'policies', policy) }),
    ...(list !== undefined && { listId: await idOf(http, 'lists', list) }),
    ...(operator !== undefined && { operatorId: operator }),
    ...(options.fields !== undefined && fieldsIn(operation, options.fields)),
    ...bodyOf(options).json,
    add,
    remove,
    note,
  };
  out.record((await http.send<Proposal>({ method: 'POST', path: '/v1/proposals', json })).data, fields);
}

const activate = (call: Call): Promise<void> => decide(call, 'activate');
const reject = (call: Call): Promise<void> => decide(call, 'reject');

async function decide({ http, out, args: [id = ''] }: Call, verb: 'activate' | 'reject'): Promise<void> {
  const decided = { method: 'POST', path: `${path`/v1/proposals/${id}`}/${verb}` } as const;
  out.record((await http.send<Proposal>(decided)).data, fields);
}

/** For `replaceToolCatalogue` only the tools: the rest of a file that `tools show --json` wrote is no field of a proposal. */
function fieldsIn(operation: string | undefined, given: string): Record<string, unknown> {
  const isJson = given.trimStart().startsWith('{');
  const fields = objectIn(isJson ? given : textOf(given), isJson ? '--fields' : given);
  if (operation === 'replaceToolCatalogue') return { tools: fields.tools };
  if (operation !== 'importTools' || 'listedTools' in fields) return fields;
  // A whole JSON-RPC response has the list as its result.
  return { listedTools: ((fields.result ?? fields) as { tools?: unknown }).tools };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Exit(exitCodes.wrongUse, `${file}: cannot be read`);
  }
}

function objectIn(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseForWriting(text);
  } catch {
    value = null;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Exit(exitCodes.wrongUse, `${place}: must be a JSON object`);
}
