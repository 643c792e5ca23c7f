import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';

const app = await startApp(t);
const list = { name: 'partners', kind: 'DOMAINS', description: 'd', entries: ['partner.example'] };
await app.call(adminKey, 'POST', '/v1/lists', list);

const document = `schemaVersion: 1
name: mail
mode: MONITOR
params: { most: 2 }
counters:
  sent: { over: session }
rules:
  - id: strangers
    tool: mail.send
    when: '!(emailDomain(input.to) in lists.partners) && "PII" in session.dataTags'
    effect: APPROVAL_REQUIRED
    message: "{{input.to}} is a stranger"
  - id: many
    when: counters.sent >= params.most
    effect: BLOCK
    label: [BUSY]
  - { id: raise, when: session.warningCount > 0, escalate: 1 }
`;

async function tryOut(given: object, text = document) {
  const { status, body } = await app.call(adminKey, 'POST', '/v1/policies/try', { document: text, given });
  return { status, body, ...(body.data ?? {}) };
}
const mail = { tool: 'mail.send', input: { to: 'eve@evil.example' }, session: { dataTags: ['PII'] } };

t.test('one action is decided by a draft as if it were enforced, with what each rule saw', async (t) => {
  const { decision, issues } = await tryOut(mail);
  t.strictSame(issues, []);
  t.match(decision, {
    outcome: 'DENY',
    enforcementAction: 'APPROVAL_REQUIRED',
    severity: 'MEDIUM',
    violations: [{ ruleId: 'strangers', message: 'eve@evil.example is a stranger', mode: 'ENFORCE' }],
    dataTags: ['PII', 'EMAIL_ADDRESS'],
    labels: [],
  });
  const [strangers, many, raise] = decision.rules;
  t.strictSame(
    strangers.reads.map(({ path, value }: { path: string; value: unknown }) => [path, value]),
    [
      ['input.to', 'eve@evil.example'],
      ['lists.partners', ['partner.example']],
      ['session.dataTags', ['PII']],
    ],
  );
  t.match(many, { result: 'NOT_MATCHED', reads: [{ value: 0 }, { value: 2 }] });
  t.match(raise, { result: 'NOT_MATCHED', reads: [{ path: 'session.warningCount', value: 0 }] });
});

t.test('what is given decides: params, lists, counters, the session', async (t) => {
  const friend = await tryOut({ ...mail, lists: { partners: ['evil.example'] } });
  t.match(friend.decision, { enforcementAction: 'ALLOW', violations: [] });
  const many = await tryOut({ ...mail, counters: { sent: 1 }, params: { most: 1 } });
  t.match(many.decision, { enforcementAction: 'BLOCK', labels: ['BUSY'] });
  const raised = await tryOut({ ...mail, session: { dataTags: ['PII'], warningCount: 1 } });
  t.match(raised.decision.rules[0], { raisedFrom: 'MEDIUM', escalatedBy: ['mail/raise'], result: 'MATCHED' });
  t.equal(raised.decision.severity, 'HIGH');
  t.match((await tryOut({ tool: 'other' })).decision.rules[0], { result: 'NOT_APPLICABLE', reads: [] });
});

t.test('times that a rule read are told as texts', async (t) => {
  const dated =
    'schemaVersion: 1\nname: dated\nrules:\n  - { id: late, when: now > session.startedAt, effect: WARN }\n';
  const { decision } = await tryOut({ tool: 'x' }, dated);
  t.equal(decision.rules[0].reads.length, 2);
  for (const { value } of decision.rules[0].reads) t.match(value, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

t.test('objects that a rule read are told as objects', async (t) => {
  const rules = '  - { id: home, when: size(input.address) == 2, effect: WARN }\n';
  const input = { address: { city: 'Bern', lines: ['a', 7] } };
  const { decision } = await tryOut({ tool: 'x', input }, `schemaVersion: 1\nname: home\nrules:\n${rules}`);
  t.equal(decision.rules[0].reads.length, 1);
  t.strictSame(decision.rules[0].reads[0].value, input.address);
});

t.test('a rule that fails is told, and its effect is that of an error', async (t) => {
  const { decision } = await tryOut({ tool: 'mail.send', session: { dataTags: ['PII'] } });
  t.match(decision, { enforcementAction: 'BLOCK', violations: [{ reason: 'rule_error' }] });
  t.match(decision.rules[0], { result: 'FAILED', strengthenedBy: 'ON_ERROR' });
  t.match(decision.rules[0].reads[0], { path: 'input.to', value: null, why: 'there is no such value' });
});

t.test('mistakes are told of the document, and refused of the action', async (t) => {
  const broken = await tryOut({}, document.replace('counters.sent >=', 'counters.sennt >='));
  t.match(broken, { status: 200, decision: null, issues: [{ line: 14, hint: /sent/ }] });
  const cases: [given: object, path: string, message: RegExp][] = [
    [{ tol: 'x' }, '/given/tol', /unknown key "tol"/],
    [{ session: { actionCount: -1 } }, '/given/session/actionCount', /0/],
    [{ params: { most: 'two' } }, '/given/params/most', /most/],
    [{ counters: { nothing: 1 } }, '/given/counters/nothing', /nothing/],
  ];
  for (const [given, path, message] of cases) {
    const { status, body } = await tryOut(given);
    t.equal(status, 400, path);
    t.match(body.errors[0], { path, message }, JSON.stringify(body.errors));
  }
});
