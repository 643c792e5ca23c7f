import type { Command } from 'commander';
import { Exit, exitCodes } from './exit.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .summary('serve the API (what no command at all does)')
    .description('Serves the API. Settings are environment variables: docs/cli.md and the README list them.')
    .action(async () => {
      const { serve } = await import('./serve/run.ts');
      const code = await serve();
      if (code !== exitCodes.fine) throw new Exit(code);
    });
}
