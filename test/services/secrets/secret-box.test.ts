import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createSecretBox, readSecretKeys } from '../../../src/services/secrets/secret-box.ts';

const [first, second] = [randomBytes(32), randomBytes(32)] as const;
const place = 'webhooks/1/secret';

t.test('only the same key in the same place opens what was sealed', async (t) => {
  const box = createSecretBox([first]);
  const sealed = box.seal('whsec_ä', place);
  t.notMatch(sealed, 'whsec');
  t.equal(box.open(sealed, place), 'whsec_ä');
  t.not(box.seal('whsec_ä', place), sealed, 'never the same twice');
  t.throws(() => box.open(sealed, 'webhooks/2/secret'), /was changed/, 'moved to another row');
  t.throws(() => createSecretBox([second]).open(sealed, place), /no key in ASSIZE_SECRETS_KEY/);
  t.throws(() => createSecretBox([]).open(sealed, place), /no key in ASSIZE_SECRETS_KEY/);
});

t.test('a changed byte anywhere is noticed', async (t) => {
  const box = createSecretBox([first]);
  const [head, id, body = ''] = box.seal('secret', place).split(':');
  const bytes = Buffer.from(body, 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const sealed = [head, id, changed.toString('base64')].join(':');
    t.throws(() => box.open(sealed, place), /was changed/, `byte ${at}`);
  }
  for (const length of [0, 1, 12, 27]) {
    const cut = [head, id, bytes.subarray(0, length).toString('base64')].join(':');
    t.throws(() => box.open(cut, place), `${length} bytes`);
  }
});

t.test('the first key seals, every key opens, and what another one sealed is outdated', async (t) => {
  const old = createSecretBox([first]).seal('secret', place);
  const rotating = createSecretBox([second, first]);
  t.equal(rotating.open(old, place), 'secret');
  t.strictSame([rotating.isOutdated(old), rotating.isOutdated('plain')], [true, true]);
  const again = rotating.seal(rotating.open(old, place), place);
  t.equal(rotating.isOutdated(again), false);
  t.equal(createSecretBox([second]).open(again, place), 'secret', 'without the old key');
});

t.test('without a key secrets are stored as they are, and stay readable with one', async (t) => {
  const none = createSecretBox([]);
  t.equal(none.seal('secret', place), 'secret');
  t.equal(none.isOutdated('secret'), false);
  t.equal(createSecretBox([first]).open('secret', place), 'secret');
});

t.test('keys are 32 bytes in base64, separated by commas or lines', async (t) => {
  const text = (key: Buffer) => key.toString('base64');
  t.strictSame(readSecretKeys(`${text(first)}, ${text(second)}\n`), [first, second]);
  t.strictSame(readSecretKeys(first.toString('base64url')), [first]);
  for (const wrong of ['', ' , ', 'x', text(randomBytes(31)), text(randomBytes(33)), `${text(first)},x`]) {
    t.equal(readSecretKeys(wrong), null, wrong);
  }
});
