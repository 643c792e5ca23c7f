import t from 'tap';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { ruleReads } from '../../src/policy/reads.ts';

t.test('what a condition reads, also through variables, each path once', async (t) => {
  const { document, issues } = checkPolicyDocument(`
schemaVersion: 1
name: reads
params: { most: 3 }
variables:
  calls: session.actionCount
  twice: vars.calls + vars.calls
rules:
  - { id: one, when: 'vars.twice > params.most && vars.calls > 0', effect: WARN }
  - { id: two, when: 'input.a.b == tool', effect: WARN }
  - { id: three, when: 'true', effect: WARN }
`);
  t.strictSame(issues, []);
  if (!document) return;
  const paths = ruleReads(document).map((rule) => rule.map((path) => path.join('.')).sort());
  t.strictSame(paths, [['params.most', 'session.actionCount'], ['input.a.b', 'tool'], []]);
});
