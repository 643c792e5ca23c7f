import t from 'tap';
import { compilingPolicy } from '../../src/policy/compile-policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';

const patterns = Array.from({ length: 30 }, (_, place) => `(?i)\\\\b(delete|remove${place})\\\\s+-[a-z]*f`);
const source = (prefix: string) => `schemaVersion: 1
name: patterns
rules:
${patterns.map((one, place) => `  - { id: r${place}, when: 'input.text.matches("${prefix}${one}")', effect: WARN }\n`).join('')}`;
const identity = { policyId: 'p', policyVersion: 1 };

t.test('#36: compiling a policy pauses after each pattern, and reading one makes no states', async (t) => {
  const { document } = checkPolicyDocument(source('a'), { runTests: false });
  if (!document) throw new Error('it does not check');
  const work = compilingPolicy(document, identity);
  let pauses = 0;
  while (!work.next().done) pauses += 1;
  t.equal(pauses, document.rules.length + patterns.length);
});

t.test('#36: a decision costs the same however its policy was compiled', async (t) => {
  const text = 'rm -rf x '.repeat(1_000);
  const spent = (policy: Parameters<typeof decide>[0][number]): number => {
    const counter = { steps: 0 };
    decide([policy], testSubject({ input: { text } }, []), counter);
    return counter.steps;
  };
  const check = checkPolicyDocument(source('b'), { runTests: false });
  const compiled = check.compile?.(identity);
  if (!check.document || !compiled) throw new Error('it does not check');
  const work = compilingPolicy(check.document, identity);
  let next = work.next();
  while (!next.done) next = work.next();
  const steps = spent(compiled);
  t.equal(spent(next.value), steps);
  t.ok(
    steps > patterns.length * text.length && steps < patterns.length * (text.length + 100),
    `${steps} steps`,
  );
});
