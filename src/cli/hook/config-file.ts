import { readFileSync } from 'node:fs';
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
 * The server and the key: as given, else from the file, which keeps the key out of settings that a team shares.
 * Throws Error for a file that was named and cannot be read.
 */
export function serverOf(given: { url?: string; key?: string; config?: string }): Server {
  const file = given.url !== undefined && given.key !== undefined ? {} : readEnv(given.config);
  return {
    url: given.url ?? file.ASSIZE_URL ?? defaultUrl,
    key: given.key ?? file.ASSIZE_KEY,
  };
}

function readEnv(named: string | undefined): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(named ?? defaultConfigFile(), 'utf8'));
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
