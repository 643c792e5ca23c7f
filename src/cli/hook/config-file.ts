import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export interface Server {
  url: string;
  key: string | undefined;
}

const defaultUrl = 'http://127.0.0.1:3000';
export const defaultConfigFile = (): string => join(homedir(), '.config', 'assize', 'hook.env');

/**
 * The server and its key, both from the same place: with only the address of another server in its environment, a hook would send
 * that server the key. A file that was named wins over the environment, which an agent's project may set. Throws Error for a named
 * file that cannot be read.
 */
export function serverOf(given: { url?: string; key?: string; config?: string }): Server {
  const file = readEnv(given.config);
  const [first, second] = given.config === undefined ? [fromFlags(given), file] : [file, fromFlags(given)];
  const { ASSIZE_URL, ASSIZE_KEY } =
    first.ASSIZE_KEY === undefined && second.ASSIZE_KEY !== undefined ? second : first;
  return { url: ASSIZE_URL ?? defaultUrl, key: ASSIZE_KEY };
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

const fromFlags = ({ url, key }: { url?: string; key?: string }): NodeJS.Dict<string> => ({
  ASSIZE_URL: url,
  ASSIZE_KEY: key,
});

function readEnv(named: string | undefined): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(named ?? defaultConfigFile(), 'utf8'));
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
