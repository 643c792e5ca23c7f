import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const VALUE = ' card 4111 1111 1111 1111, mail jane.doe@example.com, db_password=hunter2';
const FOUND = ['CREDIT_CARD', 'EMAIL_ADDRESS', 'PASSWORD'];

test('values are found wherever they stand in a long text', async (t) => {
  for (const around of [256, 16_384]) {
    for (let before = around - 120; before < around + 40; before++) {
      const text = 'a'.repeat(before) + VALUE;
      const types = detector
        .scan({ text })
        .detections()
        .map(({ tag }) => tag);
      if (String(types.toSorted()) !== String(FOUND)) t.same(types, FOUND, `after ${before} letters`);
    }
  }
});

test('nothing of a longer text before is seen behind the end of a shorter one', async (t) => {
  detector.scan({ text: `${'a '.repeat(400)}${'4111111111111111 '.repeat(60)}` });
  for (let size = 256; size < 330; size++) t.same(detector.scan({ text: 'a'.repeat(size) }).tags, []);
});

test('a long text of letters alone may be a seed phrase', async (t) => {
  const words = 'abandon ability able about above absent absorb abstract absurd abuse access accident'.split(
    ' ',
  );
  const phrase = [...words, ...words].join('  ');
  t.ok(phrase.length > 150);
  t.same(detector.scan({ phrase: `${phrase}${' '.repeat(120)}` }).tags, detector.scan({ phrase }).tags);
});

test('values are found behind long texts of nothing but words that may name secrets, and digits', async (t) => {
  for (const piece of ['key', '密码', '(at)', '1a '])
    for (const size of [16_384, 33_000]) {
      const text = piece.repeat(size).slice(0, size) + VALUE;
      const types = detector.scan({ text }).tags;
      for (const type of FOUND) t.ok(types.includes(type), `${type} after ${piece}`);
    }
});

test('a word of two letters names a password at even and at odd places of a text', async (t) => {
  for (const before of ['', '我', '我的', 'ab '])
    for (const word of ['密码是', '密碼是']) {
      const text = `${before}${word}correct-horse-battery`;
      t.same(detector.scan({ text }).tags, ['CREDENTIALS', 'PASSWORD'], text);
    }
});
