import t from 'tap';
import { sameText, shows } from './blocks.ts';

t.test('an example is held to what it shows, and to nothing it leaves out', async (t) => {
  const cases: [shown: unknown, value: unknown, holds: boolean][] = [
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { b: 2 }, false],
    [{ a: [] }, { a: [1] }, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: null }, { a: null }, true],
    [{ a: null }, { a: 0 }, false],
    ['/v1/…', '/v1/reviews', true],
    ['/v1/…', '/v2/reviews', false],
    ['…', null, false],
    [{ a: 1 }, 'a', false],
  ];
  for (const [shown, value, holds] of cases)
    t.equal(shows(shown, value), holds, JSON.stringify([shown, value]));
});

t.test('a printed text is compared whole', async (t) => {
  t.ok(sameText('a … c\nd', 'a b c\nd'));
  t.notOk(sameText('a.c', 'abc'));
  t.notOk(sameText('a', 'ab'));
});
