import t from 'tap';
import { decide } from '../../src/policy/decide.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import type { Subject } from '../../src/policy/subject.ts';
import { plainTerms } from '../../src/schemas/review-terms.ts';
import { decideFor, findings, policy, rule, rules } from './policy-fixtures.ts';

t.test('no finding is ALLOW, and nothing else', async (t) => {
  const nothing = {
    outcome: 'ALLOW',
    enforcementAction: 'ALLOW',
    severity: null,
    enforcedSeverity: null,
    violations: [],
    labels: [],
    monitoredLabels: [],
    counted: [],
    grantable: [],
    terms: plainTerms,
    reviewExpirySeconds: 900,
  };
  t.strictSame(decideFor([]), nothing);
  t.strictSame(decideFor([policy(rules(rule('a', 'tool == "x"', 'effect: BLOCK')))]), nothing);
  t.strictSame(
    decideFor([policy(rules(rule('a', 'tool == ""', 'escalate: 3')))]),
    nothing,
    'nothing to raise',
  );
});

t.test('the strictest finding of all policies decides, in any order', async (t) => {
  const effects = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'];
  const outcomes = ['FLAG', 'FLAG', 'DENY', 'DENY'];
  const single = effects.map((effect) => policy(rules(rule('a', 'true', `effect: ${effect}`))));
  for (const [strict, effect] of effects.entries()) {
    for (const weak of effects.keys()) {
      if (weak > strict) continue;
      const pair = [single[strict], single[weak]].map((one) => one as (typeof single)[0]);
      for (const policies of [pair, pair.toReversed()]) {
        const { enforcementAction, outcome, violations } = decideFor(policies);
        t.equal(enforcementAction, effect);
        t.equal(outcome, outcomes[strict]);
        t.equal(violations.length, 2, 'all rules of all policies run');
      }
    }
  }
});

t.test('a violation says everything about its rule and policy', async (t) => {
  const body = `rules:
  - id: too-many
    name: Too many
    when: session.actionCount > 2
    effect: WARN
    severity: HIGH
    reason: enough
    message: "{{session.actionCount}} of {{integration.kind}}"
  - { id: by-default, when: tool == "", effect: BLOCK }
`;
  const { violations, severity, enforcedSeverity } = decideFor([policy(body, 'limits', 7)], {
    session: { actionCount: 3 },
  });
  const common = { policyId: 'id-limits', policyName: 'limits', policyVersion: 7, mode: 'ENFORCE' };
  t.strictSame(violations, [
    {
      ruleId: 'too-many',
      ruleName: 'Too many',
      ...common,
      severity: 'HIGH',
      enforcementAction: 'WARN',
      reason: 'enough',
      message: '3 of AGENT',
    },
    {
      ruleId: 'by-default',
      ruleName: 'by-default',
      ...common,
      severity: 'MEDIUM',
      enforcementAction: 'BLOCK',
      reason: 'by_default',
      message: 'matched the rule "by-default"',
    },
  ]);
  t.equal(severity, 'HIGH', 'the highest, not that of the strictest');
  t.equal(enforcedSeverity, 'HIGH');
});

t.test('escalations of enforced policies add up, raise every finding, and stop at CRITICAL', async (t) => {
  const finder = policy(
    rules(
      rule('low', 'true', 'effect: WARN, severity: LOW'),
      rule('high', 'true', 'effect: WARN, severity: HIGH'),
    ),
  );
  const raiser = (steps: number) => policy(rules(rule('up', 'true', `escalate: ${steps}`)), `raise-${steps}`);
  const severities = (...steps: number[]) =>
    decideFor([...steps.map(raiser), finder]).violations.map(({ severity }) => severity);
  t.strictSame(severities(), ['LOW', 'HIGH']);
  t.strictSame(severities(1), ['MEDIUM', 'CRITICAL']);
  t.strictSame(severities(1, 1), ['HIGH', 'CRITICAL']);
  t.strictSame(severities(2, 3), ['CRITICAL', 'CRITICAL']);
  t.equal(decideFor([raiser(3), finder]).enforcementAction, 'WARN', 'a severity alone changes no action');
});

