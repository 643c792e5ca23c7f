import t from 'tap';
import { didYouMean, listed, nearest } from '../../src/cel/suggest.ts';

t.test('the nearest name is suggested, and none that is far', async (t) => {
  const names = ['warningCount', 'actionCount', 'tool'];
  t.equal(nearest('warningCuont', names), 'warningCount');
  t.equal(nearest('WarningCount', names), 'warningCount');
  t.equal(nearest('tol', names), 'tool');
  t.equal(nearest('x', names), null);
  t.equal(nearest('something', names), null);
  t.equal(didYouMean('tol', names), 'did you mean "tool"?');
  t.equal(didYouMean('x', []), undefined);
});

t.test('a hint lists a dozen names at most', async (t) => {
  t.equal(listed(['a', 'b']), 'a, b');
  t.equal(listed(Array(20).fill('a')), `${Array(12).fill('a').join(', ')}, …`);
});

t.test('a name as long as a source may be is no work', async (t) => {
  t.equal(nearest('a'.repeat(4000), Array(500).fill('b'.repeat(4000))), null);
});
