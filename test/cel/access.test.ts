import t from 'tap';
import { CelError, types } from '../../src/cel/index.ts';
import { type Case, runCases } from './cases.ts';

const NAMES =
  'constructor __proto__ toString hasOwnProperty valueOf length size get message code value'.split(' ');

t.test('names that objects inherit are not there unless the data has them', async (t) => {
  const record = types.object('Record', Object.fromEntries(NAMES.map((name) => [name, types.dyn])));
  const variables = { o: types.dyn, m: types.map(types.dyn), r: record, l: types.dyn, k: types.string };
  for (const name of NAMES) {
    for (const empty of [{}, new Map()]) {
      const activation = { o: empty, m: empty, r: empty, l: [1], k: name };
      const cases: Case[] = [
        [`o.${name}`, 'error: no_such_key'],
        [`m.${name}`, 'error: no_such_key'],
        [`r.${name}`, 'error: no_such_key'],
        [`o[k]`, 'error: no_such_key'],
        [`m["${name}"]`, 'error: no_such_key'],
        [`r[k]`, 'error: no_such_key'],
        [`has(o.${name}) || has(m.${name}) || has(r.${name}) || k in o || k in m || k in r`, false],
        [`o[?k].hasValue() || m.?${name}.hasValue() || r[?k].hasValue()`, false],
        [`l.${name}`, 'error: no_such_overload'],
        [`has(l.${name})`, 'error: no_such_overload'],
      ];
      runCases(t, cases, { variables, activation });
    }
    const own = JSON.parse(`{"${name}": 7}`);
    for (const full of [own, new Map([[name, 7]])]) {
      const activation = { o: full, m: full, r: full, l: [], k: name };
      runCases(t, [[`[o.${name}, m.${name}, r.${name}, o[k], m[k], r[k], size(o)]`, [7, 7, 7, 7, 7, 7, 1]]], {
        variables,
        activation,
      });
    }
  }
});

t.test('only own and enumerable properties are data', async (t) => {
  class Host {
    visible = 1;
    get computed(): number {
      return 2;
    }
  }
  const hidden = Object.defineProperty(new Host(), 'hidden', { value: 3, enumerable: false });
  const bare = Object.assign(Object.create(null), { visible: 1 });
  const cases: Case[] = [
    ['o.visible', 1],
    ['o.computed', 'error: no_such_key'],
    ['o.hidden', 'error: no_such_key'],
    ['o.map(k, k)', ['visible']],
    ['bare.visible', 1],
    ['bare == {"visible": 1}', true],
  ];
  runCases(t, cases, { variables: { o: types.dyn, bare: types.dyn }, activation: { o: hidden, bare } });
});

t.test('declared fields of a record may be lazy, missing or failed', async (t) => {
  let reads = 0;
  class Session {
    get counted(): number {
      reads += 1;
      return 4;
    }
    get failed(): CelError {
      return new CelError('division_by_zero', 'in another program');
    }
    get message(): string {
      return 'lazy';
    }
    get broken(): number {
      throw new Error('the store is gone');
    }
    inner = new Map<string, unknown>([['deep', 1]]);
  }
  const inner = types.object('Inner', { deep: types.int, other: types.int });
  const fields = {
    counted: types.int,
    failed: types.int,
    message: types.string,
    broken: types.int,
    absent: types.int,
    inner,
  };
  const variables = { s: types.object('Session', fields), k: types.string };
  const activation = { s: new Session(), k: 'counted' };
  const cases: Case[] = [
    ['s.counted > 3', true],
    ['s[k] == 4', true],
    ['s["counted"] == 4', true],
    ['s[k + "x"]', 'error: no_such_key'],
    ['k in s', true],
    ['"absent" in s', false],
    ['"elsewhere" in s', false],
    ['s.message', 'lazy'],
    ['s.failed > 3', 'error: division_by_zero'],
    ['s.failed > 3 || true', true],
    ['has(s.failed)', 'error: division_by_zero'],
    ['"failed" in s', 'error: division_by_zero'],
    ['s.?failed', 'error: division_by_zero'],
    ['s.absent', 'error: no_such_key'],
    ['has(s.absent)', false],
    ['has(s.counted)', true],
    ['s.broken', 'error: host_failure'],
    ['s.inner.deep', 1],
    ['s.inner.other', 'error: no_such_key'],
    ['k in dyn(s)', false],
    ['s[string(1 / 0)]', 'error: division_by_zero'],
    ['string(1 / 0) in s', 'error: division_by_zero'],
  ];
  runCases(t, cases, { variables, activation });
  t.equal(reads, 10, 'a field is read when it is needed: each case runs twice');
});

