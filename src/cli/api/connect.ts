import { createHttp, type Http } from '../../client/http.ts';
import { type Environment, processEnvironment } from '../../config/environment.ts';
import { parseForWriting } from '../../json/parse.ts';
import { type CertificateFiles, readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import { usualUrl } from '../failure.ts';
import { createQuickFetch } from '../quick-fetch.ts';
import type { Connection, TargetOptions } from './call.ts';

interface Key {
  text: string;
  /** The option or variable that it came from. */
  source: string;
}

/** The variables that keys are looked for in, by what a command does with the key. */
const keyVariables = {
  manage: ['ASSIZE_ADMIN_KEY', 'ASSIZE_KEY'],
  evaluate: ['ASSIZE_KEY'],
} as const;
export type KeyUse = keyof typeof keyVariables;

/**
 * The server, when an address or a key is given; else the database of this machine. `--database` wins over what the
 * environment says, because it was typed.
 */
export async function connect(
  { database, ...given }: TargetOptions,
  use: KeyUse = 'manage',
): Promise<Connection> {
  const env = processEnvironment();
  // An empty variable is how many say that there is none.
  const url = given.url || undefined;
  const key = database === undefined ? findKey(given.key, use, url, env) : null;
  if (database === undefined && (url !== undefined || key !== null)) {
    if (key === null) {
      throw new Exit(
        exitCodes.wrongUse,
        use === 'evaluate'
          ? `${url} wants the key of an integration (asz_live_…): set ASSIZE_KEY, or give --key`
          : `${url} wants an operator key (asz_admin_…): set ASSIZE_ADMIN_KEY, or give --key`,
      );
    }
    const http = remote(url ?? usualUrl, key.text, given);
    return { http, keyText: keyText(key, use), close: async () => undefined };
  }
  if (use === 'evaluate') {
    throw new Exit(
      exitCodes.wrongUse,
      'evaluate needs the key of an integration (asz_live_…) in ASSIZE_KEY, or --policy FILE',
    );
  }
  const { openLocal } = await import('./local.ts');
  return openLocal(database);
}

function findKey(
  typed: string | undefined,
  use: KeyUse,
  url: string | undefined,
  env: Environment,
): Key | null {
  if (typed) return { text: typed, source: '--key' };
  for (const source of keyVariables[use]) {
    const text = env[source];
    if (!text) continue;
    // The environment of a server has its first operator key, which may long be another: commands there are for its database.
    if (source === 'ASSIZE_ADMIN_KEY' && url === undefined && env.ASSIZE_DATABASE) continue;
    return { text, source };
  }
  return null;
}

function keyText({ text, source }: Key, use: KeyUse): string {
  if (text.startsWith('asz_live_')) {
    const wanted = '; operators have keys of their own (asz_admin_…): set ASSIZE_ADMIN_KEY';
    return `${source} holds the key of an integration (asz_live_…)${use === 'manage' ? wanted : ''}`;
  }
  if (text.startsWith('asz_admin_')) {
    const wanted = ', which cannot evaluate: set ASSIZE_KEY to the key of an integration (asz_live_…)';
    return `${source} holds an operator key (asz_admin_…)${use === 'evaluate' ? wanted : ''}`;
  }
  return `${source} holds no key of Assize: they begin with asz_admin_ or asz_live_`;
}

function remote(url: string, apiKey: string, files: CertificateFiles): Http {
  try {
    const tls = readClientTls(files);
    return createHttp({
      url,
      apiKey,
      parseJson: parseForWriting,
      ...(tls && { fetch: createQuickFetch({ tls }) }),
    });
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, (error as Error).message);
  }
}
