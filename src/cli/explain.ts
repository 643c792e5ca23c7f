import type { Command } from 'commander';
import { addApiCommand } from './api-command.ts';
import type { Io } from './io.ts';

export function addExplain(program: Command, io: Io): void {
  addApiCommand(
    program,
    io,
    {
      name: 'explain <id>',
      summary: 'explain the decision of an evaluation',
      examples: ['assize explain 01980000-0000-7000-8000-000000000000'],
    },
    async () => (await import('./explain/explain.ts')).explain,
  );
}
