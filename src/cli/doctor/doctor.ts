import { type Config, loadConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/environment.ts';
import { settingsOfDatabase } from '../../config/pooler.ts';
import { createPolicyModes } from '../../features/integrations/protection.ts';
import { shipped } from '../../files.ts';
import { type CheckResult, fail, ok } from '../../store/check-result.ts';
import { openMaintenance } from '../../store/open.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';
import { lookAtCertificate } from './certificate.ts';
import { lookAtDisk } from './disk.ts';
import { lookAtFirstKeys } from './first-keys.ts';
import { lookAtPort } from './port.ts';

export async function doctor({ out, options }: LocalCall): Promise<void> {
  const results = await examine(options.database);
  out.list(
    results,
    [
      { title: '', of: ({ status }) => status, word: true },
      { title: 'CHECK', of: ({ check }) => check },
      { title: 'FOUND', of: ({ message }) => message },
      { title: 'TO DO', of: ({ fix }) => fix },
    ],
    '',
  );
  if (results.some(({ status }) => status === 'fail')) throw new Exit(exitCodes.failed);
}

async function examine(database: string | undefined): Promise<CheckResult[]> {
  let config: Config;
  try {
    config = loadConfig(undefined, settingsOfDatabase(database));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Where the database is, and which port, is not known before these are right.
    return error.mistakes.map((mistake) =>
      fail('settings', mistake, 'correct it in the environment or in assize.env'),
    );
  }
  const maintenance = await openMaintenance(config.databaseDirect, { migrations: shipped('migrations') });
  return [
    ok('settings', 'can be used'),
    ...lookAtDisk(config.database),
    ...lookAtFirstKeys(config.database),
    ...(await maintenance.examine({
      now: Date.now(),
      modeOf: createPolicyModes().of,
      hasSecretsKey: config.secretsKeys.length > 0,
    })),
    ...(await lookAtCertificate(config.tls, Date.now())),
    await lookAtPort(config.host, config.port, config.tls),
  ];
}
