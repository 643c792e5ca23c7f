import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { explainFailure } from '../../src/cli/failure.ts';
import { AssizeError } from '../../src/client/error.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { processEnvironment, program, root } from '../helpers/process.ts';

const assize = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: processEnvironment,
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

t.test('wrong use is code 2 and says what is wrong', async (t) => {
  for (const [args, said] of [
    [['nothing'], /^assize: unknown command 'nothing'\n/],
    [['polices'], /^assize: unknown command 'polices'\n\(Did you mean policies\?\)\n/],
    [['policies'], /^Usage: assize policies/],
    [['policy', 'check'], /^assize: missing required argument 'file'\n/],
    [['policy', 'check', '--loud'], /^assize: unknown option '--loud'\n/],
    [['serve', 'now'], /^assize: too many arguments for 'serve'/],
  ] as const) {
    const { status, stdout, stderr } = assize(...args);
    t.equal(status, 2, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, said);
  }
});

t.test('a reader that has enough is no failure, and hides none', async (t) => {
  const bad = join(temporaryFolder(t), 'bad.yaml');
  writeFileSync(bad, 'schemaVersion: 1\n');
  for (const [args, code] of [
    ['policies check policies/*.yaml', 0],
    [`policies check ${bad}`, 1],
    ['completion bash', 0],
    ['sessions --help', 0],
  ]) {
    const pipe = `node ${program} ${args} | true; echo "\${PIPESTATUS[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', pipe], {
      cwd: root,
      encoding: 'utf8',
      env: processEnvironment,
    });
    t.equal(stdout, `${code} 0\n`, `${args}`);
    t.equal(stderr, '');
  }
});

t.test('help and version go to standard output', async (t) => {
  t.match(assize('--help'), { status: 0, stderr: '', stdout: /^Usage: assize/ });
  t.match(assize('help', 'serve'), { status: 0, stderr: '', stdout: /^Usage: assize serve/ });
  t.match(assize('--version'), { status: 0, stderr: '', stdout: /^\d+\.\d+\.\d+\n$/ });
});

t.test('saying how it is used loads no part of the service', async (t) => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { process.stderr.write(url + '\\n'); return next(url, context); } });`;
  const { stderr } = spawnSync(
    'node',
    ['--import', `data:text/javascript,${hook}`, 'src/main.ts', '--help'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    },
  );
  t.match(stderr, /src\/cli\/command\.ts\n/, 'the loader says what it loads');
  t.notMatch(stderr, /fastify|better-sqlite3|typebox|src\/(app|services|store|engine)/);
});

t.test('a command whose output nobody reads ends quietly, with its own exit code', async (t) => {
  for (const [line, code] of [
    ['--help', 0],
    ['--version', 0],
    ['serve --help', 0],
    ['help serve', 0],
    ['policies list --help', 0],
    ['completion bash', 0],
    ['policies check policies/runaway-agents.yaml', 0],
    ['serve nothing', 2],
    ['nothing', 2],
  ] as const) {
    // The reader ends long before Node has started.
    const script = `{ sleep 0.2; "$0" "$1" ${line}; echo "$?" >&3; } 2>&1 3>&4 | true`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `exec 4>&1; ${script}`, process.execPath, program], {
      cwd: root,
      encoding: 'utf8',
    });
    t.strictSame([stdout, stderr], [`${code}\n`, ''], line);
  }
});

t.test('no service at the usual address: the message names the setting for another', async (t) => {
  const said = (address: string) => {
    const cause = Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });
    return explainFailure(new AssizeError('network', `no response from http://${address}`, { cause })).lines;
  };
  const refused = (address: string) => `no response from http://${address}: connect ECONNREFUSED ${address}`;
  t.strictSame(said('127.0.0.1:3000'), [
    `${refused('127.0.0.1:3000')}: start it (assize serve), or set ASSIZE_URL to where it listens`,
  ]);
  t.strictSame(said('127.0.0.1:3001'), [refused('127.0.0.1:3001')], 'who gave an address knows how');
});
