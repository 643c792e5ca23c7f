import type { Command } from 'commander';
import { addApiCommand, numberOption } from './api-command.ts';
import type { Io } from './io.ts';

export function addReplay(program: Command, io: Io): void {
  addApiCommand(
    program,
    io,
    {
      name: 'replay [file]',
      summary: 'try a policy on what was recorded, and say which verdicts would change',
      examples: [
        'assize replay policies/runaway-agents.yaml --from 2030-01-01T00:00:00Z',
        'assize replay --unbind runaway-agents --tool shell',
      ],
    },
    async () => (await import('./replay/replay.ts')).replay,
  )
    .option(
      '--policy <policy>',
      'the policy that the file takes the place of, when the name in it is not its',
    )
    .option('--unbind <policy>', 'as if this policy were not bound')
    .option('--integration <integration>', 'only the evaluations of one integration')
    .option('--session <id>', 'only those of one session')
    .option('--tool <tool>', 'only those of one tool')
    .option('--from <time>', 'from this time on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time')
    .addOption(numberOption('--differences <count>', 'how many evaluations are named (200)', [0, 10_000]));
}
