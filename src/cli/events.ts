import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption } from './api-command.ts';
import type { Io } from './io.ts';

export function addEvents(program: Command, io: Io): void {
  const events = program
    .command('events')
    .alias('event')
    .summary('what happens: decisions, sessions, reviews, policies, keys, operators')
    .description('The event log: what happens in the service, in order, without content.')
    .addHelpText('after', examplesText(['assize events tail --type "review.*"']));
  addApiCommand(
    events,
    io,
    {
      name: 'tail',
      summary: 'follow what happens, until Ctrl-C',
      examples: [
        'assize events tail',
        'assize events tail --type "evaluation.*,review.*" --integration demo',
        'assize events tail --after 0 --no-follow --json > events.ndjson',
      ],
    },
    async () => (await import('./events/tail.ts')).tail,
  )
    .option('--type <types>', 'only these, or starts of types as review.*, separated by commas')
    .option('--integration <integration>', 'only those of an integration')
    .option('--after <sequence>', 'begin after this place in the log; 0 is its beginning')
    .addOption(numberOption('--last <n>', 'begin with the last so many (default 10)', [0, 200]))
    .option('--no-follow', 'end after those');
}
