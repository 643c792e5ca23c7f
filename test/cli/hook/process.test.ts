import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { defaultFlags, handlerOf } from '../../../src/cli/hook/command-line.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { program, root, serveProcess } from '../../helpers/process.ts';
import { scriptedServer } from '../../helpers/scripted-server.ts';

const execute = promisify(execFile);

const input = readFileSync(join(root, 'test/fixtures/claude-code/pre-tool-use-bash.json'), 'utf8');

/** Flags with more time for a decision than a person has: a busy machine starts programs late. */
const patient = ['--limit-ms', '60000'];

/** The hook as an agent runs it. */
const hook = (home: string, env: Record<string, string>, text: string, ...flags: string[]) =>
  spawnSync(process.execPath, [program, 'hook', 'claude-code', ...patient, ...flags], {
    input: text,
    encoding: 'utf8',
    env: { HOME: home, ...env },
  });

async function served(t: Test) {
  const home = temporaryFolder(t);
  const server = serveProcess(t, { ASSIZE_DATABASE: join(home, 'assize.db') }, { args: [program] });
  const url = await server.url();
  const [, key = ''] = /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await server.firstKeys()) ?? [];
  return { home, url, key };
}

t.test(
  'answers from the built program, with the server and key of the environment or of a file',
  async (t) => {
    const { home, url, key } = await served(t);
    const withData = input.replace('npm test', 'mail ada@example.com');
    const warned = { status: 0, stderr: '', stdout: /^\{"systemMessage":"Assize warns: .*\}\n$/ };
    t.match(hook(home, { ASSIZE_URL: url, ASSIZE_KEY: key }, withData), warned);
    const file = join(home, 'hook.env');
    writeFileSync(file, `ASSIZE_URL=${url}\nASSIZE_KEY=${key}\n`);
    // The starter policies warn of the first data in a session.
    const inAnother = withData.replace(/"session_id": ?"[^"]*"/, '"session_id":"another"');
    t.match(hook(home, {}, inAnother, '--config', file), warned);
    t.match(hook(home, {}, input, '--config', file), { status: 0, stdout: '', stderr: '' });
  },
);

t.test('what cannot be judged stops the action: by its output, else by exit code 2', async (t) => {
  const home = temporaryFolder(t);
  const env = { ASSIZE_URL: 'http://127.0.0.1:9', ASSIZE_KEY: 'asz_live_x' };
  t.match(hook(home, env, input), { status: 0, stdout: /"permissionDecision":"deny"/ });
  for (const text of ['{', '"\\":']) {
    t.match(hook(home, env, text), {
      status: 2,
      stdout: /^\{"decision":"deny"/,
      stderr: /^assize: the hook input is not JSON\n$/,
    });
  }
  t.match(hook(home, env, input, '--on-hold', 'perhaps'), { status: 2, stdout: '' });
  t.match(hook(home, {}, input, '--config', join(home, 'gone')), {
    status: 2,
    stdout: /^\{"decision":"deny"/,
    stderr: /ENOENT/,
  });
  t.match(hook(home, env, '{', '--on-failure', 'allow'), { status: 0, stdout: '', stderr: /let pass/ });
});

/** The command that `hook install` writes, as an agent runs it. */
const installed = (home: string, env: Record<string, string>, node: string, ...flags: string[]) => {
  const { command = '' } = handlerOf(`${node} ${program}`, {
    ...defaultFlags,
    limitMs: 60_000,
    ...Object.fromEntries(flags.map((flag) => flag.split('='))),
  });
  return spawnSync('/bin/sh', ['-c', command], {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
  });
};

t.test('the installed command does not depend on NODE_OPTIONS', async (t) => {
  const { home, url, key } = await served(t);
  const env = { ASSIZE_URL: url, ASSIZE_KEY: key };
  const planted = join(home, 'planted.cjs');
  writeFileSync(planted, 'process.stdout.write("{}\\n"); process.exit(0);');
  for (const NODE_OPTIONS of ['--no-such-option', `--require ${planted}`, '--require /nowhere.cjs']) {
    const unprotected = spawnSync(process.execPath, [program, 'hook', 'claude-code'], {
      input,
      encoding: 'utf8',
      env: { HOME: home, NODE_OPTIONS, ASSIZE_URL: 'http://127.0.0.1:9', ASSIZE_KEY: 'asz_live_x' },
    });
    t.notMatch(unprotected.stdout, /deny/, 'Node itself obeys it');
    const unreachable = { ASSIZE_URL: 'http://127.0.0.1:9', ASSIZE_KEY: 'asz_live_x', NODE_OPTIONS };
    t.match(installed(home, unreachable, process.execPath), {
      status: 0,
      stdout: /"permissionDecision":"deny"/,
    });
    t.match(installed(home, { ...env, NODE_OPTIONS }, process.execPath), {
      status: 0,
      stdout: '',
      stderr: '',
    });
  }
});

t.test('an environment that a project sets sends neither the event nor the key elsewhere', async (t) => {
  const { home, url, key } = await served(t);
  const elsewhere = await scriptedServer(t, {
    status: 200,
    body: { success: true, data: { enforcementAction: 'ALLOW' } },
  });
  mkdirSync(join(home, '.config/assize'), { recursive: true });
  writeFileSync(join(home, '.config/assize/hook.env'), `ASSIZE_URL=${url}\nASSIZE_KEY=${key}\n`);
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: elsewhere.url, http_proxy: elsewhere.url };
  for (const env of [{ ASSIZE_URL: elsewhere.url }, proxy]) {
    // Not spawnSync: the other server is in this process.
    const ran = execute(process.execPath, [program, 'hook', 'claude-code', ...patient], {
      env: { HOME: home, ...env },
    });
    ran.child.stdin?.end(input);
    t.match(await ran, { stdout: '', stderr: '' });
  }
  t.strictSame(elsewhere.seen, []);
});

t.test('an installed command that cannot start ends with exit code 2 and a reason', async (t) => {
  const home = temporaryFolder(t);
  for (const node of ['/nowhere/node', '/bin/false', "sh -c 'kill -9 $$' sh"]) {
    t.match(installed(home, {}, node), { status: 2, stderr: /the hook could not run\n$/ }, node);
    t.not(installed(home, {}, node, 'onFailure=allow').status, 2, node);
  }
});

t.test('the hook loads nothing of the server', async (t) => {
  const loaded = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });
      process.argv = [process.execPath, 'main.js', 'hook', 'claude-code'];
      await import(${JSON.stringify(program)});
    `,
    ],
    { input, encoding: 'utf8', env: { HOME: temporaryFolder(t) } },
  );
  const files = [...new Set(loaded.stderr.match(/dist\/[\w-]+\.js/g))];
  t.ok(files.includes('dist/main.js'));
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(root, file)).length, 0);
  t.ok(bytes < 400_000, `${bytes} bytes of ${files.join(', ')}`);
  t.notMatch(loaded.stderr, /node:(?:http|https|sqlite)\n|better-sqlite3/);
});
