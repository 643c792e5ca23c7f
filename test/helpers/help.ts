import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/command.ts';
import { run } from './command.ts';

/** Every command by its full name, but for what only scripts ask. */
export const everyCommand = (command: Command = buildProgram(), path: string[] = []): [string, Command][] =>
  command.commands.flatMap((inner) => {
    const name = [...path, inner.name()];
    const own: [string, Command][] = inner.name() === 'complete' ? [] : [[name.join(' '), inner]];
    return [...own, ...everyCommand(inner, name)];
  });

/** What `--help` prints at every level. */
export async function helpPages(): Promise<string> {
  const pages = [];
  for (const name of ['', ...everyCommand().map(([known]) => known)]) {
    pages.push((await run([...name.split(' ').filter(Boolean), '--help'])).out);
  }
  return pages.join('\n');
}