t.test('floors apply after escalation, to their severity and above, and never loosen', async (t) => {
  const body = (floors: string, ...list: string[]) =>
    policy(`severityFloors: { ${floors} }\n${rules(...list)}`);
  const high = rule('a', 'true', 'effect: WARN, severity: HIGH');
  const cases: [name: string, floors: string, rules: string[], found: string][] = [
    ['at its severity', 'HIGH: BLOCK', [high], 'BLOCK'],
    ['above it', 'MEDIUM: APPROVAL_REQUIRED', [high], 'APPROVAL_REQUIRED'],
    ['below it', 'CRITICAL: BLOCK', [high], 'WARN'],
    ['reached by escalation', 'CRITICAL: BLOCK', [high, rule('up', 'true', 'escalate: 1')], 'BLOCK'],
    ['never loosens', 'HIGH: ALLOW', [high], 'WARN'],
    ['a higher floor is not loosened by a laxer one above', 'LOW: BLOCK, HIGH: WARN', [high], 'BLOCK'],
    ['makes a mere record act', 'LOW: WARN', [rule('a', 'true', 'effect: ALLOW, severity: LOW')], 'WARN'],
  ];
  for (const [name, floors, list, found] of cases) {
    t.equal(decideFor([body(floors, ...list)]).enforcementAction, found, name);
  }
  const elsewhere = body('HIGH: BLOCK', rule('b', 'false', 'effect: WARN'));
  t.equal(
    decideFor([policy(rules(high)), elsewhere]).enforcementAction,
    'BLOCK',
    'also to findings of other policies',
  );
});

t.test('a MONITOR policy records what it would have done and changes nothing', async (t) => {
  const monitored = policy(
    `mode: MONITOR\nseverityFloors: { LOW: APPROVAL_REQUIRED }\n${rules(
      rule('m', 'true', 'effect: WARN, severity: MEDIUM'),
      rule('up', 'true', 'escalate: 1'),
    )}`,
    'm',
  );
  const enforced = policy(rules(rule('e', 'true', 'effect: WARN, severity: LOW')), 'e');
  const alone = decideFor([monitored]);
  t.equal(alone.enforcementAction, 'ALLOW');
  t.equal(alone.outcome, 'FLAG');
  t.equal(alone.severity, 'HIGH');
  t.equal(alone.enforcedSeverity, null);
  t.equal(alone.violations[0]?.mode, 'MONITOR');
  t.strictSame(findings(alone), ['m APPROVAL_REQUIRED HIGH m']);

  const both = decideFor([monitored, enforced]);
  t.strictSame(findings(both), ['e WARN LOW e', 'm APPROVAL_REQUIRED HIGH m'], 'enforced ones come first');
  t.equal(both.enforcementAction, 'WARN');
  t.equal(both.severity, 'HIGH');
  t.equal(both.enforcedSeverity, 'LOW');
  t.equal(both.reviewExpirySeconds, 900);

  const raise = policy(
    `severityFloors: { CRITICAL: BLOCK }\n${rules(rule('up', 'true', 'escalate: 1'))}`,
    'r',
  );
  t.strictSame(
    findings(decideFor([monitored, raise])),
    ['m BLOCK CRITICAL m'],
    'enforced escalations and floors reach it',
  );
  t.equal(decideFor([monitored, raise]).enforcementAction, 'ALLOW');
});

