import type { Command } from 'commander';
import { dismissalReasons, resolutionTypes, violationStatuses } from '../features/violations/words.ts';
import { severities } from '../schemas/words.ts';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addViolations(program: Command, io: Io): void {
  const violations = program
    .command('violations')
    .alias('violation')
    .summary('what rules reported, and what was done about it')
    .description(
      'Violations are what rules reported. Each is NEW until somebody acknowledges, resolves or dismisses it.',
    )
    .addHelpText('after', examplesText(['assize violations list --status NEW --severity HIGH']));
  const load = () => import('./violations/commands.ts');
  const add = (name: string, summary: string, examples: string[], act: keyof Commands): Command =>
    addApiCommand(violations, io, { name, summary, examples }, async () => (await load())[act] as never);

  addPaging(
    add(
      'list',
      'list violations, newest first',
      ['assize violations list --status NEW --integration demo'],
      'list',
    ),
  )
    .addOption(wordOption('--status <status>', 'only these', violationStatuses))
    .addOption(wordOption('--severity <severity>', 'only those of a severity', severities))
    .option('--rule <id>', 'only those of a rule')
    .option('--policy <policy>', 'only those of a policy')
    .option('--integration <integration>', 'only those of an integration')
    .option('--session <id>', 'only those of a session')
    .option('--entity <id>', 'only those of an entity')
    .option('--from <time>', 'from when on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before when');
  add('rules', 'show how often each rule was right', ['assize violations rules'], 'rules')
    .option('--from <time>', 'from when on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before when');
  add('show <id>', 'show a violation', [`assize violations show ${someId}`], 'show');
  add(
    'acknowledge <id>',
    'say that you look into it',
    [`assize violations acknowledge ${someId} --note "asked the team"`],
    'acknowledge',
  ).option('--note <text>', 'a note');
  add(
    'resolve <id>',
    'say what was done about it',
    [`assize violations resolve ${someId} --type AGENT_CHANGED`],
    'resolve',
  )
    .addOption(wordOption('--type <type>', 'what was done', resolutionTypes).makeOptionMandatory())
    .option('--note <text>', 'a note');
  add(
    'dismiss <id>',
    'say why it is none; false positives count against the rule',
    [`assize violations dismiss ${someId} --reason FALSE_POSITIVE`],
    'dismiss',
  )
    .addOption(wordOption('--reason <reason>', 'why', dismissalReasons).makeOptionMandatory())
    .option('--note <text>', 'a note');
}

type Commands = typeof import('./violations/commands.ts');
