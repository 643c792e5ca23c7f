import { test } from 'tap';
import { Random } from '../../bench/detection/random.ts';
import {
  ASSIGNMENTS,
  COMMANDS,
  HARMLESS,
  SENTENCES,
  STRUCTURES,
} from '../../bench/detection/secret-forms.ts';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const r = new Random(5);
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LABELS = ['api_token', 'adafruitToken', 'client_secret', 'stripe_api_key', 'auth_token'];
const VALUES: readonly (() => string)[] = [
  () => r.hex(32),
  () => r.text(ALNUM, 24),
  () => r.text(ALNUM, 40),
  () => r.text('abcdefghijklmnopqrstuvwxyz0123456789', 32),
  () => `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-8${r.hex(3)}-${r.hex(12)}`,
];
const PASSWORDS = [
  'hunter2',
  'letmein',
  'Tr0ub4dor&3',
  'S3cr3t!pw',
  'correct-horse-battery',
  'sunshine',
  'Winter2026!',
];

/** The inputs of which the value was not masked. */
function missed(cases: readonly (readonly [input: unknown, value: string])[]): unknown[] {
  return cases
    .filter(([input, value]) => {
      const scan = detector.scan(input);
      return !scan.tags.includes('CREDENTIALS') || JSON.stringify(scan.redacted()).includes(value);
    })
    .map(([input]) => input);
}

test('tokens are found and masked however they are assigned', async (t) => {
  const cases = ASSIGNMENTS.flatMap((make) =>
    LABELS.map((label, i) => {
      const value = (VALUES[i] as () => string)();
      return [{ text: make(label, value) }, value] as const;
    }),
  );
  const wrong = missed(cases);
  t.ok(wrong.length <= 0.05 * cases.length, JSON.stringify(wrong));
});

for (const [name, makes, share] of [
  ['assignments', ASSIGNMENTS.map((make) => (v: string) => ({ text: make('db_password', v) })), 0.9],
  ['commands', COMMANDS.map((make) => (v: string) => ({ command: make(v) })), 0.92],
  ['sentences', SENTENCES.map((make) => (v: string) => ({ text: make(v) })), 0.92],
  ['structures', STRUCTURES, 0.95],
] as const) {
  test(`passwords in ${name} are found and masked`, async (t) => {
    const cases = makes.flatMap((make) => PASSWORDS.map((value) => [make(value), value] as const));
    const wrong = missed(cases);
    t.ok(
      wrong.length <= (1 - share) * cases.length,
      `${wrong.length} of ${cases.length}: ${JSON.stringify(wrong)}`,
    );
  });
}

test('code, schemas, translations and talk of passwords are no secrets', async (t) => {
  const wrong = HARMLESS.filter((text) => detector.scan({ text }).tags.includes('CREDENTIALS'));
  t.same(wrong, []);
});

test('the entries of a lockfile are no secrets', async (t) => {
  const integrity =
    'sha512-yki5XnKuf750l50uGTllt6kKILY4nQ1eNIQatoXEByZ5dWgnKqbnqmTrBE5B4N7lrMJKQ2ytWMiTO2o0v6Ew/w==';
  const packages = Object.fromEntries(
    ['cookie', 'js-tokens', '@octokit/auth-token', 'credentials', 'password-hash'].flatMap((name) => [
      [
        `node_modules/${name}`,
        { version: '4.0.0', resolved: `https://registry.example.org/${name}`, integrity },
      ],
      [name, { version: '4.0.0', integrity, requires: { 'js-tokens': '^4.0.0' } }],
    ]),
  );
  t.same(detector.scan({ packages }).tags, []);
  t.same(detector.scan({ text: JSON.stringify({ packages }, null, 2) }).tags, []);
});