t.test('a review lives as long as the shortest policy that asks for one says', async (t) => {
  const asks = (seconds: number, effect = 'APPROVAL_REQUIRED') =>
    policy(`reviewExpirySeconds: ${seconds}\n${rules(rule('a', 'true', `effect: ${effect}`))}`);
  t.equal(decideFor([asks(3_600)]).reviewExpirySeconds, 3_600);
  t.equal(decideFor([asks(3_600), asks(1_200)]).reviewExpirySeconds, 1_200);
  t.equal(decideFor([asks(3_600), asks(60, 'WARN')]).reviewExpirySeconds, 3_600);
  const monitored = policy(
    `mode: MONITOR\nreviewExpirySeconds: 60\n${rules(rule('a', 'true', 'effect: APPROVAL_REQUIRED'))}`,
  );
  t.equal(decideFor([asks(3_600), monitored]).reviewExpirySeconds, 3_600);
});

t.test('a rule bound to tools sees only those', async (t) => {
  const bound = policy(
    rules(rule('one', 'true', 'effect: WARN, tool: a'), rule('two', 'true', 'effect: WARN, tool: [a, b]')),
  );
  t.strictSame(findings(decideFor([bound], { tool: 'a' })), ['one WARN MEDIUM one', 'two WARN MEDIUM two']);
  t.strictSame(findings(decideFor([bound], { tool: 'b' })), ['two WARN MEDIUM two']);
  t.strictSame(findings(decideFor([bound], { tool: 'c' })), []);
  t.strictSame(findings(decideFor([bound])), []);
});

t.test('a rule that fails is a finding that does what onError says', async (t) => {
  const cases: [name: string, body: string, found: string[]][] = [
    [
      'BLOCK by default',
      rules(rule('a', 'input.x == 1', 'effect: WARN, severity: LOW')),
      ['a BLOCK LOW rule_error'],
    ],
    [
      'as onError says',
      `onError: WARN\n${rules(rule('a', 'input.x == 1', 'effect: BLOCK'))}`,
      ['a WARN MEDIUM rule_error'],
    ],
    [
      'an escalation, which counts',
      rules(rule('a', 'input.x == 1', 'escalate: 1')),
      ['a BLOCK HIGH rule_error'],
    ],
    [
      'a condition that is no bool',
      rules(rule('a', 'input.text', 'effect: WARN')),
      ['a BLOCK MEDIUM rule_error'],
    ],
    [
      'the others still run',
      rules(rule('a', 'input.x == 1', 'effect: WARN'), rule('b', 'true', 'effect: WARN')),
      ['a BLOCK MEDIUM rule_error', 'b WARN MEDIUM b'],
    ],
    [
      'a variable it uses',
      `variables: { v: input.x }\n${rules(rule('a', 'vars.v == 1', 'effect: WARN'), rule('b', 'vars.v == 2', 'effect: WARN'))}`,
      ['a BLOCK MEDIUM rule_error', 'b BLOCK MEDIUM rule_error'],
    ],
    [
      'a message: onError',
      `rules: [{ id: a, when: "true", effect: WARN, message: "{{input.x}}" }]\n`,
      ['a BLOCK MEDIUM rule_error'],
    ],
    [
      'a message: at least the effect',
      `onError: WARN\nrules: [{ id: a, when: "true", effect: BLOCK, message: "{{input.x}}" }]\n`,
      ['a BLOCK MEDIUM rule_error'],
    ],
  ];
  for (const [name, body, found] of cases) {
    t.strictSame(findings(decideFor([policy(body)], { input: { text: 'x' } })), found, name);
  }
  t.equal(
    decideFor([policy(`mode: MONITOR\n${rules(rule('a', 'input.x == 1', 'effect: WARN'))}`)])
      .enforcementAction,
    'ALLOW',
  );
});

