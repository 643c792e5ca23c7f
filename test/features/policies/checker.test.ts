import t from 'tap';
import { wholeCheck } from '../../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { stepsPerScannedCharacter, testBudget } from '../../../src/policy/document/document-tests.ts';
import { adminKey, startApp } from '../../helpers/app.ts';
import { longestStep } from '../../helpers/longest-step.ts';

// takes long: begins first

const yaml = { 'content-type': 'application/yaml' };
const head = 'schemaVersion: 1\nname: checked\nrules:\n  - { id: one, when: tool == "a", effect: WARN }\n';
const phones = Array.from({ length: 17_000 }, (_, place) => `+49 30 ${100_000 + place}`).join(' ');
const many = (times: number, text = phones) =>
  `${head}tests:\n  - name: many\n    steps:\n      - { tool: t, times: ${times}, input: { text: "${text}" } }\n`;

t.test('#36: a check whose tests scan much neither takes long nor keeps the event loop', async (t) => {
  const app = await startApp(t);
  const check = (document: string) => app.call(adminKey, 'POST', '/v1/policies/check', document, yaml);
  await check(many(1));
  const beganAt = performance.now();
  let answer: Awaited<ReturnType<typeof check>> | undefined;
  const step = await longestStep(async () => {
    answer = await check(many(1_000));
  });
  t.match(answer?.body.data, { valid: true, tests: [{ passed: true }] });
  t.ok(step < 100, `${step} ms of processor time in one step`);
  t.ok(performance.now() - beganAt < 15_000, 'the same content is scanned once');
});

t.test('patterns are not refused because other programs ran while they were timed', (t) => {
  const custom = [{ tag: 'TICKET', category: 'COMPANY', pattern: 'ticket-[0-9]{6}' }];
  let [calls, pausedAt, ahead] = [0, 0, 0];
  const now = performance.now.bind(performance);
  t.intercept(performance, 'now', {
    value() {
      calls += 1;
      if (calls === pausedAt) ahead += 1_000;
      return now() + ahead;
    },
  });
  for (pausedAt = 2; pausedAt <= 60; pausedAt += 2) {
    calls = 0;
    t.strictSame(
      wholeCheck.checkCustomDetectors(custom),
      [],
      `a second at the call ${pausedAt} of the clock`,
    );
  }
  t.end();
});

t.test('#36: scanning counts against the budget of the tests, the same content once', (t) => {
  const text = phones.slice(0, 10_000);
  const spent = (tests: string): number => {
    const budget = testBudget();
    const { valid } = checkPolicyDocument(`${head}tests:\n${tests}`, { ...wholeCheck, budget });
    t.ok(valid);
    return budget.steps;
  };
  const steps = (times: number) =>
    `  - name: s\n    steps:\n      - { tool: t, times: ${times}, input: { text: "${text}" } }\n`;
  const given = `  - { name: g, given: { input: { text: "${text}" } }, expect: { enforcementAction: ALLOW } }\n`;
  const once = spent(steps(1));
  t.ok(once > 10_000 * stepsPerScannedCharacter, 'a step');
  t.ok(spent(steps(3)) < 2 * once, 'the same step again');
  t.ok(spent(given) > 10_000 * stepsPerScannedCharacter, 'a test without steps');
  const over = checkPolicyDocument(`${head}tests:\n${given}${steps(2)}`, {
    ...wholeCheck,
    budget: testBudget(1_000),
  });
  t.match(
    over.issues.map(({ code, message }) => [code, message]),
    [
      ['test_failed', /took too long/],
      ['test_failed', /took too long/],
    ],
  );
  t.end();
});

t.test('a small document with costly tests is checked elsewhere, with the same result', async (t) => {
  const app = await startApp(t);
  const loop = `schemaVersion: 1
name: loop
rules:
  - { id: loop, when: "input.list.exists(a, input.list.exists(b, a + b == -1))", effect: BLOCK }
tests:
  - name: steps
    steps:
      - { tool: t, times: 10, input: { list: [${Array.from({ length: 300 }, (_, place) => place).join()}] } }
`;
  const check = () => app.call(adminKey, 'POST', '/v1/policies/check', loop, yaml);
  await check();
  let answer: Awaited<ReturnType<typeof check>> | undefined;
  const step = await longestStep(async () => {
    answer = await check();
  });
  t.match(answer?.body.data, { valid: true, tests: [{ name: 'steps', passed: true }] });
  t.ok(step < 100, `${step} ms`);
});

t.test('an operator has a bounded number of checks waiting, and others take turns with it', async (t) => {
  const app = await startApp(t);
  const { body } = await app.call(adminKey, 'POST', '/v1/operators', {
    name: 'reader',
    roles: ['READ_ONLY'],
  });
  const made = await app.call(adminKey, 'POST', '/v1/operator-keys', { name: 'k', operatorId: body.data.id });
  const check = (key: string) => app.call(key, 'POST', '/v1/policies/check', many(200), yaml);
  const reader: string = made.body.data.key ?? made.body.data.apiKey;
  const all = Array.from({ length: 20 }, () => check(reader));
  const own = await check(adminKey);
  t.equal(own.status, 200);
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 200).length, 8);
  const refused = statuses.indexOf(503);
  const answer = await all[refused];
  t.match(answer?.body.errors, [{ code: 'unavailable', message: /8 policies of yours are being checked/ }]);
  t.equal(answer?.headers['retry-after'], '1');
});
