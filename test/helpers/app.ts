import { copyFileSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { InjectOptions } from 'fastify';
import type { Test } from 'tap';
import { type App, buildApp } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import type { IntegrationKind, IntegrationSettings } from '../../src/features/integrations/schema.ts';
import type { Metrics } from '../../src/metrics/metrics.ts';
import { isPostgres } from '../../src/store/address.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { Telemetry } from '../../src/telemetry/telemetry.ts';
import { removeFolder } from './remove-folder.ts';

/** Whatever ends, such as a test: what it must do then. */
export type Lifetime = Pick<Test, 'teardown'>;

/** Of all backends. */
export const allMigrations = join(import.meta.dirname, '../../migrations');
export const migrations = join(allMigrations, 'sqlite');
/** The operator key of every test database. */
export const adminKey = `asz_admin_${'k'.repeat(43)}`;

/** An id that nothing has. */
export const missingId = '00000000-0000-4000-8000-000000000000';

const onPostgres = process.env.TEST_POSTGRES !== undefined;
/** Options of a test that only SQLite can run, or only means something there. */
export const sqliteOnly = (why: string): { skip: string | false } => ({
  skip: onPostgres && `SQLite only: ${why}`,
});

/** A folder of the test's own, removed after it. */
export function temporaryFolder(t: Lifetime): string {
  const folder = mkdtempSync(join(tmpdir(), 'assize-test-'));
  t.teardown(() => removeFolder(folder));
  return folder;
}

export interface TestClock {
  now: () => number;
  /** Moves the time on by so many milliseconds. */
  advance(ms: number): void;
}

export function createClock(start = Date.parse('2030-01-01T00:00:00.000Z')): TestClock {
  let at = start;
  return {
    now: () => at,
    advance(ms) {
      at += ms;
    },
  };
}

export interface TestApp extends App {
  store: Store;
  clock: TestClock;
  database: string;
  /** Lines of the log. */
  log: string[];
  /** A request with a key (or none); a body that is no text is sent as JSON. */
  call(
    key: string | null,
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
  ): Promise<{ status: number; headers: Record<string, any>; body: any; text: string }>;
  /** A new integration and its key. */
  integration(
    kind?: IntegrationKind,
    settings?: Partial<IntegrationSettings>,
  ): Promise<{ id: string; key: string; webhookSecret: string }>;
  /** An ACTIVE policy from a document, bound to the integration. Answers its id. */
  policy(integrationId: string, document: string): Promise<string>;
}

/** A file with all tables: migrations take four times as long as the rest of a start. */
let migrated: Promise<string> | undefined;
async function migrate(): Promise<string> {
  const file = join(temporaryFolder({ teardown: (remove) => process.once('exit', remove) }), 'assize.db');
  await (await openStore(file, { migrations: allMigrations })).close();
  return file;
}

/** A database of the backend that is tested: of `TEST_POSTGRES`, the address of a PostgreSQL server, or a file of SQLite. */
export async function newDatabase(t: Lifetime): Promise<string> {
  if (!onPostgres) {
    const file = join(temporaryFolder(t), 'assize.db');
    migrated ??= migrate();
    copyFileSync(await migrated, file);
    return file;
  }
  const { createDatabase } = await import('../store/postgres/open.ts');
  return createDatabase(t);
}

/**
 * A function that answers a database of the test's own which `make` has filled, and what that returned. It fills one in a process, which
 * is copied: for what many tests begin with and takes as long as they do. `make` must leave nothing running but until its lifetime ends.
 */
export function madeOnce<Made>(
  make: (t: Lifetime, database: string) => Promise<Made>,
): (t: Lifetime) => Promise<{ database: string; made: Made }> {
  async function fill(t: Lifetime) {
    const database = await newDatabase(t);
    const ends: (() => unknown)[] = [];
    const made = await make({ teardown: (end) => void ends.push(end) }, database);
    for (const end of ends.reverse()) await end();
    return { database, made };
  }
  let kept: ReturnType<typeof fill> | undefined;
  return async (t) => {
    if (onPostgres) return fill(t);
    kept ??= fill({ teardown: (remove) => process.once('exit', remove) });
    const { database, made } = await kept;
    const folder = temporaryFolder(t);
    cpSync(dirname(database), folder, { recursive: true });
    return { database: join(folder, basename(database)), made };
  };
}

/** The real app on a real database, with a movable clock. Closed after the test, a store that was given as well. */
export async function startApp(
  t: Lifetime,
  env: Record<string, string> = {},
  at: { database?: string; clock?: TestClock; store?: Store; metrics?: Metrics; telemetry?: Telemetry } = {},
): Promise<TestApp> {
  const database = at.database ?? (await newDatabase(t));
  const clock = at.clock ?? createClock();
  const log: string[] = [];
  const config: Config = loadConfig({
    ASSIZE_DATABASE: database,
    ASSIZE_ADMIN_KEY: adminKey,
    ...(isPostgres(database) && { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') }),
    ...env,
  });
  const { metrics, telemetry } = at;
  const commits = metrics && { commits: metrics.commits };
  const store = at.store ?? (await openStore(database, { migrations: allMigrations, ...commits }));
  let app: App | undefined;
  t.teardown(async () => {
    await app?.http.close();
    await store.close();
  });
  app = await buildApp({
    config,
    store,
    ...(metrics && { metrics }),
    ...(telemetry && { telemetry }),
    now: clock.now,
    logTo: { write: (line) => void log.push(line) },
  });
  await app.services.firstStart({ adminKey: config.adminKey, demo: null });

  const call: TestApp['call'] = async (key, method, url, body, headers = {}) => {
    const json = body !== undefined && typeof body !== 'string';
    const response = await app.http.inject({
      method,
      url,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: json ? JSON.stringify(body) : (body as string) }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson && response.body !== '' ? JSON.parse(response.body) : null,
      text: response.body,
    };
  };

  return {
    ...app,
    store,
    clock,
    database,
    log,
    call,
    async integration(kind = 'AGENT', settings = {}) {
      const { status, body, text } = await call(adminKey, 'POST', '/v1/integrations', {
        name: `test ${kind}`,
        kind,
        settings,
      });
      if (status !== 201) throw new Error(`no integration: ${text}`);
      return { id: body.data.id, key: body.data.apiKey, webhookSecret: body.data.webhookSecret };
    },
    async policy(integrationId, document) {
      const { status, body, text } = await call(adminKey, 'POST', '/v1/policies?activate=true', document, {
        'content-type': 'application/yaml',
      });
      if (status !== 201) throw new Error(`no policy: ${text}`);
      await call(adminKey, 'PUT', `/v1/integrations/${integrationId}/policies/${body.data.id}`);
      return body.data.id;
    },
  };
}
