import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate, issueLines } from '../evaluate.ts';

t.test('a list has a sum, a least and a greatest element, an order and positions', async (t) => {
  const cases: Case[] = [
    ['[1, 2, 3].sum()', 6],
    ['[1.5, 2.5].sum()', 4],
    ['[].sum()', 0],
    ['[duration("1m"), duration("30s")].sum()', '90s'],
    ['l.sum()', 6.5],
    ['l.sum() / l.size() > 2', true],
    ['[9223372036854775807, 1].sum()', 'error: overflow'],
    ['[dyn("a")].sum()', 'error: invalid_argument'],
    ['[dyn(1), dyn(duration("1s"))].sum()', 'error: no_such_overload'],
    ['[3, 1, 2].min()', 1],
    ['[3, 1, 2].max()', 3],
    ['["b", "a"].max()', 'b'],
    ['l.max()', 3.5],
    ['[].min()', 'error: invalid_argument'],
    ['[dyn(1), dyn("a")].max()', 'error: invalid_argument'],
    ['[1.0, 0.0 / 0.0].max()', 'error: invalid_argument'],
    ['[{"a": 1}].min()', 'error: invalid_argument'],
    ['[1, 1, 2].isSorted()', true],
    ['[2, 1].isSorted()', false],
    ['["a", "b"].isSorted()', true],
    ['[].isSorted()', true],
    ['[1.0, 0.0 / 0.0].isSorted()', false],
    ['[[1]].isSorted()', 'error: invalid_argument'],
    ['[1, 2, 1].indexOf(1)', 0],
    ['[1, 2, 1].lastIndexOf(1)', 2],
    ['[1].indexOf(2)', -1],
    ['["a"].lastIndexOf("b")', -1],
    ['["a", "b"].containsAll(["b"])', true],
    ['["a", "b"].containsAll(["b", "c"])', false],
    ['["a"].containsAll([])', true],
    ['["a", "b"].containsAny(["c", "b"])', true],
    ['["a"].containsAny([])', false],
    ['lists.range(99).map(i, string(i)).containsAny(["x", "98"])', true],
    ['["x", "-1"].containsAny(lists.range(99).map(i, string(i)))', false],
    ['lists.range(99).containsAny([-1, 98])', true],
  ];
  runCases(t, cases, { variables: { l: types.dyn }, activation: { l: [1, 2, 3.5] } });
  t.match(issueLines('["a"].sum()'), [
    /type_mismatch found list\(string\).sum\(\), expected list\(int\).sum\(\)/,
  ]);
  t.match(issueLines('["a"].containsAny([1])'), [/type_mismatch/]);
});

t.test('aggregates stop when the budget is spent', async (t) => {
  const l = Array.from({ length: 500 }, (_, index) => index);
  for (const call of [
    'l.sum()',
    'l.min()',
    'l.max()',
    'l.isSorted()',
    'l.indexOf(-1)',
    'l.lastIndexOf(-1)',
    'l.containsAll([1])',
    'l.containsAny([-1])',
  ]) {
    t.equal(
      evaluate(call, { variables: { l: types.dyn }, activation: { l }, steps: 100 }),
      'error: budget_spent',
      call,
    );
  }
});
