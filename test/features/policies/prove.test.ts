import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { wholeCheck } from '../../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { adminKey, startApp } from '../../helpers/app.ts';
import { longestStep } from '../../helpers/longest-step.ts';

const named = (name: string, body: string): string => `schemaVersion: 1\nname: ${name}\n${body}`;
const warns = (most: number, more = '') =>
  named(
    'warns',
    `params: { most: ${most} }
${more}rules:
  - { id: many, effect: WARN, when: session.actionCount >= params.most }
  - { id: never, effect: WARN, when: session.actionCount > 5 && session.actionCount < 3 }
properties:
  - { name: it ends at ten, when: session.actionCount >= 10, holds: decision.enforcementAction == "BLOCK" }
  - { name: few warnings, holds: session.warningCount <= 2 }
`,
  );
const ends = named('ends', 'rules:\n  - { id: end, effect: BLOCK, when: session.actionCount >= 10 }\n');

async function start(t: Test) {
  const app = await startApp(t);
  const prove = async (document: string, query = '') => {
    const type = { 'content-type': 'application/yaml' };
    const { status, body } = await app.call(adminKey, 'POST', `/v1/policies/prove${query}`, document, type);
    return { status, data: body.data, errors: body.errors };
  };
  return { app, prove };
}

t.test('a document is proved alone, with the line of everything that is said', async (t) => {
  const { prove } = await start(t);
  const { data } = await prove(warns(12));
  t.match(data, {
    monitored: false,
    comparison: null,
    rules: [{ code: 'never_matches', line: 6, path: '/rules/1/when' }],
    properties: [
      {
        name: 'it ends at ten',
        line: 8,
        verdict: 'VIOLATED',
        given: { session: { actionCount: 10 } },
        enforcementAction: 'ALLOW',
        steps: null,
      },
      // Done over and over in a new session, which the engine recorded.
      {
        name: 'few warnings',
        verdict: 'VIOLATED',
        given: null,
        steps: [{ times: 15 }],
        enforcementAction: null,
      },
    ],
  });
  const unknown = named(
    'p',
    `rules:\n  - { id: a, effect: BLOCK, when: 'commands(tool).exists(c, c.program == "rm")' }\nproperties:\n  - { name: q, when: 'tool == "rm"', holds: decision.enforcementAction == "BLOCK" }\n  - { name: r, holds: session.actionCount >= 0 }\n`,
  );
  t.match((await prove(unknown)).data.properties, [
    { verdict: 'UNKNOWN', given: null, notModelled: [/commands/] },
    { verdict: 'PROVED', given: null, notModelled: [] },
  ]);
  const refused = await prove('name: x');
  t.match(refused, { status: 400, errors: [{ message: /^line 1:1 / }] });
});

t.test(
  'a shipped policy is proved by an induction, and is violated by a session without one of its rules',
  async (t) => {
    const { prove } = await start(t);
    const document = readFileSync('policies/packs/deployments.yaml', 'utf8');
    const verdicts = async (text: string) => (await prove(text)).data.properties;
    t.match(await verdicts(document), [{ verdict: 'PROVED' }, { verdict: 'PROVED' }, { verdict: 'PROVED' }]);
    const broken = document.replace(/ {2}- id: test-without-build\n(?: {4}.*\n)*/, '');
    const [order, ...others] = await verdicts(broken);
    t.match(order, {
      verdict: 'VIOLATED',
      given: null,
      steps: [{ tool: 'ci.test' }, { tool: 'deploy.production' }],
    });
    t.match(others, [{ verdict: 'PROVED' }, { verdict: 'PROVED' }]);
    // The steps are a test of the policy, in which both calls pass.
    const expect = { enforcementAction: 'ALLOW' };
    const steps = order.steps.map((step: object) => ({ ...step, expect }));
    const tested = checkPolicyDocument(
      `${broken}  - ${JSON.stringify({ name: 'counterexample', steps })}\n`,
      wholeCheck,
    );
    t.match(tested.tests.at(-1), { name: 'counterexample', passed: true });
  },
);

