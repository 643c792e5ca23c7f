import t from 'tap';
import { knownTags } from '../../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';

const head = 'schemaVersion: 1\nname: p\n';
const checked = (body: string) => checkPolicyDocument(head + body, { tags: knownTags });
const shown = ({ code, message, hint }: { code: string; message: string; hint?: string }) =>
  `${code} ${message}${hint === undefined ? '' : ` [${hint}]`}`;

/** The warnings about one condition. */
const about = (when: string, more = ''): string[] => {
  const { issues, warnings } = checked(
    `${more}rules:\n  - { id: a, effect: BLOCK, when: ${JSON.stringify(when)} }\n`,
  );
  return [...issues, ...warnings].map(shown);
};
const never = (why: string) => [`never_matches rules[0].when: the rule can never match: ${why}`];

t.test('a rule that looks for something in an empty list can never hold', async (t) => {
  const why = 'it looks for something in an empty list';
  const cases: [when: string, holds: boolean][] = [
    ['tool in []', false],
    ['tool in {}', false],
    ['tool in vars.none', false],
    ['tool in [] || tool in []', false],
    ['session.actionCount > 3 && tool in []', false],
    ['dataTags.containsAny([])', false],
    ['[].exists(x, x == tool)', false],
    ['tool in [] || tool == "a"', true],
    ['!(tool in [])', true],
    ['tool in ["a"]', true],
    ['tool in params.none', true],
    ['dataTags.containsAll([])', true],
  ];
  // Bindings give other values of params.
  const more = 'params: { none: [] }\nvariables: { none: "[]" }\n';
  for (const [when, holds] of cases) {
    const found = about(when, more).filter((one) => one.startsWith('never'));
    t.ok(holds ? found.length === 0 : found.length === 1, `${when}: ${found}`);
    if (!holds) t.match(found[0], /can never match/, when);
  }
  t.match(about('tool in []'), [never(why)[0]]);
});

t.test('a comparison of content with a boolean that "true" slips past is found', async (t) => {
  const exactTrue =
    'untyped_boolean rules[0].when: "true" and 1 are not true, so a caller who sends them is not covered [write != false, which also holds for what is no boolean]';
  const exactFalse = exactTrue
    .replace('"true" and 1 are not true', '"false" and 0 are not false')
    .replace('!= false', '!= true');
  const cases: [when: string, found: string[]][] = [
    ['arguments.?force.orValue(false) == true', [exactTrue]],
    ['true == input.?force.orValue(false)', [exactTrue]],
    ['has(arguments.force) && arguments.force == true', [exactTrue]],
    ['tool == "a" && (json(input.?x.orValue("{}")).?y.orValue(true) == false)', [exactFalse]],
    ['!(arguments.?force.orValue(true) != true)', [exactTrue.replace('!= false', '== false')]],
    ['arguments.?force.orValue(false) != false', []],
    ['!(arguments.?confirmed.orValue(false) == true)', []],
    ['arguments.?confirmed.orValue(false) != true', []],
    ['arguments.?force.orValue(false)', []],
    ['(tool == "a") == true', []],
    ['toolUntrusted == true', []],
  ];
  for (const [when, found] of cases)
    t.strictSame(
      about(when).filter((one) => one.startsWith('untyped')),
      found,
      when,
    );
});

