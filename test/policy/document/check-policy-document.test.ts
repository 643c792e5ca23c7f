import t from 'tap';
import { stringifyJson } from '../../../src/json/stringify.ts';
import { compilePolicy } from '../../../src/policy/compile-policy.ts';
import { decide } from '../../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import type { PolicyIssue } from '../../../src/policy/document/policy-issue.ts';
import { testSubject } from '../../../src/policy/document/test-subject.ts';

const short = ({ line, column, path, code, message, hint }: PolicyIssue) =>
  `${line}:${column} ${path} ${code} ${message}${hint ? ` (${hint})` : ''}`;
const issues = (source: string) => checkPolicyDocument(source).issues.map(short);
const warnings = (source: string) => checkPolicyDocument(source).warnings.map(short);
const head = 'schemaVersion: 1\nname: p\n';

t.test('a sound document is valid, and comes back as it was written', async (t) => {
  const source = `${head}rules:\n  - id: a\n    when: tool == "x"\n    effect: WARN\n`;
  const { compile, ...check } = checkPolicyDocument(source);
  t.match(compile?.({ policyId: 'i', policyVersion: 2 }), {
    policyId: 'i',
    policyVersion: 2,
    rules: [{ id: 'a' }],
  });
  t.strictSame(check, {
    valid: true,
    document: { schemaVersion: 1, name: 'p', rules: [{ id: 'a', when: 'tool == "x"', effect: 'WARN' }] },
    issues: [],
    counters: [],
    lists: [],
    warnings: [],
    tests: [],
  });
  const json = JSON.stringify(checkPolicyDocument(source).document);
  t.equal(checkPolicyDocument(json).valid, true, 'JSON is accepted alike');
});

t.test('every mistake has its line, column, path, code and a hint', async (t) => {
  const cases: [name: string, source: string, found: string[]][] = [
    ['no document', 'just a text', ['1:1  wrong_type the document: expected a map, found a text']],
    ['a list', '- a', ['1:1  wrong_type the document: expected a map, found a list']],
    [
      'nothing of what is needed',
      '{}',
      [
        '1:1 /schemaVersion missing_key the document: "schemaVersion" is missing',
        '1:1 /name missing_key the document: "name" is missing',
        '1:1 /rules missing_key the document: "rules" is missing',
      ],
    ],
    [
      'another version',
      'schemaVersion: 2\nname: p\nrules: [{ id: a, when: tool == "x", effect: WARN }]\n',
      ['1:16 /schemaVersion not_allowed schemaVersion: expected 1, found 2'],
    ],
    ['no rules', `${head}rules: []\n`, ['3:8 /rules too_few rules: needs at least 1 entry']],
    [
      'unknown keys',
      `${head}moed: MONITOR\nrules:\n  - { id: a, when: tool == "x", efect: WARN }\n`,
      [
        '3:1 /moed unknown_key the document: unknown key "moed" (did you mean "mode"?)',
        '5:5 /rules/0 one_of rules[0]: a rule needs one of "effect", "escalate" and "label"',
        '5:33 /rules/0/efect unknown_key rules[0]: unknown key "efect" (did you mean "effect"?)',
      ],
    ],
    [
      'both effect and escalate',
      `${head}rules: [{ id: a, when: tool == "x", effect: WARN, escalate: 1 }]\n`,
      ['3:9 /rules/0 one_of rules[0]: a rule has at most one of "effect" and "escalate", this one has both'],
    ],
    [
      'the same id twice',
      `${head}rules:\n  - { id: a, when: tool == "x", effect: WARN }\n  - { id: a, when: tool == "y", effect: WARN }\n`,
      ['5:11 /rules/1/id duplicate_id rules[1]: the id "a" is already that of rules[0]'],
    ],
    [
      'a condition that is no text',
      `${head}rules: [{ id: a, when: true, effect: WARN }]\n`,
      [
        '3:24 /rules/0/when wrong_type rules[0].when: expected a text, found true or false (put it in quotes)',
      ],
    ],
    [
      'a moment that does not exist',
      `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]\ntests:\n  - name: t\n    given: { now: 2026-02-30T00:00:00Z, session: { startedAt: soon, recentActions: [{ at: "2026" }] } }\n    expect: { enforcementAction: ALLOW }\n`,
      [
        '6:19 /tests/0/given/now bad_moment tests[0].given.now: "2026-02-30T00:00:00Z" is not a date and time (write it like 2026-01-31T09:30:00Z)',
        '6:63 /tests/0/given/session/startedAt bad_moment tests[0].given.session.startedAt: "soon" is not a date and time (write it like 2026-01-31T09:30:00Z)',
        '6:91 /tests/0/given/session/recentActions/0/at bad_moment tests[0].given.session.recentActions[0].at: "2026" is not a date and time (write it like 2026-01-31T09:30:00Z)',
      ],
    ],
  ];
  for (const [name, source, found] of cases) t.strictSame(issues(source), found, name);
});

