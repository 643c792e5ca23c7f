import t from 'tap';
import { checkPolicyDocument, policiesNamedIn } from '../../../src/policy/document/check-policy-document.ts';

const document = {
  schemaVersion: 1,
  name: 'p',
  rules: [{ id: 'a', when: 'tool == "x"', effect: 'BLOCK' }],
};
const withTests = (...tests: unknown[]): string => JSON.stringify({ ...document, tests });
const block = { enforcementAction: 'BLOCK' };

/** The mistakes in a test, shortly: `path code`. */
const mistakes = (test: unknown): string[] =>
  checkPolicyDocument(withTests(test)).issues.map(({ path, code }) => `${path} ${code}`);
const ofStep = (step: object): string[] => mistakes({ name: 'a', steps: [step] });

t.test('a test is about one evaluation or about steps', async (t) => {
  const given = { tool: 'x' };
  t.strictSame(mistakes({ name: 'a', given, expect: block }), []);
  t.strictSame(mistakes({ name: 'a' }), ['/tests/0 one_of']);
  t.strictSame(mistakes({ name: 'a', given }), ['/tests/0 one_of']);
  t.strictSame(mistakes({ name: 'a', expect: block }), ['/tests/0 one_of']);
  t.strictSame(mistakes({ name: 'a', given, expect: block, with: ['b'] }), ['/tests/0/with misplaced']);
  t.strictSame(mistakes({ name: 'a', given, expect: block, integration: {} }), [
    '/tests/0/integration misplaced',
  ]);
  t.strictSame(mistakes({ name: 'a', given, steps: [{ tool: 'x' }] }), ['/tests/0/given one_of']);
  t.strictSame(mistakes({ name: 'a', expect: block, steps: [{ tool: 'x' }] }), ['/tests/0/expect one_of']);
  t.strictSame(mistakes('x'), ['/tests/0 wrong_type', '/tests/0 one_of']);
});

t.test('every key of a step is checked', async (t) => {
  const cases: [object, string[]][] = [
    [{}, ['/tests/0/steps/0 one_of']],
    [{ expect: block }, ['/tests/0/steps/0 one_of']],
    [{ tol: 'x' }, ['/tests/0/steps/0 one_of', '/tests/0/steps/0/tol unknown_key']],
    [{ tool: 1 }, ['/tests/0/steps/0/tool wrong_type']],
    [{ input: [] }, ['/tests/0/steps/0/input wrong_type']],
    [{ tool: 'x', at: 'noon' }, ['/tests/0/steps/0/at bad_moment']],
    [{ tool: 'x', after: '1 hour' }, ['/tests/0/steps/0/after bad_name']],
    [{ tool: 'x', after: '1h', at: '2026-01-01T00:00:00Z' }, ['/tests/0/steps/0/after one_of']],
    [{ tool: 'x', times: 0 }, ['/tests/0/steps/0/times out_of_range']],
    [{ tool: 'x', times: 1_001 }, ['/tests/0/steps/0/times out_of_range']],
    [{ tool: 'x', times: '2' }, ['/tests/0/steps/0/times wrong_type']],
    [{ tool: 'x', session: '' }, ['/tests/0/steps/0/session too_short']],
    [{ tool: 'x', entityId: null }, ['/tests/0/steps/0/entityId wrong_type']],
    [{ tool: 'x', metadata: 'ops' }, ['/tests/0/steps/0/metadata wrong_type']],
    [{ tool: 'x', dataTags: 'PII' }, ['/tests/0/steps/0/dataTags wrong_type']],
    [{ tool: 'x', expect: {} }, ['/tests/0/steps/0/expect/enforcementAction missing_key']],
    [
      { tool: 'x', expect: { enforcementAction: 'STOP' } },
      ['/tests/0/steps/0/expect/enforcementAction not_allowed'],
    ],
    [{ tool: 'x', result: 'OK' }, ['/tests/0/steps/0/result wrong_type']],
    [{ tool: 'x', result: { status: 'DONE' } }, ['/tests/0/steps/0/result/status not_allowed']],
    [{ prompt: '' }, ['/tests/0/steps/0/prompt too_short']],
    [{ prompt: 'a', tool: 'x' }, ['/tests/0/steps/0/tool misplaced']],
    [{ prompt: 'a', result: {} }, ['/tests/0/steps/0/result misplaced']],
    [{ prompt: 'a', approve: true }, ['/tests/0/steps/0/approve one_of']],
    [{ approve: false }, ['/tests/0/steps/0/approve not_allowed']],
    [{ approve: true, tool: 'x' }, ['/tests/0/steps/0/tool misplaced']],
    [{ reject: true, times: 2 }, ['/tests/0/steps/0/times misplaced']],
    [{ reject: true, session: 'b' }, ['/tests/0/steps/0/session misplaced']],
    [{ end: 'a' }, ['/tests/0/steps test_failed']],
    [{ end: '' }, ['/tests/0/steps/0/end too_short']],
    [{ end: 'a', expect: block }, ['/tests/0/steps/0/expect misplaced']],
    [{ tool: 'x', parent: 1 }, ['/tests/0/steps/0/parent wrong_type']],
  ];
  for (const [step, expected] of cases) {
    t.strictSame(ofStep(step), expected, JSON.stringify(step));
  }
  t.strictSame(mistakes({ name: 'a', steps: [] }), ['/tests/0/steps too_few']);
  t.strictSame(mistakes({ name: 'a', steps: 'x' }), ['/tests/0/steps wrong_type']);
  t.strictSame(mistakes({ name: 'a', with: ['B c'], steps: [{ tool: 'x' }] }), ['/tests/0/with/0 bad_name']);
});

t.test('messages say what would be right', async (t) => {
  const [issue] = checkPolicyDocument(withTests({ name: 'a', steps: [{}] })).issues;
  t.match(
    issue?.message,
    'tests[0].steps[0]: says nothing that happens: add "tool", "input" or one of "prompt", "approve", "reject", "end"',
  );
  const [both] = checkPolicyDocument(withTests({ name: 'a', given: {}, steps: [{ tool: 'x' }] })).issues;
  t.match(both, {
    message: 'tests[0].given: a test with steps has none',
    hint: 'say it in the steps',
  });
});

t.test('steps fail where nothing can replay them', async (t) => {
  const { issues } = checkPolicyDocument(withTests({ name: 'a', steps: [{ tool: 'x' }] }));
  t.match(issues, [{ path: '/tests/0/steps', message: 'test "a": steps cannot be replayed here' }]);
});

t.test('finds the policies that tests run with', async (t) => {
  t.strictSame(policiesNamedIn(withTests({ name: 'a', given: {} })), []);
  t.strictSame(policiesNamedIn(withTests({ with: ['b', 'c', 1] }, { with: ['b'] }, { with: 'd' })), [
    'b',
    'c',
  ]);
  t.strictSame(policiesNamedIn('with: ['), []);
  t.strictSame(policiesNamedIn('- with'), []);
});
