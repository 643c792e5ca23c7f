import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type CertificateFiles, certificateSettings } from '../client-certificate.ts';

export interface Server extends CertificateFiles {
  url: string;
  key: string | undefined;
}
export interface ServerFlags extends CertificateFiles {
  url?: string;
  key?: string;
}

const defaultUrl = 'http://127.0.0.1:3000';
export const defaultConfigFile = (): string => join(homedir(), '.config', 'assize', 'hook.env');

/**
 * The server, its key and the files of certificates, all from one place: with only the address of another server in its
 * environment, a hook would send that server the key. A file that was named wins over the environment, which an agent's project
 * may set. Throws Error for a named file that cannot be read.
 */
export function serverOf(given: ServerFlags & { config?: string }): Server {
  const file = readEnv(given.config);
  const [first, second] = given.config === undefined ? [fromFlags(given), file] : [file, fromFlags(given)];
  const place = first.ASSIZE_KEY === undefined && second.ASSIZE_KEY !== undefined ? second : first;
  const files = certificateNames.filter((name) => place[certificateSettings[name]] !== undefined);
  return {
    url: place.ASSIZE_URL ?? defaultUrl,
    key: place.ASSIZE_KEY,
    ...Object.fromEntries(files.map((name) => [name, place[certificateSettings[name]]])),
  };
}

/** The file that an installed hook is told to read: the usual one where it is there. A shared settings file names none. */
export function pinnedConfig({
  config,
  project,
}: {
  config?: string;
  project?: boolean;
}): string | undefined {
  if (config !== undefined || project) return config;
  const usual = defaultConfigFile();
  return existsSync(usual) ? usual : undefined;
}

const certificateNames = Object.keys(certificateSettings) as (keyof CertificateFiles)[];

const fromFlags = (flags: ServerFlags): NodeJS.Dict<string> => ({
  ASSIZE_URL: flags.url,
  ASSIZE_KEY: flags.key,
  ...Object.fromEntries(certificateNames.map((name) => [certificateSettings[name], flags[name]])),
});

function readEnv(named: string | undefined): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(named ?? defaultConfigFile(), 'utf8'));
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
