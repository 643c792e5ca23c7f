import type { Command } from 'commander';
import type { Io } from './io.ts';
import { addLocalCommand } from './local-command.ts';

/** `backup`, `restore` and `migrate-to`. */
export function addDatabase(program: Command, io: Io): void {
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
    .option('--force', 'replace an existing file')
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
  addLocalCommand(
    program,
    io,
    {
      name: 'migrate-to <address>',
      summary: 'move the database to PostgreSQL, while it is in use',
      description:
        'Copies a SQLite database to an empty PostgreSQL one. Evaluations are copied while the service goes on; for the rest, and until the copy was compared, it answers changes with 503. From then on the file cannot be written to: start the service with ASSIZE_DATABASE set to the address. Run it again if it was interrupted.',
      examples: ['assize migrate-to postgres://assize@db.example/assize'],
    },
    async () => (await import('./database/migrate-to.ts')).migrateTo,
  ).option('--database <file>', 'the SQLite file to move (ASSIZE_DATABASE)');
}
