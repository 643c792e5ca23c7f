import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { compilePolicy } from '../../src/policy/compile-policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';

const folder = new URL('../../policies/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

t.test('every starter policy fails closed', async (t) => {
  const policies = names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const { document } = checkPolicyDocument(text, { runTests: false });
    if (!document) throw new Error(name);
    t.match(document.onError ?? 'BLOCK', /^(?:BLOCK|APPROVAL_REQUIRED)$/, name);
    return compilePolicy(document, { policyId: document.name, policyVersion: 1 });
  });
  const many = Array.from({ length: 400_000 }, (_, n) => `T${n}`);
  const huge = { tool: 'web.search', dataTags: many, session: { dataTags: many } };
  t.equal(
    decide(policies, testSubject(huge, [])).enforcementAction,
    'BLOCK',
    'also when its budget is spent',
  );
});
