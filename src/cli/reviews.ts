import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CONSUMED'];

export function addReviews(program: Command, io: Io): void {
  const reviews = program
    .command('reviews')
    .alias('review')
    .summary('the actions that wait for a person')
    .description('Reviews: held actions that wait for a person.')
    .addHelpText('after', examplesText(['assize reviews list --status PENDING']));
  const load = () => import('./reviews/commands.ts');
  addPaging(
    addApiCommand(
      reviews,
      io,
      {
        name: 'list',
        summary: 'list reviews, newest first',
        examples: ['assize reviews list --status PENDING'],
      },
      async () => (await load()).list,
    ),
  )
    .addOption(wordOption('--status <status>', 'only these', statuses))
    .option('--session <id>', 'only those of a session')
    .option('--integration <integration>', 'only those of an integration');
  addApiCommand(
    reviews,
    io,
    {
      name: 'show <id>',
      summary: 'show a review, and what is kept of the action',
      examples: ['assize reviews show 01980000-0000-7000-8000-000000000000'],
    },
    async () => (await load()).show,
  );
  for (const [verb, summary] of [
    ['approve', 'let the held action be done, once'],
    ['reject', 'refuse the held action'],
  ] as const) {
    addApiCommand(
      reviews,
      io,
      {
        name: `${verb} <id>`,
        summary,
        examples: [`assize reviews ${verb} 01980000-0000-7000-8000-000000000000 --comment "asked Ada"`],
      },
      async () => (await load())[verb],
    )
      .option('--comment <text>', 'why; the agent is told')
      .option('--evaluation <id>', 'the EVALUATION that was shown; refused when the action was tried again');
  }
}
