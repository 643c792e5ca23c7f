import type { Command } from 'commander';
import { proposalStatuses, proposedOperations } from '../schemas/proposal-words.ts';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import { withTerms } from './binding-terms.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

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
  const load = () => import('./proposals/commands.ts');
  const add = (name: string, summary: string, examples: string[], act: keyof Commands): Command =>
    addApiCommand(proposals, io, { name, summary, examples }, async () => (await load())[act] as never);

  addPaging(
    add('list', 'list proposals, newest first', ['assize proposals list --status PENDING'], 'list'),
  ).addOption(wordOption('--status <status>', 'only these', proposalStatuses));
  add('show <id>', 'show what a proposal would change', [`assize proposals show ${someId}`], 'show');
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
      'create',
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
  add('activate <id>', 'make the change', [`assize proposals activate ${someId}`], 'activate');
  add(
    'reject <id>',
    'reject a proposal, or withdraw your own',
    [`assize proposals reject ${someId}`],
    'reject',
  );
}

type Commands = typeof import('./proposals/commands.ts');
