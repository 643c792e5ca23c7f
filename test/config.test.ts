import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { settingsPage } from '../scripts/docs/settings-table.ts';
import { unpackFolders } from '../src/binary/unpacked.ts';
import { loadConfig } from '../src/config/config.ts';
import { ConfigError, settingsOfDatabase } from '../src/config/environment.ts';
import { Settings } from '../src/config/settings.ts';
import { createInstallationKey } from '../src/services/record/installation-key.ts';

const mistakesOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
};

t.test('an empty environment gives the documented defaults', async (t) => {
  t.strictSame(loadConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    database: './data/assize.db',
    databaseDirect: './data/assize.db',
    databasePrepares: true,
    databaseMustExist: false,
    adminKey: null,
    demo: true,
    console: true,
    consoleHost: '',
    identityProvider: null,
    logLevel: 'info',
    watchdogSeconds: 30,
    evaluationThread: 'off',
    publicUrl: null,
    mail: null,
    secretsKeys: [],
    eventLimits: { days: 30, bytes: 256 * 1_048_576 },
    eventLines: 'assize',
    ocsfVersion: '1.9.0',
    trustProxy: false,
    tls: null,
    operatorNetworks: [],
    rateLimitIntegration: 60_000,
    rateLimitAddress: 300,
    redis: null,
    longestSessionMs: 30 * 86_400_000,
    mostToolNames: 256,
    idempotencyMs: 900_000,
    retentionDays: 0,
    callbackAllow: [],
    recognizer: null,
    recordKeyFile: './data/assize.db-record-key.pem',
    fourEyes: [],
    maxInFlight: 256,
    maxInFlightBytes: 16_777_216,
    maxWaiting: 1_000,
    metrics: null,
    telemetry: null,
  });
});

t.test('reads the environment of the process when none is given', async (t) => {
  t.equal(loadConfig().port, 3000);
});

t.test('takes every setting', async (t) => {
  const config = loadConfig({
    PATH: '/usr/bin',
    ASSIZE_HOST: '0.0.0.0',
    ASSIZE_PORT: '8080',
    ASSIZE_DATABASE: '/data/x.db',
    ASSIZE_ADMIN_KEY: `asz_admin_${'a'.repeat(43)}`,
    ASSIZE_DEMO: 'false',
    ASSIZE_CONSOLE: 'false',
    ASSIZE_CONSOLE_HOST: '127.0.0.1',
    ASSIZE_LOG_LEVEL: 'debug',
    ASSIZE_TRUST_PROXY: '10.0.0.1, 192.168.0.0/16',
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
    ASSIZE_RATE_LIMIT_ADDRESS: '5',
    ASSIZE_SESSION_MAX_DAYS: '0.5',
    ASSIZE_RETENTION_DAYS: '90',
    ASSIZE_CALLBACK_ALLOW: 'hooks.internal, 10.0.0.0/8',
    ASSIZE_FOUR_EYES: 'reviews, policies',
    ASSIZE_MAX_IN_FLIGHT: '0',
    ASSIZE_MAX_IN_FLIGHT_MB: '16',
  });
  t.match(config, {
    host: '0.0.0.0',
    port: 8080,
    demo: false,
    rateLimitIntegration: 0,
    longestSessionMs: 43_200_000,
    idempotencyMs: 900_000,
    retentionDays: 90,
  });
  t.strictSame(config.trustProxy, ['10.0.0.1', '192.168.0.0/16']);
  t.strictSame(config.callbackAllow, ['hooks.internal', '10.0.0.0/8']);
  t.strictSame(
    loadConfig({ ASSIZE_RECOGNIZER_URL: 'http://127.0.0.1:5002', ASSIZE_RECOGNIZER_FAILURE: 'open' })
      .recognizer,
    { url: 'http://127.0.0.1:5002', language: 'en', timeoutMs: 1_000, failure: 'open' },
  );
  t.strictSame(config.fourEyes, ['policies', 'reviews']);
  t.equal(loadConfig({ ASSIZE_TRUST_PROXY: 'true' }).trustProxy, true);
  const token = 'a-token-of-16-characters';
  t.strictSame(loadConfig({ ASSIZE_METRICS_TOKEN: token }).metrics, { token, port: null, host: '127.0.0.1' });
  t.strictSame(loadConfig({ ASSIZE_METRICS_PORT: '9100', ASSIZE_METRICS_HOST: '0.0.0.0' }).metrics, {
    token: null,
    port: 9_100,
    host: '0.0.0.0',
  });
});

