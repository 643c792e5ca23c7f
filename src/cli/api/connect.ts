import { createHttp, type Http } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import { type CertificateFiles, readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import { createQuickFetch } from '../quick-fetch.ts';
import type { Connection, TargetOptions } from './call.ts';

/** Where `serve` listens when nobody says otherwise. */
const usualUrl = 'http://127.0.0.1:3000';

/**
 * The server, when an address or a key is given; else the database of this machine. `--database` wins over what the
 * environment says, because it was typed.
 */
export async function connect({ database, ...given }: TargetOptions): Promise<Connection> {
  // An empty variable is how many say that there is none.
  const [url, key] = [given.url || undefined, given.key || undefined];
  if (database === undefined && (url !== undefined || key !== undefined)) {
    if (key === undefined) {
      throw new Exit(exitCodes.wrongUse, `${url} wants a key: set ASSIZE_KEY, or give --key`);
    }
    return { http: remote(url ?? usualUrl, key, given), close: async () => undefined };
  }
  const { openLocal } = await import('./local.ts');
  return openLocal(database);
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