t.test('mistakes in expressions are found at their place in the document', async (t) => {
  const places = (source: string) =>
    checkPolicyDocument(source).issues.map(({ line, column, path, code, message, hint }) => {
      const at = /@\d+:\d+/.exec(message)?.[0];
      return `${line}:${column} ${path} ${code} ${at}${hint ? ` ${hint}` : ''}`;
    });
  const cases: [name: string, body: string, found: string[]][] = [
    [
      'plain',
      'rules:\n  - { id: a, effect: WARN, when: session.warningCuont > 1 }\n',
      ['4:42 /rules/0/when unknown_field @1:9 did you mean "warningCount"?'],
    ],
    [
      'literal block',
      'rules:\n  - id: a\n    effect: WARN\n    when: |\n      tool == "x"\n        && tol == "y"\n',
      ['8:12 /rules/0/when unknown_variable @2:6 did you mean "tool"?'],
    ],
    [
      'two in one condition',
      'rules: [{ id: a, effect: WARN, when: tol == "x" && inptu.y }]\n',
      [
        '3:38 /rules/0/when unknown_variable @1:1 did you mean "tool"?',
        '3:52 /rules/0/when unknown_variable @1:15 did you mean "input"?',
      ],
    ],
    [
      'a condition that gives no bool',
      'rules: [{ id: a, effect: WARN, when: size(tool) }]\n',
      ['3:38 /rules/0/when result_type @1:1 compare it with something'],
    ],
    [
      'a message',
      'rules: [{ id: a, effect: WARN, when: tool == "x", message: "{{tool}} {{tol}}" }]\n',
      ['3:72 /rules/0/message unknown_variable @1:12 did you mean "tool"?'],
    ],
    [
      'a message over two lines',
      'rules:\n  - id: a\n    effect: WARN\n    when: tool == "x"\n    message: |\n      one\n      two {{tol}}\n',
      ['9:13 /rules/0/message unknown_variable @2:7 did you mean "tool"?'],
    ],
    [
      'a message never closed',
      'rules: [{ id: a, effect: WARN, when: tool == "x", message: "of {{tool" }]\n',
      ['3:64 /rules/0/message unclosed_template @1:4'],
    ],
    [
      'a message of what cannot be printed',
      'rules: [{ id: a, effect: WARN, when: tool == "x", message: "{{input[?tool]}}" }]\n',
      ['3:63 /rules/0/message not_printable @1:3 unwrap it with orValue(…)'],
    ],
    [
      'a variable',
      'variables: { v: tol == "x" }\nrules: [{ id: a, effect: WARN, when: vars.v }]\n',
      ['3:17 /variables/v unknown_variable @1:1 did you mean "tool"?'],
    ],
    [
      'a variable used against its type, defined later',
      'variables: { b: vars.a + 1, a: tool }\nrules: [{ id: a, effect: WARN, when: vars.b == 1 }]\n',
      ['3:17 /variables/b type_mismatch @1:1 convert with string(…) or int(…)'],
    ],
    [
      'a variable nobody defined',
      'variables: { count: session.actionCount }\nrules: [{ id: a, effect: WARN, when: vars.cuont > 1 }]\n',
      ['4:43 /rules/0/when unknown_field @1:6 did you mean "count"?'],
    ],
    [
      'a param nobody defined',
      'params: { max: 1 }\nrules: [{ id: a, effect: WARN, when: session.actionCount > params.mux }]\n',
      ['4:67 /rules/0/when unknown_field @1:30 did you mean "max"?'],
    ],
    [
      'a cycle, and not what merely uses it',
      'variables: { a: vars.b, b: vars.a, c: vars.a, d: vars.d }\nrules: [{ id: a, effect: WARN, when: vars.c == 1 }]\n',
      ['3:17 /variables/a cycle @1:1', '3:28 /variables/b cycle @1:1', '3:50 /variables/d cycle @1:1'],
    ],
    [
      'a cycle beside a variable that does not check',
      'variables: { a: vars.b == vars.c, b: vars.a, c: tol }\nrules: [{ id: a, effect: WARN, when: vars.a }]\n',
      [
        '3:17 /variables/a cycle @1:1',
        '3:38 /variables/b cycle @1:1',
        '3:49 /variables/c unknown_variable @1:1 did you mean "tool"?',
      ],
    ],
  ];
  for (const [name, body, found] of cases) t.strictSame(places(head + body), found, name);
});

