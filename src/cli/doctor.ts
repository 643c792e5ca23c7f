import type { Command } from 'commander';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

export function addDoctor(program: Command, io: Io): void {
  addLocalCommand(
    program,
    io,
    {
      name: 'doctor',
      summary: 'check this installation, and suggest fixes',
      description:
        'Looks at settings, disk, permissions, clock, database, policies, secrets and port, and says what to do about what is wrong. Exits 1 if a check fails.',
      examples: ['assize doctor', 'assize doctor --json'],
    },
    async () => (await import('./doctor/doctor.ts')).doctor,
  ).option('--database <file>', 'the database to check (ASSIZE_DATABASE)');
}
