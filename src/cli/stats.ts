import type { Command } from 'commander';
import { statsDimensions, statsUnits } from '../schemas/stats-words.ts';
import { addApiCommand, wordOption } from './api-command.ts';
import type { Io } from './io.ts';

export function addStats(program: Command, io: Io): void {
  addApiCommand(
    program,
    io,
    {
      name: 'stats',
      summary: 'show how many evaluations had which outcome, and how long they took',
      examples: ['assize stats', 'assize stats --by rule --unit day'],
    },
    async () => (await import('./stats/stats.ts')).stats,
  )
    .addOption(wordOption('--by <dimension>', 'what to group by', statsDimensions))
    .addOption(wordOption('--unit <unit>', 'time span of a column in the graph', statsUnits))
    .option('--integration <id>', 'only the evaluations of one integration')
    .option('--from <time>', 'from this time on, such as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time');
}
