import { type Test, test } from 'tap';
import { fill, ID_FIELDS, ID_FORMS } from '../../bench/detection/everyday-ids.ts';
import { Random } from '../../bench/detection/random.ts';
import { HARMLESS_NAMES, SETTINGS, STAGED_NAMES } from '../../bench/detection/staged-names.ts';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Checks what is found in each input, as `TAG=value`. */
function expectFound(t: Test, cases: readonly (readonly [input: unknown, ...found: string[]])[]): void {
  for (const [input, ...wanted] of cases) {
    const found = detector
      .scan(input)
      .values()
      .map(([value, mask]) => `${mask.slice(1, -1)}=${value}`);
    t.same(found, wanted, JSON.stringify(input));
  }
}

const isCredential = (input: unknown): boolean => detector.scan({ input }).tags.includes('CREDENTIALS');

test('a year or a release at the end of a name leaves it the name of a secret', async (t) => {
  const r = new Random(6);
  for (const name of [
    'ENCRYPTION_KEY_2026',
    'SENTRY_AUTH_TOKEN_RELEASE',
    'DB_PASSWORD_CANARY',
    'api_key_beta',
  ])
    for (const set of SETTINGS) t.ok(isCredential(set(name, r.text(ALPHABET, 24))), name);
});

test('the ids of services are no credentials, however they are written', async (t) => {
  const r = new Random(5);
  const tagged = ID_FIELDS.filter(([name, form]) =>
    ID_FORMS.some((write) => isCredential(write(name, fill(form, r)))),
  );
  t.ok(ID_FIELDS.length >= 200);
  t.ok(tagged.length <= 0.02 * ID_FIELDS.length, tagged.map(([name]) => name).join(' '));
});

test('a secret is found under a name that ends with a stage, a region or a number', async (t) => {
  const r = new Random(6);
  const inputs = STAGED_NAMES.flatMap((name) => SETTINGS.map((set) => set(name, r.text(ALPHABET, 24))));
  const found = inputs.filter(isCredential).length;
  t.ok(found >= 0.99 * inputs.length, `${found} of ${inputs.length}`);
});

test('a word behind it that says more makes the name harmless', async (t) => {
  const r = new Random(7);
  for (const name of HARMLESS_NAMES)
    for (const set of SETTINGS)
      t.notOk(isCredential(set(name, r.text(ALPHABET, 24))), JSON.stringify(set(name, 'v')));
});

const KEY = 'q7Zk2mWx9RtLp4Vb8NcY';

test('any word and key name a secret when the value is random, unless the word says otherwise', async (t) => {
  expectFound(t, [
    [{ acmesoft_key: KEY }, `API_KEY=${KEY}`],
    [{ acmesoftKey: KEY }, `API_KEY=${KEY}`],
    [`ACMESOFT_KEY=${KEY}`, `API_KEY=${KEY}`],
    [{ acmesoft: { key: KEY } }, `API_KEY=${KEY}`],
    [`acmesoft:\n  url: x\n  key: ${KEY}\n`, `API_KEY=${KEY}`],
    [{ acmesoft_key: 'monthly-plan-2' }],
    [{ key: KEY }],
    [{ cache_key: KEY }],
    [{ primaryKey: KEY }],
    [{ foreign_key: KEY }],
    [{ sort_key: KEY }],
    [{ public_key: KEY }],
    [{ s3_object_key: 'uploads/q7Zk2mWx9RtLp4Vb8NcY.png' }],
    [{ file_key: KEY }],
    [{ issue: { key: KEY } }],
    [`the key: ${KEY}`],
  ]);
});

test('one name is the same label in text, under a key, as a flag and as the head of a column', async (t) => {
  const id = 'AKIAQZWSXEDCRFVTGBYH';
  const secret = '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';
  for (const name of ['awsSecretAccessKey', 'aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY_PROD']) {
    const found = `AWS_SECRET_KEY=${secret}`;
    expectFound(t, [
      [{ [name]: secret }, found],
      [`${name} = ${secret}`, found],
      [`"${name}": "${secret}"`, found],
      [`deploy --${name} ${secret}`, found],
      [`id,${name}\n7,${secret}\n`, found],
    ]);
  }
  expectFound(t, [
    [{ awsAccessKeyId: id }, `AWS_ACCESS_KEY=${id}`],
    [`aws_access_key_id = ${id}`, `AWS_ACCESS_KEY=${id}`],
    [`use ${id} for it`, `AWS_ACCESS_KEY=${id}`],
  ]);
});

test('tokens that a form carries against forged requests are no credentials', async (t) => {
  expectFound(t, [
    [{ csrf_token: KEY }],
    [{ xsrfToken: KEY }],
    [{ authenticity_token: KEY }],
    [{ __RequestVerificationToken: KEY }],
    [{ csrfmiddlewaretoken: KEY }],
    [`<input type="hidden" name="csrfmiddlewaretoken" value="${KEY}">`],
    [`<meta name="csrf-token" content="${KEY}">`],
  ]);
});
