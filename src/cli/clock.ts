import type { Command } from 'commander';
import { examplesText } from './api-command.ts';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

export function addClock(program: Command, io: Io): void {
  const examples = ['assize clock reset', 'assize clock reset --yes'];
  const clock = program
    .command('clock')
    .summary('correct the time that the database has recorded')
    .description(
      'Recorded time never runs backwards: after the clock was ahead, it continues from there until you reset it.',
    )
    .addHelpText('after', examplesText(examples));
  addLocalCommand(
    clock,
    io,
    {
      name: 'reset',
      summary: 'take the clock of this machine as right, and end what is open',
      description:
        'Sets the latest recorded time back to the clock of this machine. Sessions, reviews and approvals that are open or would become so again end, because nobody can say how old they are. Stop the server before. Without --yes it only says what would end.',
      examples,
    },
    async () => (await import('./clock/reset.ts')).reset,
  )
    .option('--yes', 'apply the reset')
    .option('--database <file>', 'the database to correct (ASSIZE_DATABASE)');
}
