import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import { type Io, whyUnread } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { parseForWriting } from '../../json/parse.ts';
import { type Terms, termOptions, termsIn } from '../policies/cli.ts';
import type { Proposal, ProposalSummary } from './schema.ts';
import { proposalStatuses, proposedOperations } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

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

export const addProposals = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'proposals',
    summary: 'changes that a second operator activates',
    description:
      'Proposals are changes of what decides that are no versions of policies: bindings, house policies, lists, tool catalogues, integrations. Under four-eyes control, another operator must activate them.',
    examples: ['assize proposals create changeList --list internalDomains --add example.net'],
    commands: [
      {
        name: 'list',
        summary: 'list proposals, newest first',
        examples: ['assize proposals list --status PENDING'],
        options: [wordOption('--status <status>', 'only these', proposalStatuses)],
        request: 'GET /v1/proposals',
        columns,
        none: 'There are no proposals.',
      },
      {
        name: 'show <id>',
        summary: 'show what a proposal would change',
        examples: [`assize proposals show ${someId}`],
        request: 'GET /v1/proposals/{id}',
        columns: fields,
      },
      {
        name: 'create <operation>',
        summary: `propose a change: ${proposedOperations.join(', ')}`,
        examples: [
          'assize proposals create bindPolicy --integration demo --policy spending-limits --param perDay=5000',
          'assize proposals create changeList --list internalDomains --remove example.org --note "sold"',
          'assize proposals create replaceToolCatalogue --integration demo --fields tools.json',
          'assize proposals create changeIntegration --integration demo --fields \'{"settings":{"whenNoPolicy":"BLOCK"}}\'',
        ],
        options: [
          ...termOptions,
          textOption('--integration <integration>', 'the integration of a binding, catalogue or change'),
          textOption('--policy <policy>', 'the policy'),
          textOption('--list <list>', 'the list'),
          textOption('--operator <id>', 'the operator'),
          textOption('--add <entry...>', 'entries to add to the list'),
          textOption('--remove <entry...>', 'entries to remove from the list'),
          textOption(
            '--fields <json>',
            'what else the operation takes, as a JSON object or the file that has it: tools, listedTools, name, settings, list, entries, entityId, groups',
          ),
          textOption('--note <text>', 'why it is proposed'),
        ],
        act: create,
      },
      {
        name: 'activate <id>',
        summary: 'make the change',
        examples: [`assize proposals activate ${someId}`],
        request: 'POST /v1/proposals/{id}/activate',
        columns: fields,
      },
      {
        name: 'reject <id>',
        summary: 'reject a proposal, or withdraw your own',
        examples: [`assize proposals reject ${someId}`],
        request: 'POST /v1/proposals/{id}/reject',
        columns: fields,
      },
    ],
  });

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
    ...termsIn(options),
    add,
    remove,
    note,
  };
  out.record((await http.send<Proposal>({ method: 'POST', path: '/v1/proposals', json })).data, fields);
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
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, `${file}: ${whyUnread(error)}`);
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
