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
 * The server and the key. A file that was named wins over the environment: an agent's project may set variables of the
 * agent, and with them point the hook at a server of its own. Throws Error for a named file that cannot be read.
 */
export function serverOf(given: { url?: string; key?: string; config?: string }): Server {
  const file = readEnv(given.config);
  const [first, second] = given.config === undefined ? [fromFlags(given), file] : [file, fromFlags(given)];
  return {
    url: first.ASSIZE_URL ?? second.ASSIZE_URL ?? defaultUrl,
    key: first.ASSIZE_KEY ?? second.ASSIZE_KEY,
  };
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