t.test(
  'an input that is not what its schema says fails the rules that read it, and never slips through',
  async (t) => {
    const body = `onError: APPROVAL_REQUIRED
tools:
  pay:
    inputSchema:
      type: object
      properties: { amount: { type: number }, to: { type: string }, ids: { type: array, items: { type: integer } } }
rules:
  - { id: amount, tool: pay, when: input.amount > 100.0, effect: BLOCK }
  - { id: to, tool: pay, when: input.to.startsWith("x"), effect: BLOCK }
  - { id: ids, tool: pay, when: "input.ids.exists(id, id > 3)", effect: BLOCK }
`;
    const found = (input: Record<string, unknown>) =>
      findings(decideFor([policy(body)], { tool: 'pay', input }));
    t.strictSame(found({ amount: 1, to: 'a', ids: [1, 2] }), []);
    t.strictSame(found({ amount: 101, to: 'xa', ids: [4] }), [
      'amount BLOCK MEDIUM amount',
      'to BLOCK MEDIUM to',
      'ids BLOCK MEDIUM ids',
    ]);
    const failed = ['amount', 'to', 'ids'].map((id) => `${id} APPROVAL_REQUIRED MEDIUM rule_error`);
    t.strictSame(found({ amount: '500', to: 7, ids: 'four' }), failed);
    t.strictSame(found({ amount: [500], to: ['x'], ids: ['4'] }), failed);
    t.strictSame(found({ amount: null, to: null, ids: { a: '4' } }), failed);
    t.strictSame(found({}), failed);
  },
);

t.test('what a failed rule says names the rule and why, and never content', async (t) => {
  const failing = policy(
    rules(rule('a', 'input[input.secret] == 1', 'effect: WARN'), rule('b', 'input.secret', 'effect: WARN')),
    'p1',
  );
  const { violations } = decideFor([failing], { input: { secret: 'hunter2' } });
  t.strictSame(
    violations.map(({ message }) => message),
    [
      'the rule "a" of the policy "p1" failed: no such key',
      'the rule "b" of the policy "p1" failed: its condition is neither true nor false',
    ],
  );
});

const nested = 'input.a.all(x, input.a.all(y, x + y >= 0))';
const manyItems = { input: { a: Array.from({ length: 20_000 }, (_, index) => index) } };

t.test('an input that spends the budget of one policy changes nothing in another', async (t) => {
  const heavy = policy(`onError: WARN\n${rules(rule('heavy', nested, 'effect: WARN'))}`, 'h');
  const blocks = policy(`onError: WARN\n${rules(rule('size', 'size(input.a) > 3', 'effect: BLOCK'))}`, 'b');
  for (const policies of [
    [heavy, blocks],
    [blocks, heavy],
  ]) {
    const decision = decideFor(policies, manyItems);
    t.equal(decision.enforcementAction, 'BLOCK');
    t.strictSame(findings(decision).sort(), ['heavy WARN MEDIUM rule_error', 'size BLOCK MEDIUM size']);
  }
});

t.test('nor does a policy that is only monitored', async (t) => {
  const heavy = policy(`mode: MONITOR\n${rules(rule('heavy', nested, 'effect: WARN'))}`, 'm');
  const light = policy(rules(rule('light', 'size(input.a) > 3', 'effect: WARN')), 'l');
  const decision = decideFor([heavy, light], manyItems);
  t.strictSame(findings(decision), ['light WARN MEDIUM light', 'heavy BLOCK MEDIUM rule_error']);
  t.equal(decision.enforcementAction, 'WARN');

  const sum = policy(rules(rule('sum', 'input.a.map(x, x + 1).size() > 3', 'effect: WARN')), 's');
  const monitored = Array.from({ length: 200 }, () => heavy);
  const crowded = decideFor([...monitored, sum], manyItems);
  t.match(findings(crowded)[0], 'sum WARN MEDIUM sum', 'not even two hundred of them take from its share');
});

t.test('all policies together take a bounded number of steps, however many are bound', async (t) => {
  const heavy = policy(rules(rule('heavy', nested, 'effect: WARN')), 'h');
  for (const [count, most] of [
    [1, 1_500_000],
    [2, 1_500_000],
    [200, 1_500_000],
    [600, 1_500_000],
  ] as const) {
    const counter = { steps: 0 };
    const policies = Array.from({ length: count }, () => heavy);
    decide(policies, testSubject(manyItems, []), counter);
    t.ok(counter.steps > most * 0.9 && counter.steps < most * 1.1, `${count} policies: ${counter.steps}`);
  }
});

