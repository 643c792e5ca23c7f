import { Argument, type Command } from 'commander';
import { examplesText } from './api-command.ts';
import type { Io } from './io.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export function addCompletion(program: Command, io: Io, rebuild: () => Command): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      examplesText([
        'source <(assize completion bash)',
        'assize completion zsh > ~/.zsh/completions/_assize',
        'assize completion fish > ~/.config/fish/completions/assize.fish',
      ]),
    )
    .action(async (shell: string) => {
      const { printScript } = await import('./completion/complete.ts');
      printScript(rebuild(), shell, io);
    });
  // The scripts ask this at every Tab.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { printCompletions } = await import('./completion/complete.ts');
      printCompletions(rebuild(), words);
    });
}
