import { spawnSync } from 'node:child_process';
import t from 'tap';
import { root } from './helpers/process.ts';

const outcome = (body: string): { status: number | null; failed: string[] } => {
  const text = `import t from 'tap'; t.test("a test", async (t) => { ${body} });`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, failed: stdout.match(/^ +not ok \d+ - .*$/gm) ?? [] };
};

t.test('an assertion of each kind that does not hold fails its file', async (t) => {
  t.strictSame(outcome("t.equal(1, 1, 'equal'); t.ok(true);"), { status: 0, failed: [] });
  for (const assertion of [
    "t.equal(1, 2, 'it')",
    "t.strictSame({ a: 1 }, { a: '1' }, 'it')",
    "t.match('text', /y/, 'it')",
    "t.throws(() => undefined, 'it')",
    "await t.rejects(Promise.resolve(), 'it')",
    "await t.test('it', async () => { throw new Error('it') })",
  ]) {
    const { status, failed } = outcome(assertion);
    t.equal(status, 1, assertion);
    t.match(failed, [/ - it/], assertion);
  }
});