t.test('a pooler needs the address past it', async (t) => {
  const ASSIZE_DATABASE = 'postgres://pooler/assize';
  const ASSIZE_DATABASE_DIRECT = 'postgres://server/assize';
  const unprepared = { ASSIZE_DATABASE, ASSIZE_DATABASE_PREPARE: 'false' };
  t.match(loadConfig({ ASSIZE_DATABASE }), { databaseDirect: ASSIZE_DATABASE, databasePrepares: true });
  t.match(loadConfig({ ...unprepared, ASSIZE_DATABASE_DIRECT }), {
    databaseDirect: ASSIZE_DATABASE_DIRECT,
    databasePrepares: false,
  });
  t.match(mistakesOf({ ASSIZE_DATABASE, ASSIZE_EVALUATION_THREAD: 'auto' }), [
    /^ASSIZE_EVALUATION_THREAD: must be off/,
  ]);
  t.match(mistakesOf(unprepared), [/^ASSIZE_DATABASE_PREPARE: false needs ASSIZE_DATABASE_DIRECT/]);
  t.match(mistakesOf({ ASSIZE_DATABASE_DIRECT }), [/^ASSIZE_DATABASE_DIRECT: needs the address of/]);
  t.match(mistakesOf({ ASSIZE_DATABASE, ASSIZE_DATABASE_DIRECT: 'server' }), [/must match/]);
  const env = { ...unprepared, ASSIZE_DATABASE_DIRECT };
  t.match(loadConfig(env, settingsOfDatabase('other.db')), {
    database: 'other.db',
    databaseDirect: 'other.db',
  });
  t.match(loadConfig(env, settingsOfDatabase(undefined)), { databaseDirect: ASSIZE_DATABASE_DIRECT });
});

t.test('the console is bound to an address that the service listens on', async (t) => {
  const host = (ASSIZE_HOST: string, ASSIZE_CONSOLE_HOST: string) => ({ ASSIZE_HOST, ASSIZE_CONSOLE_HOST });
  for (const any of ['0.0.0.0', '::']) {
    t.equal(loadConfig(host(any, '127.0.0.1')).consoleHost, '127.0.0.1');
    t.match(mistakesOf(host(any, 'localhost')), [/^ASSIZE_CONSOLE_HOST: must be one IP address/]);
  }
  t.equal(loadConfig(host('localhost', 'localhost')).consoleHost, '', 'the same is no restriction');
  t.match(mistakesOf(host('10.0.0.1', '127.0.0.1')), [
    /^ASSIZE_CONSOLE_HOST: must be ASSIZE_HOST \(10\.0\.0\.1\)/,
  ]);
  t.match(mistakesOf(host('10.0.0.1', '0.0.0.0')), [/must be one IP address/]);
});

t.test('names every mistake at once, one line each', async (t) => {
  const mistakes = mistakesOf({
    ASSIZE_PROT: '1',
    ASSIZE_PORT: '70000',
    ASSIZE_LOG_LEVEL: 'loud',
    ASSIZE_DEMO: 'maybe',
    ASSIZE_RATE_LIMIT_ADDRESS: '-1',
  });
  t.equal(mistakes.length, 5);
  for (const name of ['PROT', 'PORT', 'LOG_LEVEL', 'DEMO', 'RATE_LIMIT_ADDRESS']) {
    t.ok(
      mistakes.some((line) => line.startsWith(`ASSIZE_${name}: `)),
      name,
    );
  }
  t.match(mistakes.join('\n'), /fatal, error, warn/);
});

