import t from 'tap';
import { CelError, check, compile, createBudget, types } from '../../src/cel/index.ts';
import { type Case, runCases } from './cases.ts';
import { evaluate } from './evaluate.ts';

const d = types.dyn;
const variables = { i: types.int, f: types.double, s: types.string, b: types.bool, n: d, x: d, e: d, at: d };
const activation = {
  i: 7,
  f: 2.5,
  s: 'b',
  b: true,
  n: 3,
  x: 'text',
  e: new CelError('no_value', ''),
  at: null,
};
const NO = 'error: no_such_overload';

t.test('&& and || take an error for unknown', async (t) => {
  const cases: Case[] = [
    ['false && e', false],
    ['e && false', false],
    ['true && e', 'error: no_value'],
    ['e && true', 'error: no_value'],
    ['e && e', 'error: no_value'],
    ['true || e', true],
    ['e || true', true],
    ['false || e', 'error: no_value'],
    ['e || false', 'error: no_value'],
    ['x && true', NO],
    ['true && x', NO],
    ['x || false', NO],
    ['false || x', NO],
    ['!e', 'error: no_value'],
    ['!x', NO],
    ['!b', false],
    ['e ? 1 : 2', 'error: no_value'],
    ['x ? 1 : 2', NO],
    ['b ? 1 : e', 1],
    ['!b ? e : 2', 2],
  ];
  runCases(t, cases, { variables, activation });
});

t.test('comparisons order numbers, texts, times and nothing else', async (t) => {
  const cases: Case[] = [
    ['[i < 8, i <= 7, i > 7, i >= 7]', [true, true, false, true]],
    ['[8 > i, 7 >= i, 7 < i, 7 <= i]', [true, true, false, true]],
    ['[i < n, i <= n, i > n, i >= n]', [false, false, true, true]],
    ['[s < "c", s <= "b", s > "a", s >= "c"]', [true, true, true, false]],
    ['[s < x, s <= x, s > x, s >= x]', [true, true, false, false]],
    ['[false < true, true <= false, b > false, b >= b]', [true, false, true, true]],
    ['"\\uffee" < "😀" && "a" < "ab" && "ab" > "a"', true],
    ['timestamp(5) < timestamp(6) && timestamp(5) <= timestamp(5)', true],
    ['duration("1s") > duration("0.5s") && duration("1.5s") > duration("1.2s")', true],
    ['0.0 / 0.0 < 1.0 || 0.0 / 0.0 >= 1.0 || f < 0.0 / 0.0', false],
    ['0.0 / 0.0 == 0.0 / 0.0', false],
    ['f > i', false],
    ['x < 1', NO],
    ['x <= 1', NO],
    ['x > 1', NO],
    ['1 <= x', NO],
    ['x < n', NO],
    ['dyn(timestamp(0)) < n', NO],
    ['dyn(duration("1s")) < n', NO],
    ['dyn(optional.none()) < n', NO],
    ['dyn([1]) < n', NO],
    ['dyn({}) < n', NO],
    ['x >= n', NO],
    ['at > at', NO],
    ['e < 1', 'error: no_value'],
    ['e < n', 'error: no_value'],
    ['n < e', 'error: no_value'],
    [
      '[i == 7, 7 == i, i != 7, n == 3.0, s == "b", "c" != s, at == null, null == x]',
      [true, true, false, true, true, true, true, false],
    ],
    ['[i == n, s == x, x == x, n != n]', [false, false, true, false]],
    ['e == 1', 'error: no_value'],
    ['e == n', 'error: no_value'],
    ['n == e', 'error: no_value'],
    ['e != 1', 'error: no_value'],
    ['[1, [2.0]] == [1, [2]]', true],
    ['[1] == [1, 2]', false],
    ['{"a": [1]} == {"a": [1]}', true],
    ['{"a": 1} == {"b": 1}', false],
    ['{"a": 1} == {"a": 1, "b": 2}', false],
    ['dyn([1]) == dyn({"a": 1})', false],
    ['dyn({"a": 1}) == dyn([1])', false],
    ['dyn(timestamp(1)) == dyn(duration("1s"))', false],
    ['dyn(duration("1s")) == dyn(timestamp(1))', false],
    ['timestamp(1) == timestamp(1) && duration("1s") == duration("1000ms")', true],
    ['[dyn(1), dyn("a")] == [dyn(1), dyn(null)]', false],
  ];
  runCases(t, cases, { variables, activation });
});