t.test('a mistake in one place does not hide those in another', async (t) => {
  const source = `${head}mode: MONITR
params: [1]
variables: { v: 7, "w w": tool, u: tol }
severityFloors: { HIHG: BLOCK }
tools: { t: 3 }
rules:
  - { id: A, when: vars.v == 1 && params.x == 2, effect: WARN, tool: [1, t] }
  - nonsense
  - { id: b, when: tol == "x", effect: WARN, message: 3 }
tests: 7
`;
  t.strictSame(
    checkPolicyDocument(source).issues.map(({ path, code }) => `${path} ${code}`),
    [
      '/mode not_allowed',
      '/params wrong_type',
      '/variables/v wrong_type',
      '/variables/w w bad_name',
      '/variables/u unknown_variable',
      '/severityFloors/HIHG unknown_key',
      '/tools/t wrong_type',
      '/rules/0/id bad_name',
      '/rules/0/tool/0 wrong_type',
      '/rules/1 wrong_type',
      '/rules/1 one_of',
      '/rules/2/when unknown_variable',
      '/rules/2/message wrong_type',
      '/tests wrong_type',
    ],
  );
});

t.test('a test that describes nothing is a mistake of structure only', async (t) => {
  const source = `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]\ntests: [{ name: t, given: 3, expect: 4 }]\n`;
  t.strictSame(
    checkPolicyDocument(source).issues.map(({ path, code }) => `${path} ${code}`),
    ['/tests/0/given wrong_type', '/tests/0/expect wrong_type'],
  );
});

t.test('a document of thousands of mistakes is answered shortly', async (t) => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
  const check = checkPolicyDocument(keys);
  t.equal(check.issues.length, 53, 'fifty of the keys, and the three that are missing');
  const twice = checkPolicyDocument('a: 1\n'.repeat(20_000));
  t.equal(twice.issues.length, 200);
});

