import t from 'tap';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';

const check = (counter: string, when = 'counters.c > 1', more = '') =>
  checkPolicyDocument(
    `schemaVersion: 1\nname: p\ncounters:\n  c: ${counter}\n${more}\nrules:\n  - { id: r, when: ${JSON.stringify(when)}, effect: BLOCK }\n`,
  );
const messages = (...checked: Parameters<typeof check>) =>
  check(...checked).issues.map(
    ({ path, message, hint }) => `${path} | ${message}${hint ? ` | ${hint}` : ''}`,
  );

t.test('every mistake in a counter is refused, with its place and what would be right', async (t) => {
  const cases: [string, RegExp][] = [
    ['{}', /counters\.c: "over" is missing/],
    ['7', /counters\.c: expected a map, found a whole number/],
    ['{ over: world }', /counters\.c\.over: expected session, tree, entity or integration, found "world"/],
    ['{ over: 1 }', /counters\.c\.over: expected a text/],
    ['{ over: session, wher: "true" }', /unknown key "wher" \| did you mean "where"/],
    [
      '{ over: session, settle: input.cost }',
      /settle: replaces what "add" added, which is missing \| add what/,
    ],
    ['{ over: session, add: "1", settle: 2 }', /settle: expected a text/],
    [
      '{ over: session, add: "1", settle: tool }',
      /counters\.c\.settle @1:1: the expression is string, expected a number/,
    ],
    ['{ over: session, add: "1", settle: counters.c }', /unknown variable "counters"/],
    [
      '{ over: session, add: "1", settle: input.x, on: RESULT }',
      /settle: a counter that settles counts actions/,
    ],
    [
      '{ over: session, add: "1", settle: input.x, per: tool }',
      /settle: a counter that a value splits cannot settle/,
    ],
    ['{ over: session, distinct: tool, cap: 5, settle: input.x }', /settle: replaces what "add" added/],
    [
      '{ over: session, where: true }',
      /counters\.c\.where: expected a text, found true or false \| put it in quotes/,
    ],
    ['{ over: session, where: tool }', /counters\.c\.where @1:1: .*expected bool/],
    ['{ over: session, where: tol == "a" }', /unknown variable "tol" \| did you mean "tool"/],
    ['{ over: session, where: counters.c > 1 }', /unknown variable "counters"/],
    ['{ over: session, where: vars.x }', /unknown variable "vars"/],
    ['{ over: session, where: decision.action == "WARN" }', /decision has no field "action"/],
    ['{ over: session, add: size(decision.rules) }', /unknown variable "decision"/],
    ['{ over: session, reset: decision.severity == "LOW" }', /unknown variable "decision"/],
    [
      '{ over: session, counts: DENIED }',
      /counts: expected ALLOWED, HELD, REJECTED, BLOCKED or ATTEMPTED, found "DENIED"/,
    ],
    ['{ over: session, on: PROMPT }', /on: expected ACTION or RESULT/],
    ['{ over: session, on: RESULT, counts: HELD }', /counts: a RESULT is never held/],
    ['{ over: session, on: RESULT, counts: REJECTED }', /counts: a RESULT is never rejected/],
    [
      '{ over: session, add: "1", settle: input.x, counts: REJECTED }',
      /settle: an action that was rejected has no result to settle with/,
    ],
    ['{ over: session, add: tool }', /counters\.c\.add @1:1: the expression is string, expected a number/],
    ['{ over: session, add: 1 }', /add: expected a text/],
    ['{ over: session, distinct: tool }', /distinct: needs "cap", the most distinct values \| add cap: 1000/],
    ['{ over: session, distinct: dataTags, cap: 5 }', /expected a text, a number or a bool/],
    ['{ over: session, distinct: tool, cap: 0 }', /cap: has to be at least 1/],
    ['{ over: session, distinct: tool, cap: 10001 }', /cap: has to be at most 10000/],
    ['{ over: session, distinct: tool, cap: 1.5 }', /cap: expected a whole number/],
    ['{ over: session, cap: 5 }', /cap: belongs to "distinct"/],
    ['{ over: session, distinct: tool, cap: 5, add: "1" }', /at most one of "add" and "distinct"/],
    ['{ over: entity }', /a counter over entity never ends, so it needs a window \| add within: 24h/],
    ['{ over: integration, per: tool }', /a counter over integration never ends/],
    ['{ over: session, within: 24 }', /within: expected a text/],
    ['{ over: session, within: 1y }', /within: has to match/],
    ['{ over: session, within: 0h }', /within: has to match/],
    ['{ over: session, within: 401d }', /within: has to be at most 400d/],
    ['{ over: session, within: 999999999d }', /within: has to be at most 400d/],
    ['{ over: session, within: 1h, per: day }', /"within" or a unit of the calendar \(per: day\), not both/],
    ['{ over: session, zone: UTC }', /zone: belongs to a unit of the calendar \| add per: day/],
    ['{ over: session, per: day, zone: Europe/Belin }', /"Europe\/Belin" is not a time zone/],
    ['{ over: session, per: [day, hour] }', /per: takes one unit of the calendar, one value, or one of each/],
    ['{ over: session, per: [tool, targetKey] }', /per: takes one unit/],
    ['{ over: session, per: [day, tool, tool] }', /per: has 3 entries, at most 2 are allowed/],
    ['{ over: session, per: dataTags }', /expected a text, a number or a bool/],
    ['{ over: session, reset: 1 }', /reset: expected a text/],
    ['{ over: session, reset: tool }', /counters\.c\.reset @1:1: .*expected bool/],
  ];
  for (const [counter, expected] of cases) {
    const found = messages(counter);
    t.ok(
      found.some((message) => expected.test(message)),
      `${counter}: ${found.join('; ')}`,
    );
    t.ok(
      check(counter).issues.every(({ path, line }) => path !== '' && line >= 4),
      counter,
    );
  }
  t.strictSame(
    messages(`{ over: session, where: '"a" in decision.rules && decision.severity == null' }`),
    [],
  );
  t.match(
    messages('{ over: session }', 'decision.enforcementAction == "WARN"').join(),
    /unknown variable "decision"/,
  );
  const named = (name: string) =>
    checkPolicyDocument(
      `schemaVersion: 1\nname: p\ncounters: { ${name} }\nrules: [{ id: r, when: "true", effect: WARN }]`,
    )
      .issues.map(({ message }) => message)
      .join();
  t.match(named('a-b: { over: session }'), 'the name "a-b" has to match');
  t.match(named('a: { over: session }, a: { over: session }'), /"a"|unique|twice/);
  t.match(
    named(Array.from({ length: 51 }, (_, index) => `c${index}: { over: session }`).join(', ')),
    'at most 50',
  );
  t.match(
    checkPolicyDocument('schemaVersion: 1\nname: p\ncounters: 5\nrules: []').issues.map(
      ({ message }) => message,
    ),
    ['counters: expected a map, found a whole number'],
  );
});

