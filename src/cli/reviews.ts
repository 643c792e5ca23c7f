import type { Command } from 'commander';
import { reviewReasons } from '../schemas/review-reasons.ts';
import { reviewStatuses } from '../schemas/review-statuses.ts';
import { addApiCommand, examplesText, numberOption, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const reasons: readonly string[] = reviewReasons;
const someId = '01980000-0000-7000-8000-000000000000';

export function addReviews(program: Command, io: Io): void {
  const reviews = program
    .command('reviews')
    .alias('review')
    .summary('held actions that wait for a decision')
    .description('Reviews are held actions that wait for a decision by a person.')
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
    .addOption(wordOption('--status <status>', 'only these', reviewStatuses))
    .option('--session <id>', 'only those of a session')
    .option('--integration <integration>', 'only those of an integration')
    .option('--tool <tool>', 'only those of a tool')
    .addOption(wordOption('--severity <severity>', 'only those of a severity', severities))
    .option(
      '--assignee <operator>',
      'only reviews claimed by the operator with this id, by `me`, or by `none`',
    )
    .addOption(
      numberOption('--older-than <minutes>', 'only reviews held for at least this long', [0, 1_000_000]),
    );
  addApiCommand(
    reviews,
    io,
    {
      name: 'show <id>',
      summary: 'show a review, with the stored content of the action',
      examples: ['assize reviews show 01980000-0000-7000-8000-000000000000'],
    },
    async () => (await load()).show,
  );
  for (const [verb, summary] of [
    ['approve', 'approve the held action'],
    ['reject', 'reject the held action'],
  ] as const) {
    const command = addApiCommand(
      reviews,
      io,
      {
        name: `${verb} <id...>`,
        summary,
        examples: [`assize reviews ${verb} 01980000-0000-7000-8000-000000000000 --comment "asked Ada"`],
      },
      async () => (await load())[verb],
    )
      .option('--comment <text>', 'comment for the agent')
      .addOption(wordOption('--reason <reason>', 'reason as a code', reasons))
      .option(
        '--evaluation <id>',
        'the EVALUATION that the review showed; refused if the action was tried again since',
      );
    if (verb === 'approve')
      command.option('--once', 'approve this action alone, without the grants of the review');
  }
  const queue = () => import('./reviews/queue.ts');
  const add = (name: string, summary: string, example: string, act: QueueCommand): Command =>
    addApiCommand(reviews, io, { name, summary, examples: [example] }, async () => (await queue())[act]);
  add(
    'claim <id>',
    'claim a review, so that others see who is on it',
    `assize reviews claim ${someId}`,
    'claim',
  );
  add('release <id>', 'release a claimed review', `assize reviews release ${someId}`, 'release');
  add('extend <id> <minutes>', 'extend the expiry', `assize reviews extend ${someId} 30`, 'extend');
  add(
    'comment <id> <text>',
    'write a comment for other operators; the agent never sees it',
    `assize reviews comment ${someId} "asked Ada"`,
    'comment',
  );
  add('comments <id>', 'list the comments of a review', `assize reviews comments ${someId}`, 'comments');
  addApiCommand(
    reviews,
    io,
    {
      name: 'stats',
      summary: 'count reviews and show decision times',
      examples: ['assize reviews stats', 'assize reviews stats --from 2026-01-01T00:00:00Z'],
    },
    async () => (await queue()).stats,
  )
    .option('--from <time>', 'opened from this time on (default 7 days ago)')
    .option('--integration <integration>', 'only those of an integration');
}

type QueueCommand = 'claim' | 'release' | 'extend' | 'comment' | 'comments';