t.test('in finds elements and keys', async (t) => {
  const cases: Case[] = [
    ['s in ["a", "b"]', true],
    ['s in []', false],
    ['n in [1, 2, 3.0]', true],
    ['[1] in [dyn([1])]', true],
    ['e in ["a"]', 'error: no_value'],
    ['dyn([1]) in [1, "a"]', false],
    ['"a" in l && !("z" in l)', true],
    ['s in l && !(x in l)', true],
    ['"k" in m && !("z" in m)', true],
    ['s in m || 1 in m', false],
    ['"a" in x', NO],
    ['s in x', NO],
    ['s in e', 'error: no_value'],
    ['e in l', 'error: no_value'],
    ['e in e', 'error: no_value'],
    ['1 in {1: 2} && true in {true: 1} && !(2 in {1: 2})', true],
  ];
  runCases(t, cases, {
    variables: { ...variables, l: d, m: d },
    activation: { ...activation, l: ['a', 'b'], m: { k: 1 } },
  });
});

t.test('integers are exact or an error, doubles are doubles', async (t) => {
  const SAFE = '9007199254740991';
  const MAX = '9223372036854775807';
  const OVER = 'error: overflow';
  const cases: Case[] = [
    ['[i + 1, i - 8, i * 2, i / 2, -i / 2, i % 4, -i % 4]', [8, -1, 14, 3, -3, 3, -3]],
    ['0 * -5', 0],
    ['-0 + 0', 0],
    [`${SAFE} + 2`, 9007199254740993n],
    [`-${SAFE} - 2`, -9007199254740993n],
    [`${SAFE} * 3 / 3`, 9007199254740991],
    [`${MAX} - ${MAX}`, 0],
    [`${MAX} % 1000`, 807],
    [`-${MAX} - 1`, -9223372036854775808n],
    [`${MAX} + 1`, OVER],
    [`-${MAX} - 2`, OVER],
    [`${MAX} * 2`, OVER],
    [`-(-${MAX} - 1)`, OVER],
    [`(-${MAX} - 1) / -1`, OVER],
    [`dyn(${SAFE}) + dyn(2)`, 9007199254740993n],
    [`dyn(${MAX}) + 1`, 2 ** 63],
    [`-(dyn(-${MAX}) - 1)`, 2 ** 63],
    ['i / 0', 'error: division_by_zero'],
    ['i % 0', 'error: division_by_zero'],
    ['n / 0', 'error: division_by_zero'],
    ['n / 0.0', 'error: division_by_zero'],
    ['f / (f - f)', 'error: division_by_zero'],
    ['(f - f) / (f - f) > 0.4', 'error: division_by_zero'],
    ['1.0 / dyn(0.0)', 'error: division_by_zero'],
    ['n % 0', 'error: division_by_zero'],
    [
      '[f + 1.0, f - 1.0, f * 2.0, f / 2.0, -f, 1.0 / 0.0]',
      [3.5, 1.5, 5, 1.25, -2.5, Number.POSITIVE_INFINITY],
    ],
    ['[n + n, n - 1, n * n, n / 2, n % 2, -n]', [6, 2, 9, 1.5, 1, -3]],
    ['[dyn(f) + dyn(f), dyn(f) / dyn(2), dyn(f) * dyn(2), -dyn(f)]', [5, 1.25, 5, -2.5]],
    ['dyn(f) % dyn(2)', 0.5],
    ['[n + 0.5, 0.5 - n, n * 0.5, 1 / n * n, i / 2 + n]', [3.5, -2.5, 1.5, 1, 6]],
    ['f + x', NO],
    ['-x', NO],
    ['-e', 'error: no_value'],
    ['-(f + x)', NO],
    ['s + "c" + s', 'bcb'],
    ['s + n', NO],
    ['x + x', 'texttext'],
    ['x + n', NO],
    ['x - n', NO],
    ['x * n', NO],
    ['x / n', NO],
    ['x % n', NO],
    ['i + x', NO],
    ['i - x', NO],
    ['e + 1', 'error: no_value'],
    ['1 + e', 'error: no_value'],
    ['[1] + [2] + l', [1, 2, 3]],
    ['[1] + x', NO],
    ['timestamp(0) + duration("1m")', '1970-01-01T00:01:00Z'],
    ['duration("1m") + timestamp(0)', '1970-01-01T00:01:00Z'],
    ['timestamp(0) - duration("1m")', '1969-12-31T23:59:00Z'],
    ['timestamp(90) - timestamp(0)', '90s'],
    ['duration("1.5s") - duration("2s") + duration("0.25s")', '-0.25s'],
    ['timestamp("9999-12-31T23:59:59Z") + duration("1s")', OVER],
    ['timestamp("9999-12-31T23:59:59Z") - timestamp("0001-01-01T00:00:00Z")', OVER],
    ['duration("2562047h") + duration("2562047h")', OVER],
    ['dyn(timestamp(0)) - x', NO],
    ['x - dyn(duration("1s"))', NO],
  ];
  runCases(t, cases, { variables: { ...variables, l: d }, activation: { ...activation, l: [3] } });
});