t.test('a sentence that relies on warnings is proved where it is known what holds actions', async (t) => {
  const { app, prove } = await start(t);
  const { id } = await app.integration();
  const document = named(
    'p',
    `rules:
  - { id: w, tool: pay, effect: WARN, when: 'session.toolCounts[?"pay"].orValue(0) >= 3' }
  - { id: s, effect: BLOCK, when: session.warningCount >= 1 }
properties:
  - { name: four payments, holds: 'session.toolCounts[?"pay"].orValue(0) <= 4' }
`,
  );
  t.match(
    (await prove(document)).data.properties,
    [{ verdict: 'UNKNOWN' }],
    'another policy may hold a payment',
  );
  t.match((await prove(document, `?integrationId=${id}`)).data.properties, [{ verdict: 'PROVED' }]);
});

t.test('a draft is compared with the current version of its policy', async (t) => {
  const { app, prove } = await start(t);
  const { id } = await app.integration();
  const policyId = await app.policy(id, warns(12));
  const compared = async (document: string) =>
    (await prove(document, `?policyId=${policyId}`)).data.comparison;
  t.match(await compared(warns(12)), { verdict: 'EQUAL', stricter: null, laxer: null });
  t.match(await compared(warns(14)), {
    verdict: 'LAXER',
    laxer: { given: { session: { actionCount: 12 } }, before: 'WARN', after: 'ALLOW' },
  });
  // Alone, it is taken as if it were enforced.
  t.match(await compared(warns(11, 'mode: MONITOR\n')), { verdict: 'STRICTER' });
  t.equal((await prove(warns(1), `?policyId=${id}`)).status, 404);
});

t.test('a draft is proved in the company of the policies in force', async (t) => {
  const { app, prove } = await start(t);
  const { id } = await app.integration();
  const policyId = await app.policy(id, warns(12));
  const house = await app.policy('none', ends);
  await app.call(adminKey, 'PUT', `/v1/house-policies/${house}`);
  const both = `?policyId=${policyId}&integrationId=${id}`;
  t.match((await prove(warns(14), both)).data, {
    monitored: false,
    rules: [
      { message: /rules\[0\]: never decides: the rule "end" of the policy "ends" is stricter/ },
      { code: 'never_matches' },
    ],
    properties: [{ verdict: 'PROVED' }, {}],
    comparison: { verdict: 'EQUAL' },
  });
  t.match((await prove(warns(8), both)).data.comparison, {
    verdict: 'STRICTER',
    stricter: { given: { session: { actionCount: 8 } }, before: 'ALLOW', after: 'WARN' },
  });
  // The params of the binding count, not those of the document; and so does its mode.
  const path = `/v1/integrations/${id}/policies/${policyId}`;
  await app.call(adminKey, 'PUT', path, { params: { most: 7 } });
  t.match((await prove(warns(8), both)).data.comparison, { verdict: 'EQUAL' });
  await app.call(adminKey, 'PUT', path, { mode: 'MONITOR' });
  t.match((await prove(warns(8), both)).data, {
    monitored: true,
    properties: [{ verdict: 'VIOLATED' }, {}],
    comparison: { verdict: 'EQUAL' },
  });
  // A policy that is not in force is taken as if it were bound.
  t.match((await prove(warns(3).replace('warns', 'more'), `?integrationId=${id}`)).data.comparison, {
    verdict: 'STRICTER',
  });
  t.equal((await prove(warns(1), `?integrationId=${policyId}`)).status, 404);
});

t.test('a long proof ends, and does not keep the event loop', async (t) => {
  const { prove } = await start(t);
  const rules = Array.from(
    { length: 150 },
    (_, place) =>
      `  - { id: r${place}, effect: WARN, when: input.a + ${place} * input.b > session.actionCount && input.c - input.a > ${place} }\n`,
  );
  const document = named('large', `rules:\n${rules.join('')}`);
  let found: Awaited<ReturnType<typeof prove>> | undefined;
  const step = await longestStep(async () => {
    found = await prove(document);
  });
  t.match(found, { status: 200 });
  t.ok(step < 200, `${step} ms of processor time in one step`);
});
