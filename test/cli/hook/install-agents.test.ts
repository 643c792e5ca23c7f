import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { command } from '../../../src/cli/command.ts';
import { type AgentName, agents } from '../../../src/cli/hook/agents.ts';
import { temporaryFolder } from '../../helpers/app.ts';

process.env.HOME = temporaryFolder(t);

async function run(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const code = await command(['hook', ...args], io);
  return { code, out: out.join(''), err: err.join('') };
}

/** The first command in settings of any form. */
function commandIn(settings: unknown): string {
  let found = '';
  JSON.stringify(settings, (name, value) => {
    if (found === '' && (name === 'command' || name === 'bash')) found = value;
    return value;
  });
  return found;
}

// OpenClaw, whose hook is a folder, has a test of its own.
const names = (Object.keys(agents) as AgentName[]).filter((name) => name !== 'openclaw');
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** A settings file of the agent that has something of its own. */
function place(t: Test, agent: AgentName) {
  const folder = temporaryFolder(t);
  const isScript = agent === 'cline';
  const at = isScript
    ? folder
    : join(folder, agent === 'opencode' || agent === 'pi' ? 'assize.js' : 'settings.json');
  const file = isScript ? join(folder, 'PreToolUse') : at;
  const flags = [agent, '--file', at, '--yes'];
  return {
    file,
    install: (...more: string[]) => run('install', ...flags, '--program', 'assize', ...more),
    uninstall: () => run('uninstall', ...flags),
  };
}

