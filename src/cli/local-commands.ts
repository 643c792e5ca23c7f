import type { Command } from 'commander';
import type { LocalCall } from './api/call.ts';
import { examplesText } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';

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
      const [{ createOutput }, act] = await Promise.all([import('./output.ts'), load()]);
      // Their tables are few rows of sentences, which are read whole.
      const out = createOutput(io, options.json ?? false, { wide: true });
      try {
        await act({ out, options, args: command.args });
      } finally {
        out.close();
      }
    });
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .summary('serve the API and the console')
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
    async () => (await import('./init.ts')).init,
  );
}

export function addDoctor(program: Command, io: Io): void {
  addLocalCommand(
    program,
    io,
    {
      name: 'doctor',
      summary: 'check this installation, and suggest fixes',
      description:
        'Looks at settings, disk, permissions, clock, database, policies, secrets, port and the hook of Codex, and says what to do about what is wrong. Exits 1 if a check fails.',
      examples: ['assize doctor', 'assize doctor --json'],
    },
    async () => (await import('./doctor.ts')).doctor,
  ).option('--database <file>', 'the database to check (ASSIZE_DATABASE)');
}

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
    async () => (await import('./maintenance.ts')).backup,
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
    async () => (await import('./maintenance.ts')).restore,
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
    async () => (await import('./maintenance.ts')).migrateTo,
  ).option('--database <file>', 'the SQLite file to move (ASSIZE_DATABASE)');
}

export function addClock(program: Command, io: Io): void {
  const examples = ['assize clock reset', 'assize clock reset --yes'];
  const clock = program
    .command('clock')
    .summary('correct the time that the database has recorded')
    .description(
      'Recorded time never runs backwards: after the clock was ahead, it continues from there until you reset it.',
    )
    .addHelpText('after', examplesText(examples));
  addLocalCommand(
    clock,
    io,
    {
      name: 'reset',
      summary: 'take the clock of this machine as right, and end what is open',
      description:
        'Sets the latest recorded time back to the clock of this machine. Sessions, reviews and approvals that are open or would become so again end, because nobody can say how old they are. Stop the server before. Without --yes it only says what would end.',
      examples,
    },
    async () => (await import('./maintenance.ts')).reset,
  )
    .option('--yes', 'apply the reset')
    .option('--database <file>', 'the database to correct (ASSIZE_DATABASE)');
}

export function addRetention(program: Command, io: Io): void {
  const examples = ['assize retention confirm'];
  const retention = program
    .command('retention')
    .summary('resume retention after the clock jumped ahead')
    .description(
      'After the clock jumped ahead by more than a day (also while the server was stopped), old content is not deleted until an operator confirms that the clock is right.',
    )
    .addHelpText('after', examplesText(examples));
  addLocalCommand(
    retention,
    io,
    {
      name: 'confirm',
      summary: 'confirm that the clock is right, so that retention resumes',
      description:
        'Confirms that the clock is right. A running server goes on deleting old content within a minute.',
      examples,
    },
    async () => (await import('./maintenance.ts')).confirm,
  ).option('--database <file>', 'the database to work on (ASSIZE_DATABASE)');
}