t.test('monitored policies have steps of their own, so that both kinds together are bounded', async (t) => {
  const heavy = (mode: string) =>
    policy(`mode: ${mode}\n${rules(rule('heavy', nested, 'effect: WARN'))}`, 'h');
  const counter = { steps: 0 };
  decide([heavy('MONITOR'), heavy('ENFORCE'), heavy('MONITOR')], testSubject(manyItems, []), counter);
  t.ok(counter.steps > 1_990_000 && counter.steps < 2_010_000, `${counter.steps} steps`);
});

t.test(
  'a policy that runs out of its budget says at which rule, and which rules it did not come to',
  async (t) => {
    const heavy = policy(
      rules(
        rule('light', 'size(input.a) > 3', 'effect: WARN'),
        rule('heavy', nested, 'effect: WARN'),
        rule('after', 'true', 'effect: WARN'),
      ),
      'p1',
    );
    const { violations, enforcementAction } = decideFor([heavy], manyItems);
    t.equal(enforcementAction, 'BLOCK');
    t.strictSame(
      violations.map(({ message }) => message),
      [
        'matched the rule "light"',
        'the rule "heavy" of the policy "p1" failed: it used up the budget of a decision',
        'the rule "after" of the policy "p1" failed: it was not evaluated: those before it used up the budget',
      ],
    );
  },
);

t.test('the texts that messages show are paid for', async (t) => {
  const shown = Array.from({ length: 30 }, (_, index) =>
    rule(`r${index}`, 'true', 'effect: WARN, message: "found {{input.text}}"'),
  );
  const decision = decideFor([policy(rules(...shown), 'p')], { input: { text: 'x'.repeat(65_000) } });
  const reasons = decision.violations.map(({ reason }) => reason);
  t.equal(
    reasons.filter((reason) => reason === 'rule_error').length,
    7,
    'what 23 of them take is all there is',
  );
  t.equal(decision.enforcementAction, 'BLOCK');
});

t.test('a counter that reads the decision has what the rules of its policy left', async (t) => {
  const counting = (when: string) =>
    policy(
      `counters:\n  denied: { over: session, where: decision.enforcementAction == "WARN" }\n${rules(rule('r', when, 'effect: WARN'))}`,
      'c',
    );
  const told = { enforcementAction: 'WARN', severity: null, rules: [] } as const;
  const counted = (when: string) => decideFor([counting(when)], manyItems).afterwards?.(told);
  t.equal(counted('true')?.counted.length, 1);
  const spent = counted(nested);
  t.equal(spent?.counted.length, 0);
  t.match(spent?.violations.at(-1), { ruleId: 'counters.denied', reason: 'counter_error' });
});

t.test('reading a counter in a loop is paid for', async (t) => {
  const reading = policy(
    `counters:\n  sent: { over: session, per: string(input.n) }\n${rules(rule('r', 'input.a.exists(x, counters.sent[string(x)] > 1)', 'effect: WARN'))}`,
    'c',
  );
  const decision = decideFor([reading], { input: { a: manyItems.input.a, n: 1 } });
  t.match(decision.violations[0], { ruleId: 'r', reason: 'rule_error' });
});

t.test('an escalation that fails counts as escalated, and floors apply to what it raised', async (t) => {
  const finder = policy(rules(rule('find', 'true', 'effect: WARN, severity: HIGH')), 'f');
  const raiser = (head: string, when = nested) =>
    policy(
      `${head}onError: WARN\nseverityFloors: { CRITICAL: BLOCK }\n${rules(rule('up', when, 'escalate: 1'))}`,
      'r',
    );
  for (const policies of [
    [raiser(''), finder],
    [finder, raiser('')],
  ]) {
    const decision = decideFor(policies, manyItems);
    t.equal(decision.enforcementAction, 'BLOCK');
    t.ok(findings(decision).includes('find BLOCK CRITICAL find'));
  }
  t.ok(findings(decideFor([raiser('', 'input.missing'), finder])).includes('find BLOCK CRITICAL find'));
  const monitored = decideFor([raiser('mode: MONITOR\n'), finder], manyItems);
  t.equal(monitored.enforcementAction, 'WARN', 'a monitored one raises monitored findings only');
  t.ok(findings(monitored).includes('find WARN HIGH find'));
});

