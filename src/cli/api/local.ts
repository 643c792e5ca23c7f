import { existsSync } from 'node:fs';
import type { InjectOptions } from 'fastify';
import { type App, buildApp } from '../../app.ts';
import { createHttp } from '../../client/http.ts';
import { loadConfig } from '../../config/config.ts';
import { settingsOfDatabase } from '../../config/environment.ts';
import { shipped } from '../../files.ts';
import { parseForWriting } from '../../json/parse.ts';
import { localOperatorId, localOperatorName } from '../../services/access/authentication.ts';
import { createKey, hashKey, operatorKeyPrefix } from '../../services/access/keys.ts';
import { isPostgres } from '../../store/address.ts';
import { openMaintenance, openStore } from '../../store/open.ts';
import type { FoundOperatorKey, Store } from '../../store/store.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Connection } from './call.ts';

/**
 * Runs the whole service on the database and calls it without a socket, so that responses are those of a server. Whoever
 * can write the file can change everything in it, so an operator key is generated for this process alone. It is never stored.
 */
export async function openLocal(database: string | undefined): Promise<Connection> {
  const config = loadConfig(undefined, settingsOfDatabase(database));
  if (!isPostgres(config.database) && !existsSync(config.database)) {
    throw new Exit(
      exitCodes.wrongUse,
      `there is no database ${config.database}: name one with --database, or a server with --url`,
    );
  }
  const migrations = shipped('migrations');
  // A command never creates or migrates a database: another version may be serving it.
  await (await openMaintenance(config.databaseDirect, { migrations })).assertCurrent();
  const store = await openStore(config.database, {
    migrations,
    direct: config.databaseDirect,
    prepares: config.databasePrepares,
  });
  const apiKey = createKey(operatorKeyPrefix);
  const app = await buildApp({
    config: { ...config, logLevel: 'silent', rateLimitAddress: 0, rateLimitIntegration: 0 },
    store: knowing(store, hashKey(apiKey)),
  });
  return {
    http: createHttp({
      url: 'http://localhost',
      apiKey,
      fetch: inject(app),
      retries: 0,
      parseJson: parseForWriting,
    }),
    keyText: null,
    async close() {
      await app.http.close();
      await store.close();
    },
  };
}

/** Who did it, in the record, when it was done on the database. */
const local: FoundOperatorKey = {
  key: {
    id: localOperatorId,
    operatorId: localOperatorId,
    name: localOperatorName,
    lastFour: null,
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: null,
    ipRanges: [],
    revokedAt: null,
  },
  operator: {
    id: localOperatorId,
    name: localOperatorName,
    email: null,
    status: 'ACTIVE',
    roles: ['OWNER'],
    groups: [],
    entityId: null,
    createdAt: 0,
    updatedAt: 0,
  },
};

function knowing(store: Store, localHash: string): Store {
  const { operatorKeys } = store;
  return {
    ...store,
    operatorKeys: {
      ...operatorKeys,
      find: async (keyHash, now) => (keyHash === localHash ? local : operatorKeys.find(keyHash, now)),
    },
  };
}

function inject({ http }: App): typeof fetch {
  return async (url, init = {}) => {
    const { pathname, search } = new URL(String(url));
    const response = await http.inject({
      method: init.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    return new Response(response.rawPayload, {
      status: response.statusCode,
      headers: headersOf(response.headers),
    });
  };
}

function headersOf(given: Record<string, unknown>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return headers;
}