t.test('refuses what is empty, no number or no address', async (t) => {
  for (const env of [
    { ASSIZE_PORT: '' },
    { ASSIZE_PORT: '3000x' },
    { ASSIZE_RECOGNIZER_URL: 'ftp://a' },
    { ASSIZE_RECOGNIZER_URL: 'http://user:x@a' },
    { ASSIZE_RECOGNIZER_LANGUAGE: 'english' },
    { ASSIZE_RECOGNIZER_TIMEOUT_MS: '5' },
    { ASSIZE_RECOGNIZER_FAILURE: 'maybe' },
    { ASSIZE_METRICS_TOKEN: 'short' },
    { ASSIZE_METRICS_PORT: '70000' },
    { ASSIZE_PORT: '1.5' },
    { ASSIZE_HOST: '' },
    { ASSIZE_DATABASE: '' },
    { ASSIZE_SESSION_MAX_DAYS: '0' },
    { ASSIZE_TRUST_PROXY: 'proxy.example' },
    { ASSIZE_TRUST_PROXY: '' },
    { ASSIZE_CALLBACK_ALLOW: '10.0.0.0/99' },
    { ASSIZE_FOUR_EYES: 'policies,everything' },
    { ASSIZE_FOUR_EYES: 'true' },
  ]) {
    t.equal(mistakesOf(env).length, 1, JSON.stringify(env));
  }
});

