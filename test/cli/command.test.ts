import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../helpers/app.ts';

const root = join(import.meta.dirname, '../..');
const assize = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('node', ['src/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

t.test('checks and tests policies with the detectors of the service', async (t) => {
  const file = join(temporaryFolder(t), 'policy.yaml');
  writeFileSync(
    file,
    `schemaVersion: 1
name: detected
rules: [{ id: mail, when: '"EMAIL_ADDRESS" in dataTags', effect: WARN }]
tests:
  - name: an address is found
    given: { tool: x, input: { text: write to ada@example.com } }
    expect: { enforcementAction: WARN }
`,
  );
  t.strictSame(assize('policy', 'check', file), {
    status: 0,
    stdout: `${file}: ok, 1 test passed\n`,
    stderr: '',
  });
  t.match(assize('policy', 'test', '--json', file).stdout, /"passed": true/);
  writeFileSync(
    file,
    'schemaVersion: 1\nname: detected\nrules: [{ id: mail, when: nonsense, effect: WARN }]\n',
  );
  const refused = assize('policy', 'check', file);
  t.equal(refused.status, 1);
  t.match(refused.stdout, /policy\.yaml:3:\d+: .*nonsense/);
});

t.test('wrong use is code 2 and says how to use it', async (t) => {
  for (const args of [
    ['nothing'],
    ['policy'],
    ['policy', 'push'],
    ['policy', 'check', '--loud'],
    ['serve', 'now'],
  ]) {
    const { status, stderr } = assize(...args);
    t.equal(status, 2, args.join(' '));
    t.match(stderr, /^(assize: .*\n)?usage: assize/);
  }
  const help = assize('--help');
  t.equal(help.status, 0);
  t.match(help.stdout, /^usage: assize/);
});
