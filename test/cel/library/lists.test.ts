import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate } from '../evaluate.ts';

t.test('list functions answer what the extension says', async (t) => {
  const cases: Case[] = [
    ['[1, 2, 3].slice(1, 3)', [2, 3]],
    ['[1].slice(0, 2)', 'error: index_out_of_range'],
    ['[1].slice(-1, 1)', 'error: index_out_of_range'],
    ['[1].slice(1, 0)', 'error: index_out_of_range'],
    ['[[1], [2, 3]].flatten()', [1, 2, 3]],
    ['[1, [2, [3]]].flatten()', [1, 2, [3]]],
    ['[1, [2, [3]]].flatten(2)', [1, 2, 3]],
    ['[1, [2]].flatten(-1)', 'error: invalid_argument'],
    ['[1, 2, 1, 1.0].distinct()', [1, 2]],
    ['[dyn([1]), dyn([1])].distinct()', [[1]]],
    ['[3, 1, 2].sort()', [1, 2, 3]],
    ['["b", "a"].sort()', ['a', 'b']],
    ['[].sort()', []],
    ['[2, 1, 2].sort()', [1, 2, 2]],
    ['[0.0 / 0.0, 1.0].sort().size()', 2],
    ['[dyn(1), dyn("a")].sort()', 'error: invalid_argument'],
    ['[{"a": 1}].sort()', 'error: invalid_argument'],
    ['[{"n": 2}, {"n": 1}].sortBy(e, e.n)', [{ n: 1 }, { n: 2 }]],
    ['[1, 2].reverse()', [2, 1]],
    ['[1, 2].first()', { some: 1 }],
    ['[1, 2].last()', { some: 2 }],
    ['[].first()', 'none'],
    ['[].last()', 'none'],
    ['lists.range(3)', [0, 1, 2]],
    ['lists.range(-3)', []],
    ['sets.contains([1, 2, 3], [2, 3.0])', true],
    ['sets.contains([1], [2])', false],
    ['sets.equivalent([1, 2, 2], [2, 1])', true],
    ['sets.equivalent([1, 2], [1])', false],
    ['sets.equivalent([1], [1, 2])', false],
    ['sets.intersects([1, 2], [2, 3])', true],
    ['sets.intersects([1], [2])', false],
    ['size([1, 2]) + size({"a": 1}) + [1].size() + {}.size()', 4],
    ['size(o)', 2],
  ];
  runCases(t, cases, { variables: { o: types.dyn }, activation: { o: { a: 1, b: 2 } } });
});

t.test('list functions stop when the budget is spent', async (t) => {
  const l = Array.from({ length: 500 }, () => 'x');
  const calls = [
    'l.slice(0, 500)',
    'l.flatten()',
    'l.distinct()',
    'l.sort()',
    'l.reverse()',
    'lists.range(500)',
    'sets.contains(l, l)',
    'sets.equivalent(l, l)',
    'sets.intersects(l, ["y"])',
    'l + l',
    '"y" in l',
    'l == l',
    'l.join()',
    'math.greatest(l)',
    'size(m)',
    'm == m',
    '[l].flatten()',
    'dyn(l) in l',
    'l.map(x, optional.ofNonZeroValue(m)).size() > 0',
  ];
  const m = Object.fromEntries(l.map((_, index) => [`k${index}`, 1]));
  for (const call of calls) {
    const setting = { variables: { l: types.dyn, m: types.dyn }, activation: { l, m }, steps: 100 };
    t.equal(evaluate(call, setting), 'error: budget_spent', call);
  }
});