for (const agent of names) {
  const isText = ['cline', 'opencode', 'pi'].includes(agent);

  t.test(
    `${agent}: install shows the change, once is enough, and uninstall leaves what was there`,
    async (t) => {
      const { file, install, uninstall } = place(t, agent);
      const others = { name: 'mine', hooks: {} };
      if (!isText) writeFileSync(file, JSON.stringify(others));
      const first = await install();
      t.equal(first.code, 0, first.err);
      t.match(first.out, new RegExp(`^\\+.*assize hook ${agent} `, 'm'), 'a diff');
      t.match(readFileSync(file, 'utf8'), /env -u NODE_OPTIONS assize hook/);
      const again = await install();
      t.notMatch(again.out, /^\+/m);
      t.match(again.out, /needs no change/);
      const renewed = await install('--on-failure', 'allow');
      t.equal(renewed.code, 0);
      t.equal(
        / \|\| \{/.test(readFileSync(file, 'utf8')),
        false,
        'an open hook does not stop when it cannot start',
      );
      const removed = await uninstall();
      t.equal(removed.code, 0, removed.err);
      t.match(removed.out, /^-.*assize hook/m);
      if (isText) t.equal(existsSync(file), false);
      else t.match(json(file), { name: 'mine' });
      if (!isText) t.notMatch(readFileSync(file, 'utf8'), /assize/);
      t.match((await uninstall()).out, /needs no change/);
    },
  );

  t.test(
    `${agent}: a file that is not understood, or belongs to somebody else, is left as it is`,
    async (t) => {
      const { file, install, uninstall } = place(t, agent);
      for (const text of isText
        ? ['#!/bin/sh\necho mine\n']
        : [
            '{',
            '[]',
            '{"hooks":[]}',
            '{"hooks":{"PreToolUse":{}, "preToolUse":{}, "BeforeTool":{}, "pre_run_command":{}}}',
          ]) {
        writeFileSync(file, text);
        for (const change of [install, uninstall]) {
          const { code, err } = await change();
          t.equal(code, 2, text);
          t.match(err, /is left as it is/);
          t.equal(readFileSync(file, 'utf8'), text);
        }
      }
    },
  );

  t.test(`${agent}: what is installed stops the action when the hook cannot even start`, async (t) => {
    if (agent === 'opencode' || agent === 'pi') return;
    const { file, install } = place(t, agent);
    await install('--program', '/nowhere/assize');
    const script = agent === 'cline' ? readFileSync(file, 'utf8') : commandIn(json(file));
    const { status, stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', input: '{}' });
    if (agent === 'cline') t.match(JSON.parse(stdout), { cancel: true });
    else t.equal(status, 2, stdout);
    if (agent === 'copilot') t.match(JSON.parse(stdout), { permissionDecision: 'deny' });
  });
}

t.test('a script of Cline can be run, and other entries stay in their order', async (t) => {
  const cline = place(t, 'cline');
  await cline.install();
  t.equal(statSync(cline.file).mode & 0o100, 0o100);
  const cursor = place(t, 'cursor');
  const mine = { command: './mine.sh' };
  writeFileSync(cursor.file, JSON.stringify({ version: 1, hooks: { preToolUse: [mine], stop: [mine] } }));
  await cursor.install();
  await cursor.install('--on-hold', 'wait');
  const { hooks, version } = json(cursor.file);
  t.equal(version, 1);
  t.match(hooks.preToolUse, [
    mine,
    { failClosed: true, timeout: 345, command: /hook cursor --on-hold wait/ },
  ]);
  t.equal(hooks.preToolUse.length, 2);
  await cursor.uninstall();
  t.strictSame(json(cursor.file), { version: 1, hooks: { preToolUse: [mine], stop: [mine] } });
});

t.test('Kiro has no file that could be meant: it must be named', async (t) => {
  const { code, err } = await run('install', 'kiro', '--yes', '--program', 'assize');
  t.equal(code, 2);
  t.match(err, /--file FILE/);
});

t.test('the plugin of OpenClaw is a folder beside its settings, which load it', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'openclaw.json');
  const plugin = join(folder, 'extensions', 'assize');
  const flags = ['openclaw', '--file', file, '--yes'];
  const before = { gateway: { port: 1 }, plugins: { allow: ['mine'], entries: { mine: { enabled: true } } } };
  writeFileSync(file, JSON.stringify(before));
  const { code, err } = await run('install', ...flags, '--program', 'assize');
  t.equal(code, 0, err);
  t.match(json(file), {
    gateway: { port: 1 },
    plugins: {
      allow: ['mine', 'assize'],
      entries: {
        mine: { enabled: true },
        assize: { enabled: true, hooks: { allowConversationAccess: true } },
      },
    },
  });
  t.match(readFileSync(join(plugin, 'index.js'), 'utf8'), /assize hook openclaw /);
  t.match(json(join(plugin, 'openclaw.plugin.json')), { id: 'assize' });
  const again = await run('install', ...flags, '--program', 'assize');
  t.notMatch(again.out, /^\+/m);

  const handlers = new Map<string, (event: object, context: object) => Promise<unknown>>();
  const program = join(folder, 'assize');
  const says = (line: string) => {
    writeFileSync(program, `#!/bin/sh\ncat > ${join(folder, 'event.json')}\n${line}\n`);
    chmodSync(program, 0o755);
  };
  await run('install', ...flags, '--program', program);
  const registered = {
    on: handlers.set.bind(handlers),
    registerAgentToolResultMiddleware: (handler: (event: object, context: object) => Promise<unknown>) =>
      handlers.set('result', handler),
  };
  (await import(join(plugin, 'index.js'))).default.register(registered);
  const context = { sessionId: 's-1', workspaceDir: '/home/ada/shop' };
  const send = (name: string, event: object) => handlers.get(name)?.(event, context);
  const call = { toolName: 'exec', toolCallId: 'c-1', params: { command: 'ls' } };
  const result = { ...call, result: { content: [{ type: 'text', text: 'secret' }], details: { a: 1 } } };
  const text = (said: string) => ({ type: 'text', text: said });
  says(`echo '{"stop":"no"}'`);
  t.strictSame(await send('before_tool_call', call), { block: true, blockReason: 'no' });
  t.match(json(join(folder, 'event.json')), { session_id: 's-1', tool_name: 'exec', tool_use_id: 'c-1' });
  t.strictSame(await send('result', result), { result: { content: [text('no')], details: {} } });
  t.match(await send('before_agent_run', { prompt: 'hello' }), { outcome: 'block', message: 'no' });
  says(`echo '{"warning":"careful"}'`);
  t.equal(await send('before_agent_run', { prompt: 'hello' }), undefined);
  t.match(await send('result', result), { result: { content: [text('secret'), text('careful\ncareful')] } });
  says('exit 1');
  t.match(await send('before_tool_call', call), { block: true, blockReason: /could not run/ });

  t.equal((await run('uninstall', ...flags)).code, 0);
  t.strictSame(json(file), before);
  t.equal(existsSync(join(plugin, 'index.js')), false);
});

