import t from 'tap';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { decideFor, findings, policy, rule, rules } from './policy-fixtures.ts';

const strict = policy(
  rules(
    rule(
      'after-high',
      'session.recentActions.exists(a, severityRank(a.severity) >= severityRank("HIGH"))',
      'effect: BLOCK',
    ),
  ),
);
const after = (severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null) =>
  findings(decideFor([strict], { session: { recentActions: [{ severity }] } }));

t.test('severities are compared by their rank', async (t) => {
  t.same(after('CRITICAL'), ['after-high BLOCK MEDIUM after_high']);
  t.same(after('HIGH'), ['after-high BLOCK MEDIUM after_high']);
  t.same(after('MEDIUM'), []);
  t.same(after('LOW'), []);
  t.same(after(null), []);
});

t.test('a text that is no severity is an error of the rule', async (t) => {
  for (const value of ['"SEVERE"', '1', 'tool']) {
    const wrong = policy(rules(rule('wrong', `severityRank(${value}) > 1`, 'effect: WARN')));
    t.same(findings(decideFor([wrong])), ['wrong BLOCK MEDIUM rule_error'], value);
  }
});

t.test('a pattern of the params is checked with the document', async (t) => {
  const check = (pattern: string) =>
    checkPolicyDocument(
      `schemaVersion: 1\nname: p\nparams: { pattern: '${pattern}' }\nrules:\n  - { id: a, when: targetKey.matches(params.pattern), effect: BLOCK }`,
    ).issues.map(({ code, line }) => `${line} ${code}`);
  t.same(check('^c-[0-9]+$'), []);
  t.same(check('('), ['5 regex_invalid']);
});