t.test('a rule that can never hold is found by its numbers', async (t) => {
  const both = 'two of its comparisons exclude each other';
  const part = 'a part of the actions is never more than all of them';
  const cases: [when: string, why: string | null][] = [
    ['session.actionCount > 5 && session.actionCount < 3', both],
    ['session.actionCount > 5 && session.actionCount < 6', both],
    ['session.actionCount > 5 && session.actionCount < 7', null],
    ['session.actionCount >= 5 && session.actionCount <= 5', null],
    ['3 > session.actionCount && session.actionCount > 5', both],
    ['input.?n.orValue(0) > 5.5 && input.?n.orValue(0) < 5.5', both],
    ['input.?n.orValue(0) > 5 && input.?n.orValue(0) < 6', null],
    ['tool == "a" && tool == "b"', both],
    ['tool == "a" && tool != "a"', both],
    ['tool == "a" || tool == "b"', null],
    ['(tool == "a" || tool == "b") && session.actionCount < 2 && session.actionCount > 2', both],
    ['tool == "a" || (session.actionCount < 2 && session.actionCount > 2)', null],
    ['session.actionCount < 0', 'the value is always at least 0'],
    ['session.actionCount < -1', 'the value is always at least 0'],
    ['(tool == "a" ? size(dataTags) : session.actionCount) < 0', 'the value is always at least 0'],
    ['size(dataTags) < 0', 'the value is always at least 0'],
    ['size(dataTags) > 2 && dataTags.size() < 2', both],
    ['now.getHours() > 23', 'the value is always 0 to 23'],
    ['now.getDayOfWeek("Europe/Berlin") == 7', 'the value is always 0 to 6'],
    ['now.getHours() >= 22 && now.getHours() < 6', both],
    ['now.getHours() >= 22 || now.getHours() < 6', null],
    ['session.warningCount > session.actionCount', part],
    ['session.actionCount < session.toolCounts[?tool].orValue(0)', part],
    ['session.actionCount > session.warningCount', null],
    ['session.toolCounts[?"x"].orValue(0) > 10 && session.actionCount < 5', part],
    ['session.blockCount >= 3 && session.actionCount < 3', part],
    ['session.attemptCounts[?"x"].orValue(0) > 10 && session.actionCount < 5', null],
    ['session.actionCount > session.actionCount', 'it compares a value with itself'],
    ['severityRank(session.recentActions[0].severity) > 9', 'the value is always 0 to 4'],
    ['vars.many && vars.few', both],
    ['session.actionCount > params.most && session.actionCount < 3', both],
  ];
  const more =
    'params: { most: 5 }\nvariables: { many: session.actionCount > 5, few: session.actionCount < 3 }\n';
  for (const [when, why] of cases) {
    const found = about(when, more).filter((one) => one.startsWith('never'));
    t.strictSame(found, why === null ? [] : never(why), when);
  }
  const many = Array.from({ length: 20 }, (_, index) => `(tool == "a${index}" || tool == "b")`).join(' && ');
  t.strictSame(about(many), [], 'too many alternatives are not looked at');
});

t.test('a comparison that needs more than 50 recent actions is refused', async (t) => {
  const refused = [
    'session.recentActions.size() >= 51',
    'size(session.recentActions) > 50',
    '60 <= session.recentActions.filter(a, a.tool == tool).size()',
    'session.recentActions.filter(a, a.tool == tool).map(a, a.at).size() == 51',
    'session.recentActions.size() < 60',
    'vars.calls.size() >= params.most',
    'vars.count > 50',
    'session.recentActions[50].tool == "x"',
    'tool == "x" && !(session.recentActions.size() > 100)',
  ];
  const more =
    'params: { most: 60 }\nvariables: { calls: "session.recentActions.filter(a, a.tool == tool)", count: vars.calls.size() }\n';
  for (const when of refused) {
    const { valid, issues } = checked(
      `${more}rules:\n  - { id: a, effect: BLOCK, when: ${JSON.stringify(when)} }\n`,
    );
    t.notOk(valid, when);
    t.match(issues, [{ code: 'too_few_actions', path: '/rules/0/when', line: 6 }], when);
    t.match(issues[0]?.hint, /session.toolCounts/);
  }
  for (const when of [
    'session.recentActions.size() >= 50',
    'session.recentActions.size() > 49',
    'session.recentActions[49].tool == "x"',
    'size(dataTags) > 60',
    'session.recentActions.map(a, a.dataTags).flatten().size() > 60',
  ])
    t.ok(checked(`rules:\n  - { id: a, effect: BLOCK, when: ${JSON.stringify(when)} }\n`).valid, when);
});