t.test('custom detectors are checked by what the caller hands in', async (t) => {
  const source = `${head}detectors:
  - { tag: A, category: B, pattern: "(" }
rules: [{ id: a, when: '"A" in dataTags', effect: WARN }]
`;
  t.equal(checkPolicyDocument(source).valid, true, 'without it they are not looked into');
  const bad = {
    checkCustomDetectors: (custom: readonly { pattern: string }[]) =>
      custom.map(({ pattern }, index) => ({ index, field: 'pattern', message: `bad: ${pattern}` })),
  };
  const check = checkPolicyDocument(source, bad);
  t.strictSame(
    checkPolicyDocument(source.replace('in dataTags', 'in dataTag'), bad).issues.map(({ code }) => code),
    ['bad_detector', 'unknown_variable'],
    'together with all other mistakes',
  );
  const codes = (text: string) =>
    checkPolicyDocument(text, bad).issues.map(({ path, code }) => `${path} ${code}`);
  t.strictSame(codes(source.replace('tag: A', 'tag: a')), ['/detectors/0/tag bad_name'], 'form first');
  t.strictSame(codes('7'), [' wrong_type']);
  t.strictSame(check.issues.map(short), [
    '4:37 /detectors/0/pattern bad_detector detectors[0].pattern: bad: (',
  ]);
  t.equal(
    checkPolicyDocument(`${head}rules: [{ id: a, when: tool == "x", effect: WARN }]`, {
      checkCustomDetectors: () => [],
    }).valid,
    true,
  );
});

t.test(
  'a failing test of its own makes a document invalid, saying what was expected and found',
  async (t) => {
    const source = `${head}rules:
  - { id: a, when: tool == "x", effect: WARN, severity: HIGH, reason: because }
  - { id: b, when: tool == "y" && input.z == 1, effect: WARN }
tests:
  - name: right
    given: { tool: x }
    expect: { enforcementAction: WARN, outcome: FLAG, severity: HIGH, rules: [a], reasons: [because] }
  - name: wrong
    given: { tool: x }
    expect: { enforcementAction: BLOCK, outcome: DENY, severity: null, rules: [], reasons: [b, a] }
  - name: fails
    given: { tool: y }
    expect: { enforcementAction: ALLOW }
`;
    const { valid, document, issues: found, tests } = checkPolicyDocument(source);
    t.equal(valid, false);
    t.equal(document, undefined);
    const wrong =
      'expected enforcementAction BLOCK, found WARN; expected outcome DENY, found FLAG; expected severity null, found HIGH; expected rules [], found [a]; expected reasons [a, b], found [because]';
    const fails =
      'expected enforcementAction ALLOW, found BLOCK; by b; the rule "b" of the policy "p" failed: no such field "z"';
    t.strictSame(found.map(short), [
      `10:5 /tests/1 test_failed test "wrong": ${wrong}`,
      `13:5 /tests/2 test_failed test "fails": ${fails}`,
    ]);
    t.strictSame(tests, [
      { name: 'right', line: 7, passed: true },
      { name: 'wrong', line: 10, passed: false, message: wrong },
      { name: 'fails', line: 13, passed: false, message: fails },
    ]);
  },
);

t.test('tests get the tags of their input from the detectors, beside those they name', async (t) => {
  const source = `${head}detectors: [{ tag: CASE, category: HOUSE, pattern: x }]
rules: [{ id: a, when: 'dataTags == ["PII", "CASE"] && detections.size() == 2', effect: WARN }]
tests:
  - name: found
    given: { input: { q: x }, dataTags: [PII], detections: [{ type: EMAIL_ADDRESS, count: 1 }] }
    expect: { enforcementAction: WARN }
  - name: without an input there is nothing to find
    given: { tool: t }
    expect: { enforcementAction: ALLOW }
`;
  const seen: unknown[] = [];
  const check = checkPolicyDocument(source, {
    detect: (input, custom) => {
      seen.push([input, custom]);
      return { dataTags: ['PII', 'CASE'], detections: [{ type: 'CASE', count: 1 }] };
    },
  });
  t.strictSame(check.issues, []);
  t.strictSame(seen, [[{ q: 'x' }, [{ tag: 'CASE', category: 'HOUSE', pattern: 'x' }]]]);
});

