import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const statuses = ['ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'];
const someId = '01980000-0000-7000-8000-000000000000';

export function addSessions(program: Command, io: Io): void {
  const sessions = program
    .command('sessions')
    .alias('session')
    .summary('list and follow what agents did')
    .description(
      'Evaluation sessions show what agents did. An operator sees all sessions, an integration only its own.',
    )
    .addHelpText('after', examplesText(['assize sessions list --status ACTIVE', 'assize sessions tail']));
  const load = () => import('./sessions/commands.ts');
  addPaging(
    addApiCommand(
      sessions,
      io,
      {
        name: 'list',
        summary: 'list sessions, newest first',
        examples: ['assize sessions list', 'assize sessions list --status ACTIVE --integration demo'],
      },
      async () => (await load()).list,
    ),
  )
    .addOption(wordOption('--status <status>', 'only these', statuses))
    .option('--integration <integration>', 'only those of an integration')
    .option('--entity <id>', 'only those of a governed entity')
    .option('--external-id <text>', 'only sessions with this externalSessionId')
    .option('--parent <id>', 'only those opened below a session');
  addApiCommand(
    sessions,
    io,
    {
      name: 'show <id>',
      summary: 'show a session, its labels and grants, and what was done in it',
      examples: [`assize sessions show ${someId}`],
    },
    async () => (await load()).show,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'end <id>',
      summary: 'end a session and those below it: further actions in them are refused',
      examples: [`assize sessions end ${someId}`, `assize sessions end ${someId} --status TERMINATED`],
    },
    async () => (await load()).end,
  ).addOption(
    wordOption('--status <status>', 'how it ended (default COMPLETED)', ['COMPLETED', 'TERMINATED']),
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'remove-label <id> <label>',
      summary: 'take a label from a session',
      examples: [`assize sessions remove-label ${someId} UNTRUSTED`],
    },
    async () => (await load()).removeLabel,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'remove-grant <id> <grant>',
      summary: 'take a grant back: what it would have let through is held again',
      examples: [`assize sessions remove-grant ${someId} 01980000-0000-7000-8000-000000000001`],
    },
    async () => (await load()).removeGrant,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'tail [id]',
      summary: 'follow evaluations of one session or of all, until Ctrl-C',
      examples: [
        'assize sessions tail',
        `assize sessions tail ${someId} --last 20`,
        'assize sessions tail --json',
      ],
    },
    async () => (await import('./sessions/tail.ts')).tail,
  )
    .addOption(numberOption('--last <n>', 'number of past evaluations to show first (default 10)', [0, 200]))
    .option('--no-follow', 'exit instead of waiting for new ones');
}
