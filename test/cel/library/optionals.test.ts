import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';

const variables = {
  m: types.map(types.int),
  o: types.dyn,
  r: types.object('R', { a: types.object('A', { b: types.int }), missing: types.int }),
  l: types.list(types.int),
  bad: types.dyn,
  wrong: types.optional(types.map(types.int)),
};
const activation = {
  m: { a: 1 },
  o: { a: { b: 1 }, nothing: null },
  r: { a: { b: 2 } },
  l: [7],
  bad: 5,
  wrong: 5,
};

t.test('optional syntax reads what may be missing', async (t) => {
  const cases: Case[] = [
    ['m.?a', { some: 1 }],
    ['m.?b', 'none'],
    ['m[?"a"]', { some: 1 }],
    ['m[?"b"].orValue(9)', 9],
    ['m.?a.orValue(9)', 1],
    ['o.?a.b', { some: 1 }],
    ['o.?a.?b.orValue(0)', 1],
    ['o.?x.b.c.orValue("none")', 'none'],
    ['o.?x["b"][?"c"].hasValue()', false],
    ['r.?a.b.orValue(0)', 2],
    ['r.?missing.orValue(5)', 5],
    ['r[?"missing"].hasValue()', false],
    ['l[?0]', { some: 7 }],
    ['l[?1]', 'none'],
    ['has(o.?a.b) && !has(o.?x.b)', true],
    ['m[?"b"].or(m[?"a"])', { some: 1 }],
    ['m[?"a"].or(optional.none())', { some: 1 }],
    ['optional.of(1).or(optional.of(2)).value()', 1],
    ['(true ? optional.none() : m[?"a"]).orValue(3)', 3],
    ['(true ? optional.of(4) : m[?"a"]).orValue(3)', 4],
    ['optional.none().value()', 'error: no_value'],
    ['optional.of(1).value()', 1],
    ['wrong.?x', 'error: no_such_overload'],
    ['wrong.x', 'error: no_such_overload'],
    ['bad.?x', 'error: no_such_overload'],
    ['bad.?x.orValue(1)', 'error: no_such_overload'],
    ['optional.of(dyn(1)) == optional.of(1.0)', true],
    ['optional.of(1) == optional.none()', false],
    ['optional.of(dyn(1)) == dyn(1)', false],
    ['optional.none() == optional.none()', true],
  ];
  runCases(t, cases, { variables, activation });
});

t.test('optional functions and literals', async (t) => {
  const cases: Case[] = [
    ['[1, 2].map(x, optional.ofNonZeroValue(x - 1).hasValue())', [false, true]],
    ['optional.ofNonZeroValue("")', 'none'],
    ['optional.ofNonZeroValue(false)', 'none'],
    ['optional.ofNonZeroValue(null)', 'none'],
    ['optional.ofNonZeroValue([])', 'none'],
    ['optional.ofNonZeroValue([0])', { some: [0] }],
    ['optional.ofNonZeroValue({})', 'none'],
    ['optional.ofNonZeroValue({"a": 1})', { some: { a: 1 } }],
    ['optional.ofNonZeroValue(o.a)', { some: { b: 1 } }],
    ['optional.ofNonZeroValue(e)', 'none'],
    ['optional.of(2).optMap(x, x + 1)', { some: 3 }],
    ['m[?"b"].optMap(x, x + 1)', 'none'],
    ['optional.of(2).optMap(x, 1 / 0)', 'error: division_by_zero'],
    ['optional.of("a").optFlatMap(k, m[?k])', { some: 1 }],
    ['optional.of("b").optFlatMap(k, m[?k])', 'none'],
    ['optional.of("b").optFlatMap(k, bad)', 'error: no_such_overload'],
    ['bad.optMap(x, x)', 'error: no_such_overload'],
    ['bad.or(bad)', 'error: no_such_overload'],
    ['bad.orValue(1)', 'error: no_such_overload'],
    ['[?m[?"a"], ?m[?"b"], 3]', [1, 3]],
    ['{?"x": m[?"a"], ?"y": m[?"b"], "z": 3}', { x: 1, z: 3 }],
    ['[?bad]', 'error: no_such_overload'],
    ['{?"x": bad}', 'error: no_such_overload'],
    ['[?bad.x]', 'error: no_such_overload'],
  ];
  runCases(t, cases, { variables: { ...variables, e: types.dyn }, activation: { ...activation, e: {} } });
});