t.test('tests that take too long together are stopped', async (t) => {
  const a = Array.from({ length: 1_500 }, () => 1);
  const document = {
    schemaVersion: 1,
    name: 'p',
    rules: [{ id: 'a', when: 'input.a.all(x, input.a.all(y, x + y > 0))', effect: 'WARN' }],
    tests: Array.from({ length: 16 }, (_, index) => ({
      name: `t${index}`,
      given: { input: { a } },
      expect: { enforcementAction: 'BLOCK', reasons: ['rule_error'] },
    })),
  };
  const { valid, tests } = checkPolicyDocument(JSON.stringify(document));
  t.equal(valid, false);
  t.strictSame(tests[0], { name: 't0', line: 1, passed: true });
  t.strictSame(tests[15], {
    name: 't15',
    line: 1,
    passed: false,
    message: 'the tests before it took too long',
  });
});

t.test('tests of a monitored policy run as if it were enforced', async (t) => {
  const source = `${head}mode: MONITOR
rules: [{ id: a, when: tool == "x", effect: BLOCK }]
tests: [{ name: t, given: { tool: x }, expect: { enforcementAction: BLOCK } }]
`;
  t.equal(checkPolicyDocument(source).valid, true);
});

t.test('the input schema of a tool types the rules bound to it', async (t) => {
  const tools = `tools:
  pay: { inputSchema: { type: object, properties: { amount: { type: number }, to: { type: string } } } }
  pay2: { inputSchema: { type: object, properties: { amount: { type: number }, to: { type: string } } } }
  other: { inputSchema: { type: object, properties: { x: { type: string } } } }
`;
  const codes = (rule: string) =>
    checkPolicyDocument(`${head}${tools}rules: [${rule}]`).issues.map(({ path, code }) => `${path} ${code}`);
  t.strictSame(codes('{ id: a, tool: pay, when: input.amuont > 1.0, effect: WARN }'), [
    '/rules/0/when unknown_field',
  ]);
  t.strictSame(codes('{ id: a, tool: pay, when: input.to > 1.0, effect: WARN }'), [
    '/rules/0/when type_mismatch',
  ]);
  t.strictSame(codes('{ id: a, tool: [pay, pay2], when: input.amuont > 1.0, effect: WARN }'), [
    '/rules/0/when unknown_field',
  ]);
  t.strictSame(
    codes('{ id: a, tool: [pay, other], when: input.amuont > 1.0, effect: WARN }'),
    [],
    'different schemas: untyped',
  );
  t.strictSame(codes('{ id: a, tool: [pay, unknown], when: input.amuont > 1.0, effect: WARN }'), []);
  t.strictSame(codes('{ id: a, when: input.amuont > 1.0, effect: WARN }'), [], 'no tool: untyped');
  t.strictSame(codes('{ id: a, tool: constructor, when: input.amuont > 1.0, effect: WARN }'), []);
});

