import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { wholeCheck } from '../../../src/features/policies/check-job.ts';
import { policyCheck, policyTest } from '../../../src/features/policies/cli-files.ts';

const head = 'schemaVersion: 1\nname: p\n';
const files = {
  good: `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]
tests: [{ name: warned, given: { tool: x }, expect: { enforcementAction: WARN } }]
`,
  two: `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]
tests:
  - { name: warned, given: { tool: x }, expect: { enforcementAction: WARN } }
  - { name: allowed, given: {}, expect: { enforcementAction: ALLOW } }
`,
  untested: `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]\n`,
  doubtful: `${head}params: { a: 1 }\nrules: [{ id: a, when: tool == "x", effect: WARN }]\n`,
  broken: `${head}rules: [{ id: a, when: tol == "x", efect: WARN }]\n`,
  failing: `${head}rules: [{ id: a, when: tool == "x", effect: WARN }]
tests: [{ name: blocked, given: { tool: x }, expect: { enforcementAction: BLOCK } }]
`,
};

/** Writes the files and runs a command on them; what it printed names them without their folder. */
function run(
  t: Pick<Test, 'testdir'>,
  command: typeof policyCheck,
  names: string[],
  options: { json?: boolean } = {},
): { code: number; text: string } {
  const folder = t.testdir({});
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.yaml`), content);
  writeFileSync(join(folder, 'binary.yaml'), new Uint8Array([0x61, 0xff, 0xfe]));
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const code = command(
    names.map((name) => join(folder, `${name}.yaml`)),
    { ...options, write },
  );
  return { code, text: text.replaceAll(`${folder}/`, '') };
}

t.test('check prints every issue as file:line:column and exits 1', async (t) => {
  const { code, text } = run(t, policyCheck, ['broken', 'good', 'failing']);
  t.equal(code, 1);
  t.equal(
    text,
    [
      'broken.yaml:3:9: rules[0]: a rule needs one of "effect", "escalate" and "label"',
      'broken.yaml:3:24: rules[0].when @1:1: unknown variable "tol"; did you mean "tool"?',
      'broken.yaml:3:36: rules[0]: unknown key "efect"; did you mean "effect"?',
      'good.yaml: ok, 1 test passed',
      'failing.yaml:4:9: test "blocked": expected enforcementAction BLOCK, found WARN; by a',
      '',
    ].join('\n'),
  );
});

t.test('check prints warnings and exits 0', async (t) => {
  const { code, text } = run(t, policyCheck, ['doubtful', 'two']);
  t.equal(code, 0);
  t.equal(
    text,
    [
      'doubtful.yaml:3:11: warning: params.a: no rule uses it',
      'doubtful.yaml: ok, 0 tests passed',
      'two.yaml: ok, 2 tests passed',
      '',
    ].join('\n'),
  );
});

t.test('test prints every test, and what keeps a policy from being tested', async (t) => {
  t.strictSame(run(t, policyTest, ['two', 'untested']), {
    code: 0,
    text: 'ok      two.yaml: warned\nok      two.yaml: allowed\nuntested.yaml: has no tests\n',
  });
  t.strictSame(run(t, policyTest, ['failing']), {
    code: 1,
    text: 'not ok  failing.yaml: blocked: expected enforcementAction BLOCK, found WARN; by a\n',
  });
  const { code, text } = run(t, policyTest, ['broken']);
  t.equal(code, 1);
  t.match(text, /^broken\.yaml:3:9: /);
});

t.test('a file that cannot be read is exit 2, and the others are still checked', async (t) => {
  t.strictSame(run(t, policyCheck, ['missing', 'good', 'binary']), {
    code: 2,
    text: 'missing.yaml: there is no such file\ngood.yaml: ok, 1 test passed\nbinary.yaml: is not UTF-8 text\n',
  });
  t.equal(run(t, policyTest, ['missing', 'broken']).code, 2, 'more than what is wrong with a policy');
});

t.test('--json prints one document with everything in it', async (t) => {
  const { code, text } = run(t, policyCheck, ['doubtful', 'failing', 'missing'], { json: true });
  t.equal(code, 2);
  const { files: reports } = JSON.parse(text);
  t.match(reports, [
    {
      file: 'doubtful.yaml',
      valid: true,
      issues: [],
      warnings: [{ line: 3, column: 11, path: '/params/a', code: 'unused' }],
    },
    {
      file: 'failing.yaml',
      valid: false,
      issues: [{ line: 4, column: 9, path: '/tests/0', code: 'test_failed' }],
      tests: [
        { name: 'blocked', passed: false, message: 'expected enforcementAction BLOCK, found WARN; by a' },
      ],
    },
    { file: 'missing.yaml', valid: false, error: 'there is no such file' },
  ]);
  t.equal(run(t, policyTest, ['good'], { json: true }).code, 0);
});

t.test('tests with steps find other policies in the same folder', async (t) => {
  const other = `${head.replace('name: p', 'name: other')}rules: [{ id: b, when: tool == "x", effect: BLOCK }]\n`;
  const expect = '{ enforcementAction: BLOCK, rules: [a, other/b] }';
  const steps = (names: string) =>
    `${files.untested}tests: [{ name: s, with: [${names}], steps: [{ tool: x, expect: ${expect} }] }]\n`;
  for (const ending of ['yaml', 'yml']) {
    const folder = t.testdir({
      'p.yaml': steps('other'),
      'q.yaml': steps('none'),
      [`other.${ending}`]: other,
    });
    const printed: string[] = [];
    const options = { ...wholeCheck, write: (piece: string) => void printed.push(piece) };
    t.equal(policyTest([join(folder, 'p.yaml')], options), 0, printed.join(''));
    t.equal(policyTest([join(folder, 'q.yaml')], options), 1);
    t.match(printed.join(''), 'q.yaml: s: there is no policy "none"');
  }
});