t.test('an int that is none is computed as the double it is', async (t) => {
  t.equal(evaluate('i + 1', { variables, activation: { i: 1.5 } }), 2.5);
  t.equal(evaluate('i - 1', { variables, activation: { i: 1.5 } }), 0.5);
});

t.test('macros go through lists and maps, with one variable and two', async (t) => {
  const cases: Case[] = [
    ['[1, 2].all(x, x > 0) && {"a": 1}.all(k, k == "a")', true],
    ['[1, 2].exists(x, x > 1) && {"a": 1}.exists(k, v, k == "a" && v == 1)', true],
    ['[1, 2, 2].exists_one(x, x == 2) || [1].existsOne(i, v, v == 2)', false],
    ['[1, 2].exists_one(x, x == 2)', true],
    ['[].all(x, false) && ![].exists(x, true)', true],
    ['[1, 2, 3].map(x, x * 2)', [2, 4, 6]],
    ['[1, 2, 3].map(x, x > 1, x * 2)', [4, 6]],
    ['[1, 2, 3].filter(x, x != 2)', [1, 3]],
    ['{"a": 1, "b": 2}.filter(k, k > "a")', ['b']],
    ['[5, 6].transformList(i, v, i + v)', [5, 7]],
    ['[5, 6].transformList(i, v, i > 0, v)', [6]],
    ['{"a": 1}.transformMap(k, v, v + 1)', { a: 2 }],
    ['{"a": 1, "b": 2}.transformMap(k, v, v > 1, k)', { b: 'b' }],
    ['{"a": "x"}.transformMapEntry(k, v, {v: k})', { x: 'a' }],
    ['{"a": "x", "b": "x"}.transformMapEntry(k, v, {v: k})', 'error: duplicate_key'],
    ['{"a": "x"}.transformMapEntry(k, v, x)', NO],
    ['{"a": "x"}.transformMapEntry(k, v, e)', 'error: no_value'],
    ['[1, 0].all(v, 1 / v > 5)', false],
    ['[0, 1].exists(v, 1 / v > 0)', true],
    ['[0, 1].all(v, 1 / v > 0)', 'error: division_by_zero'],
    ['[0].exists(v, 1 / v > 0)', 'error: division_by_zero'],
    ['[0, 1].exists_one(v, 1 / v > 0)', 'error: division_by_zero'],
    ['[0].map(v, 1 / v)', 'error: division_by_zero'],
    ['[0].filter(v, 1 / v > 0)', 'error: division_by_zero'],
    ['[0].map(v, 1 / v > 0, v)', 'error: division_by_zero'],
    ['[0].transformMap(i, v, 1 / v)', 'error: division_by_zero'],
    ['[0].sortBy(v, 1 / v)', 'error: division_by_zero'],
    ['[1].all(v, x)', NO],
    ['[1].exists_one(v, x)', NO],
    ['[1].filter(v, x)', NO],
    ['[1].map(v, x, v)', NO],
    ['x.all(v, true)', NO],
    ['e.map(v, v)', 'error: no_value'],
    ['e.sortBy(v, v)', 'error: no_value'],
    ['cel.bind(y, i * 2, y + y)', 28],
    ['cel.bind(y, 1 / 0, 5)', 5],
    ['cel.bind(y, 1 / 0, y)', 'error: division_by_zero'],
    [
      '[1, 2].map(x, [10, 20].map(y, x + y))',
      [
        [11, 21],
        [12, 22],
      ],
    ],
    ['[1, 2].map(y, cel.bind(z, y, z + z))', [2, 4]],
    ['[1].map(i, i) == [1] && i == 7', true],
    ['m.map(k, m[k])', [1, 2]],
    ['m.transformList(k, v, k + string(v))', ['a1', 'b2']],
  ];
  const m = new Map(Object.entries({ a: 1, b: 2 }));
  runCases(t, cases, {
    variables: { ...variables, m: types.map(types.int) },
    activation: { ...activation, m },
  });
});