t.test('variables are computed once an evaluation, and only when a rule needs them', async (t) => {
  const source = `variables:
  used: session.toolCounts[?"a"].orValue(0)
  later: vars.used + 1
  unused: session.metadata.missing
rules:
  - { id: a, when: vars.later == 3, effect: WARN, message: "{{vars.used}} {{vars.later}}" }
  - { id: b, when: vars.used == 2, effect: WARN }
  - { id: c, when: false && vars.unused == 1, effect: WARN }
`;
  let reads = 0;
  const subject = testSubject({}, []);
  const session: Subject['session'] = {
    ...subject.session,
    get toolCounts() {
      reads++;
      return new Map([['a', 2]]);
    },
    get metadata(): string {
      throw new Error('nobody asked');
    },
  };
  const body = source.replace('false && vars', 'tool == "z" && vars');
  const { violations } = decide([policy(body)], { ...subject, session });
  t.strictSame(
    violations.map(({ ruleId, message }) => `${ruleId} ${message}`),
    ['a 2 3', 'b matched the rule "b"'],
  );
  t.equal(reads, 1);
});

t.test('the same subject and policies give the same decision, and neither is changed', async (t) => {
  const body = `params: { max: [1] }
variables:
  n: session.actionCount + params.max[0]
rules: [{ id: a, when: "vars.n > 2 || input.missing", effect: WARN, message: "{{vars.n}} {{dataTags}}" }]
`;
  const policies = [policy(body, 'one'), policy(body, 'two')];
  const subject = testSubject({ input: { a: [1] }, dataTags: ['PII'], session: { actionCount: 2 } }, []);
  const frozen = freeze(subject);
  const before = JSON.stringify([frozen, policies]);
  const decisions = [1, 2, 3].map(() => decide(freeze(policies), frozen));
  t.equal(decisions[0]?.violations.length, 2);
  t.strictSame(decisions[1], decisions[0]);
  t.strictSame(decisions[2], decisions[0]);
  t.equal(JSON.stringify([frozen, policies]), before);
});

