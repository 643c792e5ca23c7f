import t from 'tap';
import { policy } from '../policy-fixtures.ts';

const counters =
  '{ paid: { over: session, add: input.amount }, calls: { over: session }, ofTools: { over: session, per: tool } }';

const limitsOf = (when: string, effect = 'effect: BLOCK') =>
  policy(`params: { most: 7 }
variables: { much: counters.calls > 20 }
counters: ${counters}
rules: [{ id: a, when: ${JSON.stringify(when)}, ${effect} }]`).counterLimits;

t.test('the limits of counters are the constants that a rule can pass', async (t) => {
  const cases: [when: string, limits: [counter: string, comparison: string, value: number][]][] = [
    ['counters.calls >= 3', [['calls', '>=', 3]]],
    ['3 < counters.calls', [['calls', '>', 3]]],
    ['tool == "pay" && counters.paid + input.amount > 500', [['paid', '>', 500]]],
    ['counters.paid > params.most', [['paid', '>', 7]]],
    ['counters.paid > 0.5', [['paid', '>', 0.5]]],
    [
      'vars.much || counters.ofTools[tool] >= 2',
      [
        ['calls', '>', 20],
        ['ofTools', '>=', 2],
      ],
    ],
    [
      'tool == "x" && (counters.calls > 1 || counters.paid > 2)',
      [
        ['calls', '>', 1],
        ['paid', '>', 2],
      ],
    ],
    // Not limits: what they allow grows with the counter, or depends on something else.
    ['counters.calls < 3', []],
    ['counters.calls == 3', []],
    ['!(counters.calls > 3)', []],
    ['counters.calls > input.most', []],
    ['counters.calls + counters.paid > 3', []],
    ['input.amount > 3', []],
    ['tool > "a"', []],
  ];
  for (const [when, limits] of cases)
    t.strictSame(
      limitsOf(when).map(({ counter, comparison, value }) => [counter, comparison, value]),
      limits,
      when,
    );
  const [limit] = limitsOf('counters.calls > 1');
  t.match(limit, { ruleId: 'a', effect: 'BLOCK' });
  t.match(limitsOf('counters.calls > 1', 'label: [BUSY]'), [{ effect: null }]);
});

t.test('a policy without counters has no limits', async (t) => {
  t.strictSame(policy('rules: [{ id: a, when: session.actionCount > 5, effect: WARN }]').counterLimits, []);
});
