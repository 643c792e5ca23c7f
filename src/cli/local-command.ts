import type { Command } from 'commander';
import { examplesText } from './api-command.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';

export interface LocalCall<Options = object> {
  out: Output;
  options: Options & { database?: string };
  args: readonly string[];
}

/** Adds a command that works on files of this machine alone. */
export function addLocalCommand<Options extends object>(
  program: Command,
  io: Io,
  words: { name: string; summary: string; description: string; examples: readonly string[] },
  load: () => Promise<(call: LocalCall<Options>) => Promise<void>>,
): Command {
  return program
    .command(words.name)
    .summary(words.summary)
    .description(words.description)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(words.examples))
    .action(async (...given: unknown[]) => {
      const command = given.pop() as Command;
      const options = command.opts<Options & { json?: boolean; database?: string }>();
      const [{ createOutput }, act] = await Promise.all([import('./output/output.ts'), load()]);
      await act({ out: createOutput(io, options.json ?? false), options, args: command.args });
    });
}