t.test(
  'the same name may be a param, a variable and a counter, and those of every object as well',
  async (t) => {
    const names = ['c', 'constructor', 'size', 'toString', 'get', 'message', 'value'];
    for (const name of names) {
      const { issues } = checkPolicyDocument(`
schemaVersion: 1
name: p
params: { ${name}: 1 }
variables: { ${name}: counters.${name} + params.${name} }
counters: { ${name}: { over: session } }
rules: [{ id: r, when: vars.${name} == 4 && counters.${name} == 3, effect: BLOCK }]
tests: [{ name: t, given: { counters: { ${name}: 3 } }, expect: { enforcementAction: BLOCK } }]`);
      t.strictSame(issues, [], name);
    }
  },
);

t.test('a counter that is split by a value is only read by one, and counters only by name', async (t) => {
  const split = '{ over: session, per: tool }';
  for (const when of [
    'counters.c[tool] > 1',
    'counters.c["a"] + counters.c.b > 1',
    '[1].exists(counters, counters > 0)',
    '["x"].exists(c, counters.c[c] > 0)',
  ])
    t.strictSame(messages(split, when), [], when);
  for (const when of [
    'counters.c.exists(k, true)',
    'counters.c.size() > 0',
    'tool in counters.c',
    'has(counters.c.a)',
    'counters.c[?tool].orValue(0) > 1',
    'counters.c.?a.orValue(0) > 1',
    'counters.c == {}',
  ])
    t.match(messages(split, when).join(), 'the counter "c" is split by a value, which has to be named', when);
  for (const when of ['counters["c"] == {}', 'has(counters.c)', 'type(counters) == map'])
    t.match(messages(split, when).join(), 'the counters can only be read by name', when);
  t.match(messages(split, 'vars.v["a"] > 1', 'variables: { v: counters.c }'), [
    /\/variables\/v \| variables.v @1:1: the counter "c" is split.* \| write counters.c\[value\]/,
  ]);
  t.match(messages(split, 'counters.c[1] > 1').join(), /string|int/);
  t.match(messages(split, 'counters.d > 1').join(), /counters has no field "d"/);
  t.match(messages('{ over: session }', 'counters.c["a"] > 1').join(), /int/);
  t.match(
    checkPolicyDocument(
      'schemaVersion: 1\nname: p\nrules: [{ id: r, when: counters.c > 1, effect: BLOCK }]',
    ).issues.map(({ message }) => message),
    [/unknown variable "counters"/],
  );
});

t.test('tests set counters that exist, in the form that they are read in', async (t) => {
  const tested = (counter: string, when: string, given: string, effect = 'BLOCK') =>
    messages(
      counter,
      when,
      `tests: [{ name: t, given: { tool: a, counters: ${given} }, expect: { enforcementAction: ${effect} } }]`,
    ).join();
  const plain = '{ over: session, within: 1h }';
  const split = '{ over: session, per: [day, tool] }';
  t.equal(tested(plain, 'counters.c == 2', '{ c: 2 }'), '');
  t.equal(tested(plain, 'counters.c == 0', '{}'), '');
  t.equal(tested(plain, 'counters.c == 0', '{ c: 2 }', 'ALLOW'), '');
  t.equal(tested(split, 'counters.c[tool] == 2 && counters.c["b"] == 0', '{ c: { a: 2 } }'), '');
  t.match(tested(plain, 'counters.c > 1', '{ d: 2 }'), /there is no such counter/);
  t.match(tested(plain, 'counters.c > 1', '{ c: { a: 1 } }'), /is one number: nothing splits it/);
  t.match(tested(split, 'counters.c[tool] > 1', '{ c: 1 }'), /is split by a value: give a number for each/);
  t.match(tested(plain, 'counters.c > 1', '{ c: -1 }'), /at least 0/);
  t.match(tested(plain, 'counters.c > 1', '{ c: many }'), /expected a number or a map/);
  t.match(tested(split, 'counters.c[tool] > 1', '{ c: { a: many } }'), /expected a number/);
  t.match(tested(plain, 'counters.c > 1', '7'), /expected a map/);
});

t.test('a counter that no rule reads is a warning', async (t) => {
  const { warnings } = check('{ over: session }', 'tool == "x"');
  t.match(warnings, [{ code: 'unused', path: '/counters/c', message: 'counters.c: no rule uses it' }]);
  t.strictSame(check('{ over: session }').warnings, []);
});
