import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { command } from '../../../src/cli/command.ts';
import { temporaryFolder } from '../../helpers/app.ts';

process.env.HOME = temporaryFolder(t);

/** A home of Claude Code's own, and the command line on it. */
function claude(t: Test, settings?: string) {
  const folder = join(temporaryFolder(t), '.claude');
  mkdirSync(folder);
  const file = join(folder, 'settings.json');
  if (settings !== undefined) writeFileSync(file, settings);
  const run = async (verb: string, ...flags: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    };
    const args = ['hook', verb, 'claude-code', '--claude-dir', folder, ...flags];
    const code = await command(args, io);
    return { code, out: out.join(''), err: err.join('') };
  };
  return {
    folder,
    file,
    run,
    text: () => readFileSync(file, 'utf8'),
    read: () => JSON.parse(readFileSync(file, 'utf8')),
    install: (...flags: string[]) => run('install', '--yes', '--program', 'assize', ...flags),
    uninstall: (...flags: string[]) => run('uninstall', '--yes', ...flags),
  };
}

const others = {
  permissions: { allow: ['Bash(npm test)'] },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] },
      { matcher: '', hooks: [{ type: 'http', url: 'http://127.0.0.1:1/hooks', timeout: 3 }] },
    ],
    Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
  },
  model: 'opus',
};
const closed = "|| { [ $? = 2 ] || echo 'assize: the hook could not run' >&2; exit 2; }";
const handler = {
  type: 'command',
  command: `env -u NODE_OPTIONS assize hook claude-code ${closed}`,
  timeout: 40,
  onFailure: 'block',
};

t.test('puts the hook behind its six events, and shows how the settings change', async (t) => {
  const { install, read } = claude(t);
  const { code, out } = await install();
  t.equal(code, 0);
  t.match(out, /^\+ .*assize hook claude-code/m);
  t.strictSame(read(), {
    hooks: {
      PreToolUse: [{ matcher: '*', hooks: [handler] }],
      PostToolUse: [{ matcher: '*', hooks: [handler] }],
      PostToolUseFailure: [{ matcher: '*', hooks: [handler] }],
      UserPromptSubmit: [{ hooks: [handler] }],
      SubagentStop: [{ hooks: [handler] }],
      SessionEnd: [{ hooks: [handler] }],
    },
  });
});

t.test('leaves everything else as it was, in its order and indentation, and keeps a copy', async (t) => {
  const before = `${JSON.stringify(others, null, 4)}\n`;
  const { install, read, text, folder } = claude(t, before);
  await install();
  const after = read();
  t.strictSame(Object.keys(after), ['permissions', 'hooks', 'model']);
  t.strictSame(after.hooks.PreToolUse.slice(0, 2), others.hooks.PreToolUse);
  t.strictSame(after.hooks.Stop, others.hooks.Stop);
  t.match(text(), /^ {4}"permissions"/m);
  const copies = readdirSync(folder).filter((name) => name.endsWith('.bak'));
  t.equal(copies.length, 1);
  t.equal(readFileSync(join(folder, `${copies[0]}`), 'utf8'), before);
});

t.test('installed again it changes nothing; with other flags it takes its own old place', async (t) => {
  const { install, text, read, folder } = claude(t, JSON.stringify(others));
  await install();
  const once = text();
  const { code, out } = await install();
  t.equal(code, 0);
  t.match(out, /needs no change/);
  t.equal(text(), once);
  t.equal(readdirSync(folder).length, 2, 'no second copy');

  const more = read();
  more.hooks.PreToolUse.push({ hooks: [{ type: 'command', command: './later.sh' }] });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(more));
  await install('--on-hold', 'wait', '--wait-seconds', '60', '--on-failure', 'allow', '--limit-ms', '2000');
  t.strictSame(read().hooks.PreToolUse[2].hooks, [
    {
      type: 'command',
      command:
        'env -u NODE_OPTIONS assize hook claude-code --on-hold wait --on-failure allow --limit-ms 2000 --wait-seconds 60',
      timeout: 96,
    },
  ]);
  t.equal(read().hooks.PreToolUse[3].hooks[0].command, './later.sh');
});

t.test('takes out what it put in, whichever program ran it, and nothing else', async (t) => {
  for (const program of ['assize', '/usr/bin/node "/a b/dist/main.js"', '/opt/assize-linux-x64']) {
    const { install, uninstall, read } = claude(t, JSON.stringify(others));
    await install('--program', program);
    t.equal(read().hooks.PreToolUse.length, 3);
    await uninstall();
    t.strictSame(read(), others);
  }
  const { install, uninstall, read, text } = claude(t, '{"model":"opus"}');
  await install();
  await uninstall();
  t.strictSame(read(), { model: 'opus' });
  const before = text();
  t.match(await uninstall(), { code: 0, out: /needs no change/ });
  t.equal(text(), before);
});

t.test('settings that are not understood are left as they are', async (t) => {
  for (const [settings, why] of [
    ['{"hooks":', /left as it is/],
    ['[]', /no JSON object/],
    ['{"hooks":[]}', /\/hooks is no object/],
    ['{"hooks":{"PreToolUse":{}}}', /\/hooks\/PreToolUse is no array/],
    ['{"hooks":{"PreToolUse":[{"matcher":"*"}]}}', /\/hooks\/PreToolUse\/0 has no array of hooks/],
  ] as const) {
    const { install, text, folder } = claude(t, settings);
    t.match(await install(), { code: 2, err: why });
    t.equal(text(), settings);
    t.strictSame(readdirSync(folder), ['settings.json']);
  }
});

t.test('nothing is written when nobody can be asked', async (t) => {
  const { run, folder } = claude(t);
  t.match(await run('install'), { code: 2, err: /--yes/ });
  t.strictSame(readdirSync(folder), []);
});

t.test('a link is followed and stays a link', async (t) => {
  const { install, file, folder } = claude(t);
  const target = join(folder, '..', 'dotfiles.json');
  writeFileSync(target, '{}');
  symlinkSync(target, file);
  await install();
  t.ok(lstatSync(file).isSymbolicLink());
  t.match(JSON.parse(readFileSync(target, 'utf8')), { hooks: { PreToolUse: [{ hooks: [handler] }] } });
});

t.test('the full path of this very program is written unless another is named', async (t) => {
  const { run, read } = claude(t);
  await run('install', '--yes');
  t.match(read().hooks.SessionEnd[0].hooks[0].command, /^env -u NODE_OPTIONS "?\/.* hook claude-code \|\| /);
});

t.test('the file with the key is named, so that no variable of a project takes its place', async (t) => {
  const usual = join(homedir(), '.config/assize/hook.env');
  mkdirSync(dirname(usual), { recursive: true });
  writeFileSync(usual, 'ASSIZE_KEY=x\n');
  t.teardown(() => rmSync(usual));
  const { install, read } = claude(t);
  const command = () => read().hooks.PreToolUse[0].hooks[0].command;
  t.equal((await install()).err, '');
  t.match(command(), ` --config ${usual} || `);
  await install('--config', '/etc/assize/hook.env');
  t.match(command(), ' --config /etc/assize/hook.env || ');
  const shared = join(temporaryFolder(t), 'shared.json');
  await install('--project', '--file', shared);
  t.notMatch(readFileSync(shared, 'utf8'), /--config/, 'no path of this machine for others');
});