t.test('warns of what is legal and probably not meant', async (t) => {
  const cases: [name: string, body: string, found: string[]][] = [
    [
      'never',
      'rules: [{ id: a, when: "false && tool == \\"x\\"", effect: WARN }]',
      ['3:24 /rules/0/when never_matches rules[0].when: the rule can never match'],
    ],
    [
      'never, by params',
      'params: { on: false }\nrules: [{ id: a, when: params.on, effect: WARN }]',
      ['4:24 /rules/0/when never_matches rules[0].when: the rule can never match'],
    ],
    [
      'never, by a variable',
      'variables: { on: 1 > 2 }\nrules: [{ id: a, when: vars.on && tool == "", effect: WARN }]',
      ['4:24 /rules/0/when never_matches rules[0].when: the rule can never match'],
    ],
    [
      'never, by its tool',
      'rules: [{ id: a, tool: x, when: tool == "y", effect: WARN }]',
      ['3:33 /rules/0/when never_matches rules[0].when: the rule can never match'],
    ],
    [
      'always',
      'rules: [{ id: a, when: "true", effect: WARN }]',
      ['3:24 /rules/0/when always_matches rules[0].when: the rule matches every action'],
    ],
    ['always for a tool is meant', 'rules: [{ id: a, tool: x, when: "true", effect: WARN }]', []],
    [
      'a condition on the session is not constant',
      'rules: [{ id: a, when: session.entityId != null, effect: WARN }]',
      [],
    ],
    [
      'a field that every session has',
      'rules: [{ id: a, when: has(session.entityId), effect: WARN }]',
      ['3:24 /rules/0/when always_matches rules[0].when: the rule matches every action'],
    ],
    [
      'shadowed',
      'rules:\n  - { id: a, when: tool == "x", effect: BLOCK }\n  - { id: b, when: " tool == \\"x\\"", effect: WARN }',
      ['5:5 /rules/1 shadowed rules[1]: adds nothing to rules[0] ("a"), which has the same condition'],
    ],
    [
      'shadowed by a stricter rule after it, not by the weaker one before',
      'rules:\n  - { id: a, when: tool == "x", effect: WARN }\n  - { id: b, when: tool == "x", effect: BLOCK }',
      [
        '4:5 /rules/0 shadowed rules[0]: adds nothing to rules[1] ("b"), which is stricter and matches whenever it does',
      ],
    ],
    [
      'not shadowed by a less grave rule',
      'rules:\n  - { id: a, when: tool == "x", effect: WARN }\n  - { id: b, when: tool == "x", effect: WARN, severity: HIGH }',
      [],
    ],
    [
      'not shadowed by an escalation',
      'rules:\n  - { id: a, when: tool == "x", escalate: 1 }\n  - { id: b, when: tool == "x", effect: WARN }',
      [],
    ],
    [
      'an escalation is not shadowed',
      'rules:\n  - { id: a, when: tool == "x", effect: BLOCK }\n  - { id: b, when: tool == "x", escalate: 1 }',
      [],
    ],
    [
      'shadowed, fewer tools',
      'rules:\n  - { id: a, tool: [x, y], when: size(dataTags) > 1, effect: BLOCK }\n  - { id: b, tool: x, when: size(dataTags) > 1, effect: BLOCK }',
      ['5:5 /rules/1 shadowed rules[1]: adds nothing to rules[0] ("a"), which has the same condition'],
    ],
    [
      'not shadowed, other tools',
      'rules:\n  - { id: a, tool: x, when: size(dataTags) > 1, effect: BLOCK }\n  - { id: b, tool: y, when: size(dataTags) > 1, effect: BLOCK }\n  - { id: c, when: size(dataTags) > 1, effect: BLOCK }',
      [],
    ],
    [
      'unused params, variables, tools',
      'params: { a: 1, b: 2 }\nvariables: { v: params.a, w: vars.v }\ntools: { t: { inputSchema: {} } }\nrules: [{ id: a, when: params.b == 2 && tool == "", effect: WARN }]',
      [
        '3:11 /params/a unused params.a: no rule uses it',
        '4:14 /variables/v unused variables.v: no rule uses it',
        '4:27 /variables/w unused variables.w: no rule uses it',
        '5:10 /tools/t unused tools.t: no rule uses it',
      ],
    ],
    [
      'used in a message, and by a variable',
      'params: { a: 1, b: 2 }\nvariables: { v: params.a, w: vars.v }\nrules: [{ id: a, when: tool == "", effect: WARN, message: "{{vars.w}} {{params.b}}" }]',
      [],
    ],
    [
      'params taken as a whole are all used',
      'params: { a: 1 }\nrules: [{ id: a, when: "[params].exists(p, p.a == size(tool))", effect: WARN }]',
      [],
    ],
    [
      'words of an escalation',
      'rules: [{ id: a, when: tool == "x", escalate: 1, message: m, reason: r }]',
      [
        '3:59 /rules/0/message unused rules[0].message: a rule without an effect makes no finding, so this is never shown',
        '3:70 /rules/0/reason unused rules[0].reason: a rule without an effect makes no finding, so this is never shown',
      ],
    ],
    [
      'input in a message',
      'rules: [{ id: a, when: tool == "x", effect: WARN, message: "{{input.q}}" }]',
      [
        '3:60 /rules/0/message prints_input rules[0].message: prints content of the input, which is kept with the violation',
      ],
    ],
  ];
  for (const [name, body, found] of cases) {
    t.strictSame(issues(head + body), [], `${name}: valid`);
    t.strictSame(warnings(head + body), found, name);
  }
});

