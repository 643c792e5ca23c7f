import t from 'tap';
import { readerOf } from '../../src/cel/compile/access.ts';

t.test('a reader reads what its name says, whatever the name', async (t) => {
  for (const name of ['plain', 'class', '_a1', 'a-b', '', 'a.b', 'x;throw 1', '1', 'ü', 'n'.repeat(65)]) {
    t.equal(readerOf(name)({ [name]: 7 }), 7, JSON.stringify(name));
    t.equal(readerOf(name)({}), undefined, `${JSON.stringify(name)} missing`);
  }
});

t.test('readers are shared, and no more than a thousand are kept', async (t) => {
  t.equal(readerOf('shared'), readerOf('shared'));
  const names = Array.from({ length: 1_200 }, (_, index) => `field${index}`);
  const first = names.map((name) => readerOf(name));
  const kept = names.filter((name, index) => readerOf(name) === first[index]);
  // The process has others of the test files before.
  t.ok(kept.length > 0 && kept.length <= 1_000, `${kept.length} kept`);
  t.equal(readerOf('field1199')({ field1199: 'still read' }), 'still read');
});