t.test('Cline, which runs a tool whose hook takes long, is not made to wait for a reviewer', async (t) => {
  const { code, err } = await place(t, 'cline').install('--on-hold', 'wait');
  t.equal(code, 2);
  t.match(err, /use --on-hold deny/);
});

t.test('Codex that is not there is not waited for, and the person is told', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  t.teardown(() => {
    process.env.PATH = path;
  });
  const { code, err } = await place(t, 'codex').install();
  t.equal(code, 0);
  t.match(err, /codex could not be asked whether it trusts the hook/);
  t.equal(timers(), before);
});

t.test('--trust is refused for agents that have no such thing', async (t) => {
  const { code, err } = await place(t, 'cursor').install('--trust');
  t.equal(code, 2);
  t.match(err, /--trust is for Codex/);
});

t.test('the extension of pi stops what the hook stops, and what it cannot decide', async (t) => {
  const folder = temporaryFolder(t);
  const program = join(folder, 'assize');
  const says = (line: string) => {
    writeFileSync(program, `#!/bin/sh\ncat > ${join(folder, 'event.json')}\n${line}\n`);
    chmodSync(program, 0o755);
  };
  const file = join(folder, 'assize.mjs');
  await run('install', 'pi', '--file', file, '--yes', '--program', program);
  const handlers = new Map<string, (event: object, context: object) => Promise<unknown>>();
  const shown: string[] = [];
  const context = {
    cwd: '/home/ada/shop',
    hasUI: true,
    ui: { notify: (message: string) => shown.push(message) },
    sessionManager: { getSessionId: () => 's-1' },
  };
  (await import(file)).default({ on: handlers.set.bind(handlers) });
  const send = (name: string, event: object) => handlers.get(name)?.(event, context);
  const call = { toolName: 'bash', toolCallId: 'c-1', input: { command: 'ls' } };
  const result = { ...call, content: [{ type: 'text', text: 'secret' }], isError: true };
  const text = (said: string) => ({ type: 'text', text: said });
  says(`echo '{"stop":"no"}'`);
  t.strictSame(await send('tool_call', call), { block: true, reason: 'no' });
  t.match(json(join(folder, 'event.json')), { session_id: 's-1', tool_name: 'bash', tool_use_id: 'c-1' });
  t.strictSame(await send('tool_result', result), { content: [text('no')], details: {}, isError: true });
  t.match(json(join(folder, 'event.json')), { hook_event_name: 'PostToolUseFailure', error: result.content });
  t.strictSame(await send('input', { text: 'hello' }), { action: 'handled' });
  t.strictSame(shown, ['no'], 'the person reads why a prompt was stopped');
  says(`echo '{"warning":"careful"}'`);
  t.equal(await send('tool_call', call), undefined);
  t.match(await send('tool_result', result), { content: [text('secret'), text('careful\ncareful')] });
  t.match(await send('input', { text: 'hello' }), { action: 'transform', text: 'hello\n\ncareful' });
  for (const line of ['exit 1', 'echo nonsense', 'kill -9 $$']) {
    says(line);
    t.match(await send('tool_call', call), { block: true, reason: /could not run/ }, line);
  }
});