t.test('a document has at most 200 different regular expressions', async (t) => {
  const rule = (index: number, patterns: number[]) =>
    `  - id: r${index}\n    when: ${patterns.map((n) => `tool.matches("^a${n}$")`).join(' || ')}\n    effect: WARN\n`;
  const rules = (count: number) =>
    Array.from({ length: count }, (_, index) => rule(index, [2 * index, 2 * index + 1])).join('');
  t.strictSame(issues(`${head}rules:\n${rules(100)}${rule(100, [0, 1])}`), [], 'repeated ones count once');
  const [issue, ...more] = issues(`${head}rules:\n${rules(100)}${rule(100, [200])}${rule(101, [201])}`);
  t.match(issue, /^305:11 \/rules\/100\/when too_many_patterns .*more than 200 different/);
  t.strictSame(more, [], 'said once');
});

t.test('integers of 64 bits and more are exact in params and in what tests give', async (t) => {
  const yaml = `schemaVersion: 1
name: accounts
params: { owner: 1234567890123456789, blocked: [9007199254740993, 123456789012345678901234567890] }
rules:
  - { id: owner, when: input.account == params.owner, effect: WARN, message: "account {{input.account}}" }
  - { id: blocked, when: input.account in params.blocked, effect: BLOCK }
  - { id: literal, when: input.account > 1234567890123456788 && input.account < 1e19, effect: WARN }
tests:
  - { name: the owner, given: { input: { account: 1234567890123456789 } }, expect: { enforcementAction: WARN, rules: [owner, literal] } }
  - { name: one less, given: { input: { account: 1234567890123456788 } }, expect: { enforcementAction: ALLOW, rules: [] } }
  - { name: blocked, given: { input: { account: 9007199254740993 } }, expect: { enforcementAction: BLOCK, rules: [blocked] } }
  - { name: not blocked, given: { input: { account: 9007199254740992 } }, expect: { enforcementAction: ALLOW, rules: [] } }
  - { name: huge, given: { input: { account: 123456789012345678901234567890 } }, expect: { enforcementAction: BLOCK, rules: [blocked] } }
  - { name: another, given: { input: { account: 123456789012345678901234567891 } }, expect: { enforcementAction: ALLOW, rules: [] } }
  - { name: metadata, given: { input: { account: 0 }, session: { metadata: { at: 1700000000123456789 } } }, expect: { enforcementAction: ALLOW, rules: [] } }
`;
  const ofYaml = checkPolicyDocument(yaml);
  t.strictSame(ofYaml.issues, []);
  t.equal(ofYaml.tests.filter(({ passed }) => passed).length, 7);
  const ofJson = checkPolicyDocument(stringifyJson(ofYaml.document));
  t.strictSame(ofJson.issues, []);
  t.strictSame(ofJson.document, ofYaml.document);

  const { document } = ofYaml;
  if (!document) throw new Error('the document does not check');
  const policy = compilePolicy(document, { policyId: 'p', policyVersion: 1 });
  const { violations } = decide([policy], testSubject({ input: { account: 1234567890123456789n } }, []));
  t.equal(violations[0]?.message, 'account 1234567890123456789');
});

t.test('an integer too large for its place is a mistake like any other', async (t) => {
  const source = (more: string) =>
    `schemaVersion: 1\nname: p\nrules: [{ id: a, when: "true", effect: WARN }]\n${more}`;
  const messages = (more: string) => checkPolicyDocument(source(more)).issues.map(({ message }) => message);
  t.match(messages('reviewExpirySeconds: 9007199254740993')[0], /has to be at most 604800/);
  t.match(messages('mode: 9007199254740993')[0], /expected a text, found a whole number/);
  const tools =
    'tools: { x: { inputSchema: { type: object, properties: { n: { const: 9007199254740993 } } } } }';
  t.strictSame(messages(tools), []);
});