t.test('a host may give what it did not declare; nothing breaks', async (t) => {
  const record = types.object('R', { a: types.int, code: types.int });
  const list = types.list(types.int);
  for (const wrong of [null, 5, 'text', [1], true, () => 1, Symbol('s'), 1n]) {
    const cases: Case[] = [
      ['r.a', 'error: no_such_overload'],
      ['r.code', 'error: no_such_overload'],
      ['r.a == 1 || true', true],
      ['r.all(k, true)', Array.isArray(wrong) ? true : 'error: no_such_overload'],
    ];
    runCases(t, cases, { variables: { r: record }, activation: { r: wrong } });
  }
  const cases: Case[] = [
    ['l[0]', 'error: no_such_overload'],
    ['1 in l', 'error: no_such_overload'],
    ['l + [1]', 'error: no_such_overload'],
    ['l.all(x, x > 0)', 'error: no_such_overload'],
    ['size(l)', 'error: no_such_overload'],
    ['l.sortBy(x, x)', 'error: no_such_overload'],
    ['absent', 'error: no_such_variable'],
    ['absent.a', 'error: no_such_key'],
    ['failed.a', 'error: no_value'],
    ['failed.code', 'error: no_value'],
    ['failed[0]', 'error: no_value'],
    ['dyn(failed)["a"]', 'error: no_value'],
  ];
  const variables = { l: list, absent: record, failed: types.dyn };
  runCases(t, cases, { variables, activation: { l: 5, failed: new CelError('no_value', 'x') } });
});

t.test('lists and maps are indexed by what fits them', async (t) => {
  const cases: Case[] = [
    ['[1, 2][1]', 2],
    ['[1, 2][2]', 'error: index_out_of_range'],
    ['[1, 2][-1]', 'error: index_out_of_range'],
    ['[1, 2][dyn(1.0)]', 2],
    ['[1, 2][dyn(0.5)]', 'error: no_such_overload'],
    ['[1, 2][dyn("0")]', 'error: no_such_overload'],
    ['dyn([1])[dyn("length")]', 'error: no_such_overload'],
    ['{1: "a", true: "b", "c": "d"}[true]', 'b'],
    ['{1: "a"}[dyn(1.0)]', 'a'],
    ['{1: "a"}[2]', 'error: no_such_key'],
    ['{"a": 1}["b"]', 'error: no_such_key'],
    ['o[1]', 'error: no_such_key'],
    ['{"a": 1}[string(1 / 0)]', 'error: division_by_zero'],
    ['[1][1 / 0]', 'error: division_by_zero'],
    ['bad[1 / 0]', 'error: no_value'],
    ['{"a": 1, "a": 2}', 'error: duplicate_key'],
    ['{dyn(1.5): 2}', 'error: no_such_overload'],
    ['{string(1 / 0): 2}', 'error: division_by_zero'],
    ['{"a": 1 / 0}', 'error: division_by_zero'],
    ['[1, 1 / 0]', 'error: division_by_zero'],
    ['[dyn(1)] == [1]', true],
  ];
  runCases(t, cases, {
    variables: { o: types.dyn, bad: types.dyn },
    activation: { o: { 1: 2 }, bad: new CelError('no_value', '') },
  });
});

t.test('messages name fields of the source, never data', async (t) => {
  const { check, compile, createBudget } = await import('../../src/cel/index.ts');
  const run = (source: string): unknown => {
    const result = check(source, { variables: { o: types.dyn, k: types.string } });
    return result.ok ? compile(result.expression).run({ o: {}, k: 'secret' }, createBudget()) : null;
  };
  t.match(run('o.password'), { message: 'no such field "password"' });
  t.match(run('o["password"]'), { message: 'no such key "password"' });
  t.match(run('o[k]'), { message: 'no such key' });
});
