import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { checkPolicyDocument, compilePolicy, decide } from '../../src/engine/index.ts';
import { testSubject } from '../../src/engine/test-subject.ts';
import type { PolicyTestGiven } from '../../src/schemas/policy-documents.ts';

const folder = new URL('../../policies/', import.meta.url);
const names = readdirSync(folder).sort();
const checks = names.map((name) => checkPolicyDocument(readFileSync(new URL(name, folder), 'utf8')));
const documents = checks.flatMap(({ document }) => document ?? []);
const policies = documents.map((document) =>
  compilePolicy(document, { policyId: document.name, policyVersion: 1 }),
);
const decideFor = (given: PolicyTestGiven) => decide(policies, testSubject(given, []));

t.test('every starter policy is valid, without a warning, tested, and named as its file', async (t) => {
  t.strictSame(names, [
    'long-session.yaml',
    'pii-data-flow.yaml',
    'secrets-then-network.yaml',
    'tool-call-budget.yaml',
    'warning-limit.yaml',
  ]);
  for (const [index, { issues, warnings, tests, document }] of checks.entries()) {
    t.strictSame(issues, [], `${names[index]}: issues`);
    t.strictSame(warnings, [], `${names[index]}: warnings`);
    t.ok(tests.length > 0 && tests.every(({ passed }) => passed), `${names[index]}: tests`);
    t.equal(`${document?.name}.yaml`, names[index]);
  }
  t.equal(documents.flatMap(({ rules }) => rules).length, 7);
});

t.test('every starter policy fails closed', async (t) => {
  for (const { name, onError = 'BLOCK' } of documents) t.equal(onError, 'BLOCK', name);
  const huge = {
    tool: 'web.search',
    session: { dataTags: Array.from({ length: 400_000 }, (_, n) => `T${n}`) },
  };
  const failing = decideFor({ ...huge, dataTags: huge.session.dataTags });
  t.equal(failing.enforcementAction, 'BLOCK', 'also when its budget is spent');
});

t.test('one conversation goes through all four answers', async (t) => {
  const pii = ['PII', 'EMAIL_ADDRESS'];
  const first = { actionCount: 0 };
  const search = { tool: 'web.search', input: { tool: 'web.search', query: 'opening hours' } };
  t.equal(decideFor({ ...search, session: first }).enforcementAction, 'ALLOW');

  const second = { actionCount: 1, toolCounts: { 'web.search': 1 } };
  const lookup = decideFor({ tool: 'crm.lookup', dataTags: pii, session: second });
  t.equal(lookup.enforcementAction, 'WARN');
  t.equal(lookup.violations[0]?.message, 'this action contains PII, EMAIL_ADDRESS');

  const third = {
    actionCount: 2,
    toolCounts: { 'web.search': 1, 'crm.lookup': 1 },
    dataTags: pii,
    warningCount: 1,
  };
  const mail = decideFor({ tool: 'email.send', dataTags: pii, session: third });
  t.equal(mail.enforcementAction, 'APPROVAL_REQUIRED');
  t.equal(mail.reviewExpirySeconds, 900);

  const fourth = {
    ...third,
    actionCount: 3,
    reviewCount: 1,
    toolCounts: { ...third.toolCounts, 'email.send': 1 },
  };
  for (const key of ['GITHUB_TOKEN', 'AWS_ACCESS_KEY']) {
    const post = decideFor({ tool: 'net.http_post', dataTags: ['CREDENTIALS', key], session: fourth });
    t.equal(post.enforcementAction, 'BLOCK');
    t.equal(post.severity, 'CRITICAL');
    t.strictSame(
      post.violations.map(({ ruleId }) => ruleId),
      ['sensitive-data-then-outbound', 'secrets-in-outbound-call'],
    );
  }
});

t.test('a long session makes grave what was grave enough', async (t) => {
  const session = { actionCount: 51, dataTags: ['PII'] };
  const note = decideFor({ tool: 'crm.lookup', dataTags: ['PII'], session });
  t.equal(note.severity, 'MEDIUM', 'LOW, one step up');
  t.equal(note.enforcementAction, 'WARN');
  const mail = decideFor({ tool: 'email.send', session });
  t.equal(mail.severity, 'CRITICAL', 'HIGH, one step up');
  t.equal(mail.enforcementAction, 'BLOCK', 'by the floor');
  const before = decideFor({ tool: 'email.send', session: { ...session, actionCount: 50 } });
  t.equal(before.enforcementAction, 'APPROVAL_REQUIRED');
});
