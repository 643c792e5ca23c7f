import type { Command } from 'commander';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

export function addInit(program: Command, io: Io): void {
  addLocalCommand(
    program,
    io,
    {
      name: 'init [folder]',
      summary: 'set up a folder to serve from',
      description:
        'Makes a folder ready: assize.env with every setting, a data folder, and the starter policies to edit. Nothing that is there is touched.',
      examples: ['assize init', 'assize init /srv/assize'],
    },
    async () => (await import('./init/init.ts')).init,
  );
}