t.test('says what would be right', async (t) => {
  for (const [name, value, rule] of [
    ['PORT', '1.5', 'must be integer'],
    ['PORT', ' ', 'must be integer'],
    ['PORT', '70000', 'must be at most 65535'],
    ['RATE_LIMIT_ADDRESS', '-1', 'must be at least 0'],
    ['SESSION_MAX_DAYS', '0', 'must be more than 0'],
    ['SESSION_MAX_DAYS', 'Infinity', 'must be number'],
    ['DEMO', 'yes', 'must be boolean'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['HOST', '', 'must have at least 1 characters'],
    ['METRICS_TOKEN', 'x'.repeat(201), 'must have at most 200 characters'],
    ['RECOGNIZER_LANGUAGE', 'english', 'must match ^[a-z]{2}$'],
  ] as const) {
    const [mistake = ''] = mistakesOf({ [`ASSIZE_${name}`]: value });
    t.ok(
      mistake.startsWith(`ASSIZE_${name}: ${rule} (${Settings.properties[`ASSIZE_${name}`].description}`),
      mistake,
    );
  }
});

t.test('never shows a malformed operator key', async (t) => {
  const [mistake = ''] = mistakesOf({ ASSIZE_ADMIN_KEY: 'asz_admin_secret' });
  t.match(mistake, /^ASSIZE_ADMIN_KEY: /);
  t.notMatch(mistake, /secret/);
});

t.test('docs/settings.md is what the generator prints from the schema', async (t) => {
  const page = settingsPage();
  t.equal(readFileSync(join(import.meta.dirname, '../docs/settings.md'), 'utf8'), page);
  for (const name of Object.keys(Settings.properties)) t.ok(page.includes(`| \`${name}\` |`), name);
});

t.test('the key of the record has no default place where replicas share a database', async (t) => {
  const { recordKeyFile } = loadConfig({ ASSIZE_DATABASE: 'postgres://localhost/assize' });
  t.equal(recordKeyFile, null);
  t.throws(createInstallationKey(recordKeyFile), { message: /ASSIZE_RECORD_KEY_FILE: must be given/ });
});

t.test('the binary unpacks in the cache of its user, else beside the database', async (t) => {
  const beside = join(process.cwd(), 'data/.assize');
  t.strictSame(unpackFolders({}), [beside]);
  t.strictSame(unpackFolders({ HOME: '/home/ada' }), ['/home/ada/.cache/assize', beside]);
  t.strictSame(
    unpackFolders({ HOME: '/home/ada', XDG_CACHE_HOME: '/cache', ASSIZE_DATABASE: '/var/lib/a/x.db' }),
    ['/cache/assize', '/var/lib/a/.assize'],
  );
  t.strictSame(
    unpackFolders({ HOME: 'ada', XDG_CACHE_HOME: 'cache' }),
    [beside],
    'a relative one is ignored',
  );
});

t.test('the binary unpacks where it is told to, and nowhere else', async (t) => {
  t.strictSame(unpackFolders({ HOME: '/home/ada', ASSIZE_UNPACK_FOLDER: '/opt/cache' }), ['/opt/cache']);
  t.strictSame(
    unpackFolders({ HOME: '/home/ada', ASSIZE_UNPACK_FOLDER: '' }),
    unpackFolders({ HOME: '/home/ada' }),
  );
});

t.test('a list of networks that anybody could get around, and half of TLS, stop the start', async (t) => {
  const networks = (text: string, proxy = 'false') =>
    mistakesOf({ ASSIZE_OPERATOR_NETWORKS: text, ASSIZE_TRUST_PROXY: proxy });
  t.strictSame(networks('192.0.2.0/24, ::1', '10.0.0.1'), []);
  for (const wrong of ['x', '0.0.0.0/0', '10.0.0.1,::/0', '10.1'])
    t.match(networks(wrong), [/^ASSIZE_OPERATOR_NETWORKS: must be/]);
  t.match(networks('192.0.2.0/24', 'true'), [/^ASSIZE_OPERATOR_NETWORKS: needs ASSIZE_TRUST_PROXY/]);
  t.match(mistakesOf({ ASSIZE_TLS_CERT: 'c' }), [
    /^ASSIZE_TLS_KEY: must be set together with ASSIZE_TLS_CERT$/,
  ]);
  t.match(mistakesOf({ ASSIZE_TLS_KEY: 'k' }), [/^ASSIZE_TLS_CERT: must be set together/]);
  t.match(mistakesOf({ ASSIZE_TLS_CLIENT_CA: 'a' }), [/^ASSIZE_TLS_CLIENT_CA: needs/]);
  t.strictSame(loadConfig({ ASSIZE_TLS_CERT: 'c', ASSIZE_TLS_KEY: 'k', ASSIZE_TLS_CLIENT_CA: 'a' }).tls, {
    cert: 'c',
    key: 'k',
    clientCa: 'a',
  });
});

t.test('an identity provider needs all that signing in there needs, and https', async (t) => {
  const set = {
    ASSIZE_OIDC_ISSUER: 'https://login.example.com',
    ASSIZE_OIDC_CLIENT_ID: 'assize',
    ASSIZE_PUBLIC_URL: 'https://assize.example.com/',
  };
  t.strictSame(loadConfig(set).identityProvider, {
    issuer: 'https://login.example.com',
    clientId: 'assize',
    clientSecret: null,
    callbackUrl: 'https://assize.example.com/console/oidc/callback',
  });
  const file = import.meta.filename;
  t.match(loadConfig({ ...set, ASSIZE_OIDC_CLIENT_SECRET: 's' }).identityProvider, { clientSecret: 's' });
  t.match(mistakesOf({ ASSIZE_OIDC_ISSUER: set.ASSIZE_OIDC_ISSUER }), [
    /^ASSIZE_OIDC_CLIENT_ID: must be set/,
    /^ASSIZE_PUBLIC_URL: must be set/,
  ]);
  t.match(mistakesOf({ ASSIZE_OIDC_CLIENT_ID: 'assize', ASSIZE_OIDC_CLIENT_SECRET: 's' }), [
    'ASSIZE_OIDC_CLIENT_ID: needs ASSIZE_OIDC_ISSUER',
    'ASSIZE_OIDC_CLIENT_SECRET: needs ASSIZE_OIDC_ISSUER',
  ]);
  t.match(mistakesOf({ ...set, ASSIZE_OIDC_CLIENT_SECRET_FILE: '/nowhere' }), [/cannot be read: ENOENT/]);
  t.match(mistakesOf({ ...set, ASSIZE_OIDC_CLIENT_SECRET_FILE: file, ASSIZE_OIDC_CLIENT_SECRET: 's' }), [
    /^ASSIZE_OIDC_CLIENT_SECRET_FILE: must not be set together/,
  ]);
  t.match(mistakesOf({ ...set, ASSIZE_OIDC_ISSUER: 'http://login.example.com' }), [/must be an https URL/]);
  for (const loopback of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000']) {
    t.strictSame(mistakesOf({ ...set, ASSIZE_OIDC_ISSUER: loopback }), []);
  }
});

t.test('the secret of the client may be in a file', async (t) => {
  const folder = t.testdir({ secret: 'from a file\n', empty: '\n' });
  const set = {
    ASSIZE_OIDC_ISSUER: 'https://login.example.com',
    ASSIZE_OIDC_CLIENT_ID: 'assize',
    ASSIZE_PUBLIC_URL: 'https://assize.example.com',
  };
  const of = (name: string) => ({ ...set, ASSIZE_OIDC_CLIENT_SECRET_FILE: join(folder, name) });
  t.equal(loadConfig(of('secret')).identityProvider?.clientSecret, 'from a file');
  t.match(mistakesOf(of('empty')), [/must name a file with a secret/]);
});
