import type { Command } from 'commander';
import { examplesText } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .summary('serve the API (the default)')
    .description(
      'Serves the API. Settings are environment variables or lines of assize.env in this folder; `assize init` writes an assize.env with every setting.',
    )
    .addHelpText('after', examplesText(['assize serve', 'ASSIZE_PORT=8080 assize serve']))
    .action(async () => {
      const { serve } = await import('./serve/run.ts');
      const code = await serve();
      if (code !== exitCodes.fine) throw new Exit(code);
    });
}
