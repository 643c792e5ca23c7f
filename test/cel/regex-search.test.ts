import t from 'tap';
import { check, types } from '../../src/cel/index.ts';
import { type Case, runCases } from './cases.ts';
import { evaluate, issueLines } from './evaluate.ts';

t.test('matches of a pattern are found in a text', async (t) => {
  const cases: Case[] = [
    ['"order 17 of 20".find(r"[0-9]+")', '17'],
    ['"none".find(r"[0-9]+")', ''],
    ['"order 17 of 20".findAll(r"[0-9]+")', ['17', '20']],
    ['"1 2 3".findAll(r"[0-9]", 2)', ['1', '2']],
    ['"1 2 3".findAll(r"[0-9]", 0)', []],
    ['"1 2 3".findAll(r"[0-9]", -1).size()', 3],
    ['"abc".findAll(r"x*")', ['', '', '', '']],
    ['"none".findAll(r"[0-9]")', []],
    ['"id=c-17;".extract(r"id=([^;]+)")', { some: 'c-17' }],
    ['"c-17".extract(r"c-[0-9]+")', { some: 'c-17' }],
    ['"none".extract(r"id=(.+)")', 'none'],
    ['"b".extract(r"(a)?b")', 'none'],
    ['"none".extract(r"id=(.+)").orValue("?")', '?'],
    ['"ab".extract(r"(a)(b)")', 'error: invalid_argument'],
    ['dyn(1).find(r"a")', 'error: no_such_overload'],
    ['"a".findAll(r"a", dyn("b"))', 'error: no_such_overload'],
  ];
  runCases(t, cases);
  t.match(issueLines('find("a", "b")'), [/write value.find\(…\)/]);
  t.match(issueLines('"a".find("(")'), [/regex_invalid/]);
});

t.test('a search stops when the budget is spent, however often it starts again', async (t) => {
  const s = 'ab'.repeat(2000);
  const run = (source: string, steps: number): unknown =>
    evaluate(source, { variables: { s: types.string }, activation: { s }, steps });
  for (const source of ['s.find("c")', 's.findAll("c")', 's.extract("c")'])
    t.equal(run(source, 1000), 'error: budget_spent', source);
  t.equal(
    run('s.findAll("a.*c|a")', 2_000_000),
    'error: budget_spent',
    'each match reads the text to its end',
  );
});

t.test('a pattern may be a constant of the host, checked and compiled like a literal', async (t) => {
  const constants = { params: { pattern: '^a+$', wrong: '(', list: ['b'], inner: { one: 'c' } } };
  const params = types.object('params', {
    pattern: types.string,
    wrong: types.string,
    list: types.list(types.string),
    inner: types.object('inner', { one: types.string }),
    missing: types.string,
  });
  const checked = (source: string) => check(source, { variables: { params, s: types.string }, constants });
  const issues = (source: string) => {
    const result = checked(source);
    return result.ok ? [] : result.issues.map(({ code, hint }) => `${code} ${hint ?? ''}`);
  };
  for (const [source, pattern] of [
    ['s.matches(params.pattern)', '^a+$'],
    ['s.find(params.list[0])', 'b'],
    ['s.matches(params.inner.one)', 'c'],
    ['s.matches(params["pattern"])', '^a+$'],
  ] as const) {
    const result = checked(source);
    t.same(result.ok && result.expression.patterns, [pattern], source);
  }
  t.same(issues('s.matches(params.wrong)'), ['regex_invalid ']);
  t.same(issues('s.matches(params.missing)'), [
    'regex_not_literal write the pattern in place as r"…", or as params.name, for a plain text use contains, startsWith or endsWith',
  ]);
  t.same(
    issues('s.matches(params.unknown)'),
    ['unknown_field its fields: pattern, wrong, list, inner, missing'],
    'one mistake, one issue',
  );
  t.match(
    issues('["x"].exists(params, s.matches(params))'),
    [/regex_not_literal/],
    'a name that a macro binds is no constant',
  );
  t.match(issues('s.matches(params.list[s.size()])'), [/regex_not_literal/]);
});
