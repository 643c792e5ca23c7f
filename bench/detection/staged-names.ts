const PASSWORDS = [
  'DB_PASSWORD',
  'POSTGRES_PASSWORD',
  'ADMIN_PASSWORD',
  'REDIS_PASSWORD',
  'SMTP_PASS',
  'PASSWORD',
];
const SECRETS = [
  'API_KEY',
  'JWT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'GITHUB_TOKEN',
  'ACCESS_TOKEN',
  'ENCRYPTION_KEY',
  'SESSION_SECRET',
  'WEBHOOK_SECRET',
  'SENTRY_AUTH_TOKEN',
  'ALGOLIA_KEY',
  'PRIVATE_KEY',
  'SIGNING_SECRET',
];
const STAGES = ['PROD', 'STAGING', 'DEV', 'EU', 'US_EAST_1', 'OLD', 'NEW', '1', '02', 'V2'];

/** Two hundred names of secrets that end with a stage, a region or a number. */
export const STAGED_NAMES: readonly string[] = [...PASSWORDS, ...SECRETS].flatMap((name) =>
  STAGES.map((stage) => `${name}_${stage}`),
);

/** Names with the same words that hold no secret. */
export const HARMLESS_NAMES: readonly string[] = [
  'TOKEN_TTL',
  'PASSWORD_MIN_LENGTH',
  'SECRET_NAME',
  'TOKEN_URL',
  'API_KEY_HEADER',
  'PASSWORD_FILE',
  'JWT_SECRET_ARN',
  'TOKEN_ISSUER',
  'PASSWORD_POLICY',
  'SECRET_VERSION',
  'ACCESS_TOKEN_EXPIRES_IN',
  'API_KEY_ID',
  'TOKEN_ENDPOINT_PROD',
  'CACHE_KEY_PROD',
  'PRIMARY_KEY_1',
  'MAX_TOKENS_DEV',
  'PUBLIC_KEY_OLD',
];

const camel = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** How files, calls and commands set a name. */
export const SETTINGS: readonly ((name: string, value: string) => unknown)[] = [
  (name, v) => `PORT=80\n${name}=${v}\nDEBUG=1\n`,
  (name, v) => `app:\n  ${name.toLowerCase()}: ${v}\n`,
  (name, v) => ({ [name]: v }),
  (name, v) => ({ [camel(name)]: v }),
  (name, v) => `export ${name}="${v}"`,
  (name, v) => ({ env: [{ name, value: v }] }),
  (name, v) => `env:\n  - name: ${name}\n    value: ${v}\n`,
  (name, v) => `{"${camel(name)}": "${v}"}`,
];
