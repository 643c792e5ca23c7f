import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption } from './api-command.ts';
import type { Io } from './io.ts';

export function addEvents(program: Command, io: Io): void {
  const events = program
    .command('events')
    .alias('event')
    .summary('follow decisions, sessions, reviews, policies, keys and operators')
    .description('The event log lists what happens in the service, in order, without the content of actions.')
    .addHelpText('after', examplesText(['assize events tail --type "review.*"']));
  addApiCommand(
    events,
    io,
    {
      name: 'tail',
      summary: 'follow events, until Ctrl-C',
      examples: [
        'assize events tail',
        'assize events tail --type "evaluation.*,review.*" --integration demo',
        'assize events tail --after 0 --no-follow --json > events.ndjson',
      ],
    },
    async () => (await import('./events/tail.ts')).tail,
  )
    .option('--type <types>', 'event types, or prefixes such as review.*, separated by commas')
    .option('--integration <integration>', 'only those of an integration')
    .option('--after <sequence>', 'start after this position in the log; 0 starts with the oldest event')
    .addOption(numberOption('--last <n>', 'number of past events to show first (default 10)', [0, 200]))
    .option('--no-follow', 'exit instead of waiting for new events');
}
