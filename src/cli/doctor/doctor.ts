import { type Config, ConfigError, loadConfig } from '../../config.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';
import { lookAtDatabase } from './database.ts';
import { lookAtDisk } from './disk.ts';
import { type Finding, fail, ok } from './finding.ts';
import { lookAtPort } from './port.ts';

export async function doctor({ out, options }: LocalCall): Promise<void> {
  const findings = await examine(options.database);
  out.list(
    findings,
    [
      { title: '', of: ({ status }) => status, word: true },
      { title: 'CHECK', of: ({ check }) => check },
      { title: 'FOUND', of: ({ message }) => message },
      { title: 'TO DO', of: ({ fix }) => fix },
    ],
    '',
  );
  if (findings.some(({ status }) => status === 'fail')) throw new Exit(exitCodes.failed);
}

async function examine(database: string | undefined): Promise<Finding[]> {
  let config: Config;
  try {
    config = loadConfig(undefined, database === undefined ? {} : { ASSIZE_DATABASE: database });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Where the database is, and which port, is not known before these are right.
    return error.mistakes.map((mistake) =>
      fail('settings', mistake, 'set it right in the environment or in assize.env'),
    );
  }
  return [
    ok('settings', 'can be used'),
    ...lookAtDisk(config.database),
    ...lookAtDatabase(config.database, Date.now()),
    await lookAtPort(config.host, config.port),
  ];
}
