import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate } from '../evaluate.ts';

// The conformance suite has most cases (test/cel/conformance); these are the ones it leaves out.
t.test('a text is filled in', async (t) => {
  const cases: Case[] = [
    ['"%d of %s".format([2, ["a", {"b": ip("::1")}]])', '2 of [a, {b: ::1}]'],
    ['"%d %x %o %b".format([-5, -255, -8, -2])', '-5 -ff -10 -10'],
    ['"%x".format(["é"])', 'c3a9'],
    ['"%X".format(["é"])', 'C3A9'],
    ['"%s %f".format([9007199254740993, 9007199254740993])', '9007199254740993 9007199254740992.000000'],
    ['"%.1f %.2f %.0f %.0f".format([0.25, -0.125, 0.5, 1e21])', '0.2 -0.12 0 1000000000000000000000'],
    ['"%.2f".format([1e21])', '1000000000000000000000.00'],
    ['"%e %e".format([0.0, 1e100])', '0.000000e+00 1.000000e+100'],
    ['"%d".format([1.5])', 'error: invalid_argument'],
    ['"%.21f".format([1.0])', 'error: invalid_argument'],
    ['"%.2d".format([1])', 'error: invalid_argument'],
    ['"%".format([1])', 'error: invalid_argument'],
    ['"%.2%".format([1])', 'error: invalid_argument'],
    ['"%s".format([])', 'error: invalid_argument'],
    ['"%q".format([])', 'error: invalid_argument'],
    ['"%s".format([optional.none()])', 'error: invalid_argument'],
    ['"%s".format([[optional.none()]])', 'error: invalid_argument'],
    ['"%b".format([0.5])', 'error: invalid_argument'],
    ['"%x".format([0.5])', 'error: invalid_argument'],
    ['"%s".format([deep])', 'error: too_deep'],
    ['"%s%s".format([long, long])', 'error: budget_spent'],
    ['"%s".format([[long, long]])', 'error: budget_spent'],
  ];
  let deep: unknown = 1;
  for (let level = 0; level < 40; level += 1) deep = [deep];
  runCases(t, cases, {
    variables: { deep: types.dyn, long: types.string },
    activation: { deep, long: 'a'.repeat(40_000) },
  });
});

t.test('filling in stops when the budget is spent', async (t) => {
  const s = 'a'.repeat(500);
  for (const call of [
    's.format([])',
    '"%s".format([s])',
    '"%s".format([l])',
    '"%s".format([m])',
    '"%s".format([[s]])',
    '"%x".format([s])',
  ])
    t.equal(
      evaluate(call, {
        variables: { s: types.dyn, l: types.dyn, m: types.dyn },
        activation: { s, l: [...s], m: { ...[...s] } },
        steps: 100,
      }),
      'error: budget_spent',
      call,
    );
});