t.test('a word that no field ever has is named, with the nearest one', async (t) => {
  const cases: [when: string, found: string[]][] = [
    ['"EMAIL_ADRESS" in dataTags', ['no data tag is called "EMAIL_ADRESS" [did you mean "EMAIL_ADDRESS"?]']],
    ['"PPI" in session.dataTags', ['no data tag is called "PPI" [did you mean "PII"?]']],
    [
      'dataTags.exists(d, d == "PHII" || d in ["PII", "PPI"])',
      [
        'no data tag is called "PHII" [did you mean "PII"?]',
        'no data tag is called "PPI" [did you mean "PII"?]',
      ],
    ],
    ['dataTags.containsAny(["XYZZY"])', ['no data tag is called "XYZZY"']],
    ['dataTags.containsAny(params.tags)', ['no data tag is called "PPI" [did you mean "PII"?]']],
    [
      'detections.exists(d, d.type == "PHONE_NUMBR")',
      ['no data tag is called "PHONE_NUMBR" [did you mean "PHONE_NUMBER"?]'],
    ],
    [
      'session.recentActions.exists(a, a.enforcementAction == "BLOKC")',
      ['no enforcement action is called "BLOKC" [did you mean "BLOCK"?]'],
    ],
    ['session.recentActions.exists(a, a.severity == "SEVERE")', ['no severity is called "SEVERE"']],
    ['phase == "RESULTS"', ['no phase is called "RESULTS" [did you mean "RESULT"?]']],
    ['integration.kind == "AGNET"', ['no kind of integration is called "AGNET" [did you mean "AGENT"?]']],
    ['integration.kind in ["AGENT", "MCP"]', ['no kind of integration is called "MCP"']],
    [
      'now.getHours("Europe/Berlim") > 20',
      ['no time zone is called "Europe/Berlim" [did you mean "Europe/Berlin"?]'],
    ],
    ['severityRank("HIHG") > 2 && tool == ""', ['no severity is called "HIHG" [did you mean "HIGH"?]']],
  ];
  for (const [when, found] of cases)
    t.strictSame(
      about(when, 'params: { tags: [PII, PPI] }\n').filter((one) => one.startsWith('unknown_word')),
      found.map((one) => `unknown_word rules[0].when: ${one}`),
      when,
    );
  const fine = [
    '"PII" in dataTags',
    '"CASE" in dataTags',
    '"SECRETS" in dataTags',
    'input.?severity.orValue("") == "SEV1"',
    '["x"].exists(dataTags, "x" in dataTags)',
    'now.getHours("+02:00") > 20',
    'now.getHours("UTC") > 20',
    'dataTags.exists(d, d == "PII" && ["y"].exists(d, d == "y"))',
    'tool in ["PPI"]',
  ];
  for (const when of fine)
    t.strictSame(
      about(when, "detectors: [{ tag: CASE, category: SECRETS, pattern: 'CN' }]\n").filter((one) =>
        one.startsWith('unknown_word'),
      ),
      [],
      when,
    );
  t.strictSame(
    checkPolicyDocument(`${head}rules:\n  - { id: a, effect: BLOCK, when: '"PPI" in dataTags' }\n`).warnings,
    [],
    'without a list of tags, none is unknown',
  );
  const [first] = checked(
    'variables:\n  v: |\n    true &&\n      "PPI" in dataTags\nrules:\n  - { id: a, effect: BLOCK, when: vars.v }\n',
  ).warnings;
  t.match(first, { path: '/variables/v', line: 6, column: 7 }, 'with its place');
});