t.test('calls find the form for the values that came', async (t) => {
  const cases: Case[] = [
    ['size(x) + size(dyn([1])) + size(dyn({"a": 1}))', 6],
    ['size(n)', NO],
    ['size(e)', 'error: no_value'],
    ['x.contains("ex")', true],
    ['n.contains("ex")', NO],
    ['x.contains(n)', NO],
    ['e.contains("a")', 'error: no_value'],
    ['x.contains(e)', 'error: no_value'],
    ['x.substring(n)', 't'],
    ['x.substring(f2)', NO],
    ['x.substring(1, n)', 'ex'],
    ['string(n) + string(b) + string(dyn(f))', '3true2.5'],
    ['int(x)', 'error: invalid_argument'],
    ['dyn(e)', 'error: no_value'],
    ['x.matches("^t.*t$")', true],
    ['n.matches("a")', NO],
    ['e.matches("a")', 'error: no_value'],
    ['dyn("2026-01-01T00:00:00Z") == dyn(1)', false],
    ['bool(dyn(true)) && duration(dyn("1s")) == duration("1s")', true],
    ['dyn(timestamp(0)).getHours() + dyn(duration("1h")).getHours()', 1],
    ['math.abs(n) + math.abs(dyn(-2.5) > 0.0 ? 0 : 1)', 4],
    ['dyn(optional.of(1)).hasValue()', true],
    ['n.hasValue()', NO],
  ];
  runCases(t, cases, { variables: { ...variables, f2: d }, activation: { ...activation, f2: 0.5 } });
});

t.test('every run is bounded by the budget, which all programs share', async (t) => {
  const result = check('l.all(x, x > 0)', { variables: { l: d } });
  if (!result.ok) throw new Error('it checks');
  const program = compile(result.expression);
  const budget = createBudget(100);
  const l = [1, 2, 3];
  t.equal(program.run({ l }, budget), true);
  t.ok(budget.left < 90 && budget.left > 0);
  t.match(program.run({ l: Array(1000).fill(1) }, budget), { code: 'budget_spent' });
  t.match(program.run({ l }, budget), { code: 'budget_spent' }, 'once spent it stays spent');
  t.equal(program.run({ l }, createBudget()), true, 'the program keeps nothing');
  t.equal(evaluate('[1, n]', { variables, activation, steps: 4 }), 'error: budget_spent');
  t.equal(evaluate('{"a": n}', { variables, activation, steps: 4 }), 'error: budget_spent');
  t.equal(
    evaluate('l.all(x, true)', { variables: { l: d }, activation: { l: [] }, steps: 6 }),
    'error: budget_spent',
  );
  t.equal(
    evaluate('n.transformMapEntry(k, v, n)', {
      variables,
      activation: { n: Object.fromEntries(l.map((k) => [k, 1])) },
      steps: 30,
    }),
    'error: budget_spent',
  );
});

t.test('values nested deeper than any document end as an error', async (t) => {
  const deep = (wrap: (inner: unknown) => unknown): unknown =>
    Array.from({ length: 5000 }).reduce((inner) => wrap(inner), 1);
  for (const wrap of [
    (inner: unknown) => [inner],
    (inner: unknown) => ({ a: inner }),
    (inner: unknown) => [{ a: inner }],
  ]) {
    const activation = { x: deep(wrap), n: deep(wrap) };
    t.equal(evaluate('x == n', { variables, activation }), 'error: too_deep');
    t.equal(evaluate('x in [n]', { variables, activation }), 'error: too_deep');
  }
  t.equal(
    evaluate('x.flatten(9999)', { variables, activation: { x: deep((inner) => [inner]) } }),
    'error: too_deep',
  );
});

t.test('what constants say is read when compiling, wherever they stand', async (t) => {
  const p = types.object('p', { n: types.int, list: types.list(types.string), deep: d, none: d });
  const constants = { p: { n: 3, list: ['a', 'b'], deep: { er: { s: 'b' } }, none: null } };
  const run = (source: string) => {
    const result = check(source, { variables: { ...variables, p } });
    if (!result.ok) throw new Error(source);
    const value = compile(result.expression, constants).run(activation, createBudget());
    return value instanceof CelError ? value.code : value;
  };
  const cases: [string, unknown][] = [
    ['p.n', 3],
    ['i > p.n && p.n < i', true],
    ['i == p.n || p.n == i', false],
    ['s == p.deep.er.s', true],
    ['s in p.list', true],
    ['"c" in p.list', false],
    ['p.n in [p.n]', true],
    ['n in [1, p.n]', true],
    ['p.none == null', true],
    ['p == p', true],
    ['[1].map(p, p + 1)', [2]],
  ];
  for (const [source, expected] of cases) t.strictSame(run(source), expected, source);
});
