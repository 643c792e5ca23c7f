import t from 'tap';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { decideFor, findings, policy } from './policy-fixtures.ts';

const rulesOf = (...rules: string[]) => `rules:\n${rules.map((rule) => `  - { ${rule} }\n`).join('')}`;
const all = '[ACTION, PROMPT, RESULT]';

t.test('a rule applies to actions unless `on` names other phases', async (t) => {
  const one = policy(
    rulesOf(
      'id: by-default, when: "true", effect: WARN',
      'id: prompts, on: [PROMPT], when: "true", effect: WARN',
      'id: results, on: [RESULT], when: "true", effect: WARN',
      `id: everything, on: ${all}, when: "true", effect: WARN`,
    ),
  );
  const matched = (phase: 'ACTION' | 'PROMPT' | 'RESULT') =>
    decideFor([one], { phase }).violations.map(({ ruleId }) => ruleId);
  t.strictSame(matched('ACTION'), ['by-default', 'everything']);
  t.strictSame(matched('PROMPT'), ['prompts', 'everything']);
  t.strictSame(matched('RESULT'), ['results', 'everything']);
});

t.test('escalations and failing rules keep to their phases', async (t) => {
  const one = policy(
    rulesOf(
      `id: finding, on: ${all}, when: "true", effect: WARN, severity: LOW`,
      'id: raise, on: [RESULT], when: "true", escalate: 1',
      'id: fails, on: [PROMPT], when: input.missing == 1, effect: WARN',
    ),
  );
  t.strictSame(findings(decideFor([one])), ['finding WARN LOW finding']);
  t.strictSame(findings(decideFor([one], { phase: 'RESULT' })), ['finding WARN MEDIUM finding']);
  t.strictSame(findings(decideFor([one], { phase: 'PROMPT' })), [
    'finding WARN LOW finding',
    'fails BLOCK MEDIUM rule_error',
  ]);
});

t.test('rules read the phase, the status of a result and the tool of its action', async (t) => {
  const one = policy(
    rulesOf(
      `id: shown, on: ${all}, when: "true", effect: ALLOW, message: "{{phase}} {{result.status}} {{tool}}"`,
    ),
  );
  const shown = (given: Parameters<typeof decideFor>[1]) => decideFor([one], given).violations[0]?.message;
  t.equal(shown({ tool: 'x' }), 'ACTION  x');
  t.equal(shown({ phase: 'RESULT', tool: 'x' }), 'RESULT OK x');
  t.equal(shown({ phase: 'RESULT', result: { status: 'FAILED' }, input: { tool: 'y' } }), 'RESULT FAILED ');
  t.equal(shown({ phase: 'PROMPT', input: { tool: 'y' } }), 'PROMPT  ', 'a prompt has no tool');
});

t.test('what would hold a result blocks it, by effect, floor and onError', async (t) => {
  const bodies = [
    rulesOf(`id: a, on: ${all}, when: "true", effect: APPROVAL_REQUIRED`),
    `severityFloors: { LOW: APPROVAL_REQUIRED }\n${rulesOf(`id: a, on: ${all}, when: "true", effect: WARN`)}`,
    `onError: APPROVAL_REQUIRED\n${rulesOf(`id: a, on: ${all}, when: input.missing == 1, effect: WARN`)}`,
  ];
  for (const body of bodies) {
    const one = policy(body);
    t.equal(decideFor([one]).enforcementAction, 'APPROVAL_REQUIRED');
    t.equal(decideFor([one], { phase: 'PROMPT' }).enforcementAction, 'APPROVAL_REQUIRED');
    const { enforcementAction, outcome, violations } = decideFor([one], { phase: 'RESULT' });
    t.strictSame([enforcementAction, outcome, violations[0]?.enforcementAction], ['BLOCK', 'DENY', 'BLOCK']);
  }
});

const head = 'schemaVersion: 1\nname: p\n';
const codes = (body: string) => {
  const { issues, warnings } = checkPolicyDocument(`${head}${body}`);
  return [...issues, ...warnings].map(({ path, code }) => `${path} ${code}`);
};

t.test('a check finds phases that cannot be', async (t) => {
  const one = (rule: string) => rulesOf(`id: a, ${rule}, effect: WARN`);
  t.strictSame(codes(one('on: [RESLT], when: tool == "x"')), ['/rules/0/on/0 not_allowed']);
  t.strictSame(codes(one('on: [], when: tool == "x"')), ['/rules/0/on too_few']);
  t.strictSame(codes(one('on: RESULT, when: tool == "x"')), ['/rules/0/on wrong_type']);
  t.strictSame(codes(one('when: \'result.status == "OK"\'')), ['/rules/0/when no_result']);
  t.strictSame(codes(one('on: [ACTION, RESULT], when: \'result.status == "OK"\'')), []);
  const given = (text: string) =>
    codes(
      `${one('when: tool == "x"')}tests:\n  - { name: n, given: { ${text} }, expect: { enforcementAction: ALLOW } }\n`,
    );
  t.strictSame(given('result: { status: OK }'), ['/tests/0/given/result wrong_phase']);
  t.strictSame(given('phase: PROMPT, tool: x'), ['/tests/0/given/tool wrong_phase']);
  t.strictSame(given('phase: RESULT, tool: x, result: { status: OK }'), []);
  t.strictSame(given('phase: OTHER'), ['/tests/0/given/phase not_allowed']);
});

t.test('a rule does not shadow one on another phase', async (t) => {
  const pair = (first: string, second: string) =>
    codes(
      rulesOf(
        `id: a, on: ${first}, when: tool == "x", effect: BLOCK`,
        `id: b, on: ${second}, when: tool == "x", effect: BLOCK`,
      ),
    );
  t.strictSame(pair('[ACTION]', '[RESULT]'), []);
  t.strictSame(pair('[ACTION, RESULT]', '[RESULT]'), ['/rules/1 shadowed']);
});

t.test("a document's tests decideFor prompts and results", async (t) => {
  const { valid, tests } = checkPolicyDocument(`${head}
rules:
  - { id: a, on: [RESULT], tool: crm.read, when: 'result.status == "FAILED"', effect: APPROVAL_REQUIRED }
tests:
  - { name: held is blocked, given: { phase: RESULT, tool: crm.read, result: { status: FAILED } }, expect: { enforcementAction: BLOCK } }
  - { name: ok, given: { phase: RESULT, tool: crm.read }, expect: { enforcementAction: ALLOW } }
  - { name: not the action, given: { tool: crm.read }, expect: { enforcementAction: ALLOW } }
`);
  t.strictSame([valid, tests?.map(({ passed }) => passed)], [true, [true, true, true]]);
});