t.test('severities compared as texts are named', async (t) => {
  const found = about('session.recentActions.exists(a, a.severity >= "HIGH")');
  t.strictSame(found, [
    'unknown_word rules[0].when: severities have no order as texts: HIGH is before LOW [write severityRank(…) on both sides]',
  ]);
  t.strictSame(
    about('session.recentActions.exists(a, severityRank(a.severity) >= severityRank("HIGH"))'),
    [],
  );
});

t.test('a rule that a stricter one shadows is named', async (t) => {
  const rulesOf = (...all: [when: string, does: string][]) =>
    checked(
      `rules:\n${all.map(([when, does], index) => `  - { id: r${index}, when: ${JSON.stringify(when)}, ${does} }\n`).join('')}`,
    ).warnings.map(shown);
  const stricter = (index: number, by: number) => [
    `shadowed rules[${index}]: adds nothing to rules[${by}] ("r${by}"), which is stricter and matches whenever it does`,
  ];
  const [n, tool] = ['session.actionCount', 'tool == "x"'];
  t.strictSame(rulesOf([`${tool} && ${n} > 5`, 'effect: WARN'], [tool, 'effect: BLOCK']), stricter(0, 1));
  t.strictSame(rulesOf([`${n} >= 10`, 'effect: WARN'], [`${n} >= 5`, 'effect: BLOCK']), stricter(0, 1));
  t.strictSame(rulesOf([`${n} > 10`, 'effect: WARN'], [`${n} >= 10`, 'effect: BLOCK']), stricter(0, 1));
  t.strictSame(rulesOf([`${n} == 10`, 'effect: WARN'], [`${n} > 9`, 'effect: BLOCK']), stricter(0, 1));
  t.strictSame(
    rulesOf([`${n} < 3 && ${tool}`, 'effect: WARN'], [`${n} <= 3`, 'effect: BLOCK']),
    stricter(0, 1),
  );
  t.strictSame(rulesOf([`${n} == 3`, 'effect: WARN'], [`${n} < 4`, 'effect: BLOCK']), stricter(0, 1));
  for (const [narrow, broad] of [
    [`${n} >= 5`, `${n} >= 10`],
    [`${n} >= 10`, `${n} > 10`],
    [`${n} <= 3`, `${n} < 3`],
    [tool, `${tool} && ${n} > 5`],
    [`${n} > 5`, `${n} < 9`],
    [tool, 'tool == "y"'],
  ] as const)
    t.strictSame(rulesOf([narrow, 'effect: WARN'], [broad, 'effect: BLOCK']), [], `${narrow} and ${broad}`);
  t.strictSame(
    rulesOf([`${tool} && ${n} > 5`, 'effect: BLOCK'], [tool, 'effect: WARN']),
    [],
    'the narrow rule is stricter',
  );
  t.strictSame(
    rulesOf([`${tool} && ${n} > 5`, 'effect: WARN, severity: HIGH'], [tool, 'effect: BLOCK']),
    [],
    'it is graver',
  );
  t.strictSame(
    rulesOf([`${tool} && ${n} > 5`, 'effect: WARN, on: [RESULT]'], [tool, 'effect: BLOCK']),
    [],
    'it is for another phase',
  );
});

