import type { Command } from 'commander';
import { examplesText } from './api-command.ts';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

export function addRetention(program: Command, io: Io): void {
  const examples = ['assize retention confirm'];
  const retention = program
    .command('retention')
    .summary('resume retention after the clock jumped ahead')
    .description(
      'After the clock jumped ahead by more than a day (also while the server was stopped), old content is not deleted until an operator confirms that the clock is right.',
    )
    .addHelpText('after', examplesText(examples));
  addLocalCommand(
    retention,
    io,
    {
      name: 'confirm',
      summary: 'confirm that the clock is right, so that retention resumes',
      description:
        'Confirms that the clock is right. A running server goes on deleting old content within a minute.',
      examples,
    },
    async () => (await import('./retention/confirm.ts')).confirm,
  ).option('--database <file>', 'the database to work on (ASSIZE_DATABASE)');
}
