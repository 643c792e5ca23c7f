import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { didYouMean } from '../cel/suggest.ts';
import { Settings } from './settings.ts';

/** Settings that cannot be used: one line for each mistake. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/** The message about a name that no setting has. */
export function unknownSetting(name: string): string {
  const hint = didYouMean(name, Object.keys(Settings.properties));
  return `${name}: there is no such setting${hint === undefined ? '' : `; ${hint}`}`;
}

/** Environment variables, or the lines of the settings file. */
export type Environment = Record<string, string | undefined>;

/** The settings file in the working folder; the environment wins over it. */
export const settingsFile = 'assize.env';

/** The environment of the process, over the settings file in its working folder. Throws a ConfigError. */
export function environment(): Environment {
  return { ...readSettingsFile(), ...process.env };
}

/** The environment of the process alone: keys that a command sends must not come from a file in its folder. */
export const processEnvironment = (): Environment => process.env;

/** Settings of a database that is named on the command line: what else is said of the database is said of another one. */
export const settingsOfDatabase = (database: string | undefined): Environment =>
  database === undefined
    ? {}
    : {
        ASSIZE_DATABASE: database,
        ASSIZE_DATABASE_DIRECT: undefined,
        ASSIZE_DATABASE_PREPARE: undefined,
      };

/** Settings only. A folder must not choose the address or key that commands run in it would use. */
function readSettingsFile(): Environment {
  let text: string;
  try {
    text = readFileSync(settingsFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError([`${settingsFile}: cannot be read: ${(error as Error).message}`]);
  }
  const given = parseEnv(text);
  const mistakes = Object.keys(given)
    .filter((name) => !Object.hasOwn(Settings.properties, name))
    .map((name) => `${settingsFile}: ${unknownSetting(name)}`);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return given;
}