t.test('a != x || a != y is named', async (t) => {
  const code = (when: string) => about(when).filter((one) => one.startsWith('always_true'));
  for (const when of [
    'tool != "a" || tool != "b"',
    'session.actionCount > 3 && (tool != "a" || "b" != tool)',
    'tool != "a" || phase == "PROMPT" || tool != "b"',
  ])
    t.match(
      code(when),
      [/^always_true rules\[0\].when: "a != x \|\| a != y" is always true \[write && instead of \|\|/],
      when,
    );
  for (const when of [
    'tool != "a" && tool != "b"',
    'tool != "a" || targetKey != "b"',
    'tool != "a" || tool == "b"',
    'tool != "a" || tool != "a"',
  ])
    t.strictSame(code(when), [], when);
});

t.test('an unguarded optional field is named', async (t) => {
  const onError = (name: string) =>
    `unguarded rules[0].when: fails on every action without this (no such field "${name}"), which then takes onError: BLOCK [read it as arguments.?field.orValue(…), or ask has(arguments.field) first]`;
  t.strictSame(about('input.amount > 100'), [onError('amount')]);
  t.strictSame(about('input.?a.orValue(1) > 0 && session.metadata.team == "x"'), [onError('team')]);
  t.match(about('session.toolCounts["x"] > 3'), [/^unguarded .*no such key "x"/]);
  t.match(about('input.amount > 100', 'onError: WARN\n'), [/takes onError: WARN/]);
  t.match(about('vars.v', 'variables: { v: input.amount > 100 }\n'), [/^unguarded/]);
  for (const when of [
    'tool == "pay" && input.amount > 100',
    'has(input.amount) && input.amount > 100',
    'input.?amount.orValue(0) > 100',
  ])
    t.strictSame(about(when), [], when);
  const bound = checked('rules:\n  - { id: a, tool: pay, when: input.amount > 100, effect: BLOCK }\n');
  t.strictSame(bound.warnings, [], 'a rule for a tool knows what that tool takes');
  t.match(checked('rules:\n  - { id: a, on: [RESULT], when: input.rows > 100, effect: BLOCK }\n').warnings, [
    { code: 'unguarded' },
  ]);
});

t.test('a value that begins with a quote is answered with how to write it', async (t) => {
  const hint = (body: string) => checkPolicyDocument(body).issues.map((issue) => issue.hint);
  const start = `${head}rules:\n  - id: a\n    effect: BLOCK\n`;
  t.strictSame(hint(`${start}    when: "PII" in dataTags\n`), [
    `YAML ends a value that begins with a quote at the next one: write '"PII" in dataTags'`,
  ]);
  t.strictSame(hint(`${start}    when: 'PII' in dataTags && tool == "it's"\n`), [
    `YAML ends a value that begins with a quote at the next one: write '''PII'' in dataTags && tool == "it''s"'`,
  ]);
  t.strictSame(hint(`${head}rules:\n  - { id: a, when: "PII" in dataTags, effect: BLOCK }\n`), [
    `YAML ends a value that begins with a quote at the next one: write '"PII" in dataTags'`,
  ]);
  const fixed = checkPolicyDocument(`${start}    when: '"PII" in dataTags'\n`);
  t.ok(fixed.valid, 'the fix checks');
  t.strictSame(hint(`${start}    when: "PII\n`), [undefined], 'a quote that is not closed');
  t.strictSame(hint(`${head}rules: [\n`), [undefined]);
  t.strictSame(hint(`${head}rules:\n  - { id: "a", name: "b" c: d }\n`), [undefined]);
});

t.test('a document made to be slow to analyse is checked in bounded time', async (t) => {
  const doubling = Array.from(
    { length: 90 },
    (_, index) => `  v${index}: vars.v${index + 1} && vars.v${index + 1}\n`,
  );
  const adding = 'tool == "x"\n';
  const variables = `variables:\n${doubling.join('')}  v90: ${adding}`;
  const limits = Array.from({ length: 60 }, (_, index) => `size(tool) > ${index}`).join(' && ');
  const many = Array.from(
    { length: 199 },
    (_, index) => `  - { id: r${index}, effect: BLOCK, when: ${JSON.stringify(limits)} }\n`,
  );
  const started = process.cpuUsage();
  const { valid } = checked(
    `${variables}rules:\n  - { id: v, effect: WARN, when: vars.v0 }\n${many.join('')}`,
  );
  const { user } = process.cpuUsage(started);
  t.ok(valid);
  t.ok(user < 5_000_000, `${user / 1000} ms`);
});

t.test('a number that is negated is a number, too', async (t) => {
  const why = 'the value is always at least 0';
  t.strictSame(about('session.actionCount < -params.x', 'params: { x: 1 }\n'), never(why));
  t.strictSame(about('session.actionCount < -params.x', 'params: { x: -1 }\n'), []);
});

t.test('a counter is never negative, and one whose condition never holds stays 0', async (t) => {
  const counters =
    'counters:\n  c: { over: session, where: tool == "a" }\n  s: { over: session, per: tool }\n';
  const why = 'the value is always at least 0';
  for (const when of [
    'counters.c < 0',
    'counters.s[tool] < 0 && counters.c > 1',
    'counters.s.a + counters.c < 0',
  ])
    t.ok(about(when, counters).includes(never(why)[0] as string), when);
  t.ok(
    about('counters.c > 0 && counters.c < 1', counters).includes(
      never('two of its comparisons exclude each other')[0] as string,
    ),
  );
  t.strictSame(about('counters.c >= 0 && counters.s[tool] == 0', counters), []);

  const counted = (where: string) =>
    about('counters.c > 3', `counters:\n  c: { over: session, where: ${JSON.stringify(where)} }\n`);
  const stays = (why: string) => [
    `never_counts counters.c.where: the counter stays 0, because this can never hold: ${why}`,
  ];
  const both = 'two of its comparisons exclude each other';
  t.strictSame(counted('tool == "a" && tool == "b"'), stays(both));
  t.strictSame(counted('input.n > 5 && input.n < 3'), stays(both));
  t.strictSame(counted('false'), stays('it is false'));
  t.strictSame(counted('tool == "a" || false'), []);
  t.strictSame(counted('tool == "a"'), []);
});

t.test('a counter whose "where" contradicts what it counts stays 0', async (t) => {
  const counted = (where: string, more = '') =>
    about('counters.c > 3', `counters:\n  c: { over: session, where: ${JSON.stringify(where)}${more} }\n`);
  const stays = (why: string) => [
    `never_counts counters.c.where: the counter stays 0, because this can never hold: ${why}`,
  ];
  const allowed = '"counts" is ALLOWED, so an action that is counted has ALLOW or WARN';
  const blocked = 'decision.enforcementAction == "BLOCK"';
  t.strictSame(counted(blocked), stays(allowed));
  t.strictSame(
    counted(blocked, ', counts: HELD'),
    stays('"counts" is HELD, so an action that is counted has APPROVAL_REQUIRED'),
  );
  t.strictSame(counted(`!(${blocked})`, ', counts: BLOCKED'), []);
  t.strictSame(
    counted('decision.enforcementAction != "BLOCK"', ', counts: BLOCKED'),
    stays('"counts" is BLOCKED, so an action that is counted has BLOCK'),
  );
  t.strictSame(
    counted('decision.enforcementAction in ["BLOCK", "APPROVAL_REQUIRED"] && tool == "a"'),
    stays(allowed),
  );
  t.strictSame(
    counted('decision.enforcementAction != "ALLOW" && "WARN" != decision.enforcementAction'),
    stays(allowed),
  );
  for (const [where, more] of [
    ['decision.enforcementAction in ["BLOCK", "WARN"]', ''],
    ['decision.enforcementAction != "ALLOW"', ''],
    [`${blocked} || tool == "a"`, ''],
    [blocked, ', counts: BLOCKED'],
    [blocked, ', counts: ATTEMPTED'],
    ['result.status == "OK"', ', on: RESULT'],
    ['phase == "ACTION"', ''],
  ] as const)
    t.strictSame(counted(where, more), [], `${where}${more}`);
  t.strictSame(counted('phase == "RESULT"'), stays('"on" is ACTION'));
  t.strictSame(counted('result.status == "OK"'), stays('"on" is ACTION, so there is no status'));
  t.strictSame(
    counted('result.status == ""', ', on: RESULT'),
    stays('"on" is RESULT, so the status is OK or FAILED'),
  );
  t.strictSame(counted('decision.enforcementAction == "DENY"', ', counts: ATTEMPTED'), [
    'unknown_word counters.c.where: no enforcement action is called "DENY"',
  ]);
  t.strictSame(about('phase == "RESULT"'), never('"on" is ACTION'));
  t.strictSame(about('tool == "a" && phase in ["PROMPT", "RESULT"]'), never('"on" is ACTION'));
  t.strictSame(about('phase != "ACTION" || tool == "a"'), []);
});

t.test('a grant for whatever a tool is called with is named', async (t) => {
  const grant = (same: string) =>
    checked(
      `rules:\n  - { id: a, when: tool == "x", effect: APPROVAL_REQUIRED, approval: { grant: { ${same} uses: 5 } } }\n`,
    ).warnings.map(shown);
  t.strictSame(grant('same: [tool],'), [
    'wide_grant rules[0].approval.grant.same: one approval lets every later call of the tool pass, whatever its arguments [add what has to stay the same, such as destinations or arguments.to]',
  ]);
  for (const same of ['', 'same: [tool, input.to],', 'same: [destinations],', 'same: [targetKey],'])
    t.strictSame(grant(same), [], same);
});

t.test('rules that exclude themselves in other words than comparisons are found', async (t) => {
  const cases: [when: string, holds: boolean][] = [
    ['tool.startsWith("crm.") && tool == "mail.send"', false],
    ['tool in ["a", "b"] && !(tool in ["a", "b", "c"])', false],
    ['"PII" in dataTags && !dataTags.containsAny(["PII", "PHI"])', false],
    ['session.labels.containsAll(["A", "B"]) && session.labels == []', false],
    ['isString(arguments.?to) && arguments.to > 3', false],
    ['has(arguments.to) && arguments.?to.orValue("x") == "x" && arguments.to != "x"', false],
    ['session.warningCount + session.blockCount > 5 && session.actionCount < 3', false],
    [
      'session.toolCounts[?tool].orValue(0) > 2 && tool == "a" && session.toolCounts[?"a"].orValue(0) < 2',
      false,
    ],
    ['now - session.startedAt < duration("0s")', false],
    ['tool.startsWith("crm.") && tool == "crm.read"', true],
    ['isString(arguments.?to) && arguments.to > "3"', true],
    ['"PII" in dataTags && !dataTags.containsAll(["PII", "PHI"])', true],
    ['session.warningCount + session.blockCount > 5 && session.actionCount < 6', true],
  ];
  for (const [when, holds] of cases) {
    const found = about(when).filter((one) => one.startsWith('never'));
    t.equal(found.length === 0, holds, `${when}: ${found}`);
  }
});

t.test('a rule is covered by another one that says the same in other words', async (t) => {
  const covered = (narrow: string, broad: string): boolean =>
    checked(
      `rules:\n  - { id: narrow, effect: WARN, when: ${JSON.stringify(narrow)} }\n  - { id: broad, effect: BLOCK, when: ${JSON.stringify(broad)} }\n`,
    ).warnings.some(({ code, path }) => code === 'shadowed' && path === '/rules/0');
  t.ok(covered('tool == "a"', 'tool in ["a", "b"]'));
  t.ok(covered('tool == "a" && "PII" in dataTags', '"PII" in dataTags || "PHI" in dataTags'));
  t.ok(covered('dataTags.containsAll(["PII", "PHI"])', '"PHI" in dataTags'));
  t.ok(covered('session.warningCount > 5', '!(session.warningCount <= 3)'));
  t.notOk(covered('tool == "c"', 'tool in ["a", "b"]'));
  // Integers that only exact JSON keeps.
  t.same(
    checked(
      'params: { id: 9007199254740993 }\nrules:\n  - { id: a, effect: WARN, when: arguments.?id.orValue(0) == params.id }\n',
    ).issues,
    [],
  );
  // It fails where the other one is false, and then takes onError.
  t.notOk(covered('arguments.amount > 5', 'arguments.?amount.orValue(0) > 3'));
});