t.test('the plugin of opencode stops what the hook stops, and what it cannot decide', async (t) => {
  const folder = temporaryFolder(t);
  const program = join(folder, 'assize');
  const says = (line: string) => {
    writeFileSync(program, `#!/bin/sh\ncat > ${join(folder, 'event.json')}\n${line}\n`);
    chmodSync(program, 0o755);
  };
  const file = join(folder, 'plugins', 'assize.mjs');
  mkdirSync(dirname(file));
  await run('install', 'opencode', '--file', file, '--yes', '--program', program);
  const { Assize } = await import(file);
  const shown: object[] = [];
  const tui = { showToast: async ({ body }: { body: { message: string } }) => void shown.push(body) };
  let parentID: string | undefined;
  const session = { get: async () => ({ data: { parentID } }) };
  const hooks = await Assize({ directory: '/home/ada/shop', client: { tui, session } });
  const call = { tool: 'bash', sessionID: 's-1', callID: 'c-1' };
  const before = () => hooks['tool.execute.before'](call, { args: { command: 'ls' } });
  says('exit 0');
  await before();
  t.strictSame(json(join(folder, 'event.json')), {
    hook_event_name: 'PreToolUse',
    session_id: 's-1',
    parent_session_id: null,
    cwd: '/home/ada/shop',
    tool_name: 'bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'c-1',
  });
  says(`echo '{"stop":"no"}'`);
  await t.rejects(before(), { message: 'no' });
  const output = { title: 'ls', output: 'secret', metadata: { secret: 1 } };
  await hooks['tool.execute.after'](call, output);
  t.strictSame(output, {
    title: 'withheld',
    output: 'no',
    content: [{ type: 'text', text: 'no' }],
    metadata: {},
  });
  const message = () =>
    hooks['chat.message']({ sessionID: 's-1' }, { parts: [{ type: 'text', text: 'hello' }] });
  await t.rejects(message(), { message: 'no' });
  t.match(json(join(folder, 'event.json')), { hook_event_name: 'UserPromptSubmit', prompt: 'hello' });
  t.strictSame(shown, [], 'what is stopped is told by its error');
  says(`echo '{"warning":"careful"}'`);
  await before();
  const warned = { title: 'ls', output: 'a file', metadata: {} };
  says(`echo '{"warning":"and look"}'`);
  await hooks['tool.execute.after'](call, warned);
  t.equal(warned.output, 'a file\ncareful\nand look', 'warnings of the call and of its result');
  const again = { title: 'ls', output: 'a file', metadata: {} };
  says('exit 0');
  await hooks['tool.execute.after'](call, again);
  t.equal(again.output, 'a file', 'each is told once');
  says(`echo '{"warning":"careful"}'`);
  const parts = [{ type: 'file' }, { type: 'text', text: 'hello' }];
  await hooks['chat.message']({ sessionID: 's-1' }, { parts });
  t.strictSame(parts, [{ type: 'file' }, { type: 'text', text: 'hello\n\ncareful' }]);
  const warning = { title: 'Assize', variant: 'warning' };
  t.match(shown, [
    { ...warning, message: 'careful' },
    { ...warning, message: 'and look' },
    { ...warning, message: 'careful' },
  ]);
  for (const line of ['exit 1', 'echo nonsense', 'kill -9 $$']) {
    says(line);
    await t.rejects(before(), { message: /could not run/ }, line);
  }
  says('exit 0');
  parentID = 's-1';
  await hooks['tool.execute.before']({ ...call, sessionID: 's-2' }, { args: {} });
  t.match(json(join(folder, 'event.json')), { session_id: 's-2', parent_session_id: 's-1' });
  session.get = async () => {
    throw new Error('no');
  };
  const unknown = hooks['tool.execute.before']({ ...call, sessionID: 's-3' }, { args: {} });
  await t.rejects(unknown, { message: /could not run/ }, 'whose sub-agent it is must be known');
});
