import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption, wordOption } from './api-command.ts';
import type { Io } from './io.ts';

const decisions = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'];

export function addEvaluations(program: Command, io: Io): void {
  const evaluations = program
    .command('evaluations')
    .alias('evaluation')
    .summary('find what was decided')
    .description(
      'Evaluations are the recorded decisions of all integrations. `assize explain` says why one came about.',
    )
    .addHelpText('after', examplesText(['assize evaluations list --decision BLOCK --tool email.send']));
  addApiCommand(
    evaluations,
    io,
    {
      name: 'list',
      summary: 'find evaluations, newest first',
      examples: [
        'assize evaluations list --decision BLOCK --from 2030-01-31T00:00:00Z',
        'assize evaluations list --trace 4bf92f3577b34da6a3ce929d0e0e4736',
      ],
    },
    async () => (await import('./evaluations/commands.ts')).list,
  )
    .addOption(wordOption('--decision <decision>', 'only these', decisions))
    .option('--tool <name>', 'only those of a tool')
    .option('--rule <id>', 'only those that a rule reported something of')
    .option('--tag <tag>', 'only those in which this kind of data was found')
    .option('--integration <integration>', 'only those of an integration')
    .option('--entity <id>', 'only those of a governed entity')
    .option('--correlation <id>', 'only those with this correlationId')
    .option('--trace <id>', 'only those of a trace (32 hexadecimal digits)')
    .option('--from <time>', 'from when on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before when')
    .option('--before <id>', 'continue a list before this evaluation')
    .addOption(numberOption('--size <n>', 'evaluations to list (default 50)', [1, 200]));
}
