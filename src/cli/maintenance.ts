import type { Command } from 'commander';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

/** What is done to an installation on its own machine. */
export function addMaintenance(program: Command, io: Io): void {
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
  addLocalCommand(
    program,
    io,
    {
      name: 'doctor',
      summary: 'check this installation, and say how to fix what is wrong',
      description:
        'Looks at settings, disk, permissions, clock, database and port, and says what to do about what is wrong. 1 when something is.',
      examples: ['assize doctor', 'assize doctor --json'],
    },
    async () => (await import('./doctor/doctor.ts')).doctor,
  ).option('--database <file>', 'the database to look at (ASSIZE_DATABASE)');
  addLocalCommand(
    program,
    io,
    {
      name: 'backup <file>',
      summary: 'copy the database, even while it is in use',
      description:
        'Copies the database as it is at one moment, even while it is in use, and checks the copy before naming it.',
      examples: ['assize backup assize-backup.db', 'assize backup /backups/assize.db --force'],
    },
    async () => (await import('./database/backup.ts')).backup,
  )
    .option('--force', 'replace a file that is there')
    .option('--database <file>', 'the database to copy (ASSIZE_DATABASE)');
  addLocalCommand(
    program,
    io,
    {
      name: 'restore <file>',
      summary: 'replace the database with a backup',
      description:
        'Checks a backup and replaces the database with it; the former one is kept beside it. Stop the server first.',
      examples: ['assize restore assize-backup.db'],
    },
    async () => (await import('./database/restore.ts')).restore,
  ).option('--database <file>', 'the database to replace (ASSIZE_DATABASE)');
}
