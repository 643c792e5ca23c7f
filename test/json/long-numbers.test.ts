import t from 'tap';
import { hasLongNumbers } from '../../src/json/parse.ts';
import { random } from './random.ts';

t.test('16 digits in a row are found wherever they stand, and 15 never are', async (t) => {
  const wrong: string[] = [];
  for (let before = 0; before < 40; before++) {
    for (const around of ['x', '.', '-', ':', '/']) {
      for (const after of [0, 1, 15, 40]) {
        const around16 = `${around.repeat(before)}1234567890123456${around.repeat(after)}`;
        const around15 = `${around.repeat(before)}123456789012345${around.repeat(after)}`;
        if (!hasLongNumbers(around16)) wrong.push(around16);
        if (hasLongNumbers(around15)) wrong.push(around15);
      }
    }
  }
  t.strictSame(wrong, []);
  t.ok(hasLongNumbers('9'.repeat(10_000)));
  t.notOk(hasLongNumbers(`${'1'.repeat(15)} `.repeat(1_000)));
});

t.test('it finds what a regular expression finds', async (t) => {
  const next = random(7);
  const texts = Array.from({ length: 20_000 }, () =>
    Array.from({ length: next(60) }, () => (next(100) < 93 ? String(next(10)) : 'a')).join(''),
  );
  const expected = texts.map((text) => /[0-9]{16}/.test(text));
  t.ok(expected.includes(true) && expected.includes(false));
  t.strictSame(texts.map(hasLongNumbers), expected);
});