/** So that whatever writes to it throws. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

t.test('each policy has its own params and variables', async (t) => {
  const one = policy(
    `params: { n: 1 }\nvariables: { v: params.n * 10 }\n${rules(rule('a', 'vars.v == 10', 'effect: WARN'))}`,
    'one',
  );
  const two = policy(
    `params: { n: 2 }\nvariables: { v: params.n * 10 }\n${rules(rule('b', 'vars.v == 20', 'effect: WARN'))}`,
    'two',
  );
  t.strictSame(findings(decideFor([one, two])), ['a WARN MEDIUM a', 'b WARN MEDIUM b']);
});

t.test('never throws: a context that cannot be read fails the rules that read it', async (t) => {
  const subject = testSubject({}, []);
  const session = {
    ...subject.session,
    get recentActions(): never {
      throw new Error('store is gone: secret');
    },
  };
  const reader = policy(
    rules(
      rule('a', 'session.recentActions.size() > 3', 'effect: WARN'),
      rule('b', 'tool == ""', 'effect: WARN'),
    ),
  );
  const decision = decide([reader], { ...subject, session });
  t.strictSame(findings(decision), ['a BLOCK MEDIUM rule_error', 'b WARN MEDIUM b']);
  t.notMatch(JSON.stringify(decision), /secret/);
});

t.test('names from the document never reach a prototype', async (t) => {
  const body = `params: { constructor: 1, toString: 2 }
variables: { constructor: params.constructor + 1, activation: tool }
rules:
  - { id: constructor, when: vars.constructor == 2 && params.toString == 2 && vars.activation == "x", effect: WARN }
  - { id: input, when: has(input.constructor) || has(input.hasOwnProperty), effect: BLOCK }
  - id: count
    when: session.toolCounts[?"constructor"].orValue(0) > 0
    effect: BLOCK
`;
  t.strictSame(findings(decideFor([policy(body)], { tool: 'x', input: {} })), [
    'constructor WARN MEDIUM constructor',
  ]);
  t.strictSame(findings(decideFor([policy(body)], { tool: 'x', input: { constructor: 1 } })), [
    'constructor WARN MEDIUM constructor',
    'input BLOCK MEDIUM input',
  ]);
});

t.test('labels of the tree that monitoring policies gave are seen by their like only', async (t) => {
  const body = rules(rule('a', 'tree.labels.size() == 2 && "B" in tree.labels', 'effect: WARN'));
  const subject = testSubject({}, []);
  const session = { ...subject.session, labels: ['A'], monitoredLabels: ['B'] };
  for (const [mode, found] of [
    ['MONITOR', ['a WARN MEDIUM a']],
    ['ENFORCE', []],
  ] as const)
    t.strictSame(findings(decide([policy(`mode: ${mode}\n${body}`)], { ...subject, session })), found);
});

t.test('the whole subject can be read, with moments as moments', async (t) => {
  const body = `rules:
  - id: all
    effect: WARN
    when: |
      input.a == 1 && targetKey == "k" && tool == "t" && dataTags == ["PII"]
        && detections.exists(d, d.type == "EMAIL_ADDRESS" && d.count == 2)
        && integration.id == "i" && integration.name == "n" && integration.kind == "REST_API"
        && now == timestamp("2026-05-01T00:00:00Z")
        && session.id == "s" && session.actionCount == 9 && session.dataTags == ["PHI"]
        && session.toolsUsed == ["u"] && session.toolCounts["c"] == 3
        && session.warningCount == 1 && session.blockCount == 2 && session.reviewCount == 3
        && now - session.startedAt == duration("1h") && session.metadata.m == "x" && session.entityId == "e"
        && session.recentActions.all(a, a.seq == 8 && a.tool == "r" && a.targetKey == "rk"
             && a.dataTags == ["PII"] && a.enforcementAction == "WARN" && a.severity == "LOW"
             && a.at < now)
        && session.recentActions.size() == 1
`;
  const given = {
    input: { a: 1 },
    targetKey: 'k',
    tool: 't',
    dataTags: ['PII'],
    detections: [{ type: 'EMAIL_ADDRESS', count: 2 }],
    integration: { id: 'i', name: 'n', kind: 'REST_API' as const },
    now: '2026-05-01T00:00:00Z',
    session: {
      id: 's',
      actionCount: 9,
      dataTags: ['PHI'],
      toolsUsed: ['u'],
      toolCounts: { c: 3 },
      warningCount: 1,
      blockCount: 2,
      reviewCount: 3,
      startedAt: '2026-04-30T23:00:00Z',
      metadata: { m: 'x' },
      entityId: 'e',
      recentActions: [
        {
          seq: 8,
          tool: 'r',
          targetKey: 'rk',
          dataTags: ['PII'],
          enforcementAction: 'WARN' as const,
          severity: 'LOW' as const,
          at: '2026-04-30T23:59:59.5Z',
        },
      ],
    },
  };
  t.strictSame(findings(decideFor([policy(body)], given)), ['all WARN MEDIUM all']);
  const outOfRange = decide([policy(rules(rule('a', 'now > session.startedAt', 'effect: WARN')))], {
    ...testSubject({}, []),
    now: Number.MAX_VALUE,
  });
  t.strictSame(findings(outOfRange), ['a BLOCK MEDIUM rule_error'], 'a moment no calendar has');
});
