import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { command } from '../../../src/cli/command.ts';
import { type McpClientName, mcpClients, rewriteJson, rewriteToml } from '../../../src/cli/mcp/install.ts';
import { temporaryFolder } from '../../helpers/app.ts';

const before = (_: string, words: readonly string[]) => ['proxy', '--', ...words];

/** A settings file of a client, as a person wrote it, and the command on it. */
function settings(t: Test, text: string, name = 'settings.json') {
  const file = join(temporaryFolder(t), 'folder', name);
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  return {
    file,
    read: () => readFileSync(file, 'utf8'),
    async mcp(...words: string[]) {
      const said = { stdout: '', stderr: '' };
      const io = {
        stdout: { write: (text: string) => (said.stdout += text) },
        stderr: { write: (text: string) => (said.stderr += text) },
      };
      const code = await command(['mcp', ...words, '--file', file], io);
      return { code, ...said };
    },
  };
}

const json = (key: string, server: object) =>
  `// mine\n{\n\t"theme": "dark", /* keep */\n\t"${key}": {\n\t\t"my crm": ${JSON.stringify(server)},\n\t\t"remote": { "url": "https://example.com/mcp" },\n\t},\n}\n`;

const examples: Readonly<Record<McpClientName, string>> = {
  'claude-code': json('mcpServers', { type: 'stdio', command: 'npx', args: ['-y', 'crm'], env: {} }),
  'claude-desktop': json('mcpServers', { command: 'npx', args: ['-y', 'crm'] }),
  cursor: json('mcpServers', { command: 'npx', args: ['-y', 'crm'] }),
  vscode: json('servers', { type: 'stdio', command: 'npx', args: ['-y', 'crm'] }),
  codex:
    '# mine\nmodel = "x"\n\n[mcp_servers."my crm"]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  \'crm\',\n]\n\n[mcp_servers.remote]\nurl = "https://example.com/mcp"\n',
  'gemini-cli': json('mcpServers', { command: 'npx', args: ['-y', 'crm'], trust: false }),
  copilot: json('mcpServers', { type: 'local', command: 'npx', args: ['-y', 'crm'], tools: ['*'] }),
  opencode: json('mcp', { type: 'local', command: ['npx', '-y', 'crm'], enabled: true }),
  windsurf: json('mcpServers', { command: 'npx', args: ['-y', 'crm'] }),
  zed: json('context_servers', { source: 'custom', command: 'npx', args: ['-y', 'crm'] }),
  cline: json('mcpServers', { command: 'npx', args: ['-y', 'crm'], disabled: false }),
  'cline-cli': json('mcpServers', { command: 'npx', args: ['-y', 'crm'] }),
};

t.test('each client gets the proxy, keeps everything else, and gets its own text back', async (t) => {
  for (const [client, text] of Object.entries(examples)) {
    const { mcp, read, file } = settings(t, text);
    const config = join(dirname(file), 'hook.env');
    writeFileSync(config, 'ASSIZE_KEY=asz_live_x\n');
    const installed = await mcp('install', client, '--program', 'assize', '--config', config, '--yes');
    t.equal(installed.code, 0, `${client}: ${installed.stderr}`);
    const after = read();
    t.match(after, /mine/);
    t.match(
      after,
      /"mcp", "wrap", "--name", "my-crm", "--config", "[^"]+\/hook\.env", "--", "npx", "-y", "crm"\]/,
    );
    t.match(after, /"https:\/\/example\.com\/mcp"/);
    t.equal(readdirSync(dirname(file)).filter((name) => name.endsWith('.bak')).length, 1, 'a copy');
    const again = await mcp('install', client, '--program', 'assize', '--config', config, '--yes');
    t.match(again.stdout, /needs no change/, client);
    t.equal((await mcp('uninstall', client, '--yes')).code, 0);
    const spaces = (written: string) => written.replace(/#.*/g, '').replace(/[\s,']|"/g, '');
    t.equal(spaces(read()), spaces(text), client);
    t.match((await mcp('uninstall', client, '--yes')).stdout, /needs no change/);
  }
});

t.test('nothing is written without a yes, and a dry run shows the change', async (t) => {
  const { mcp, read } = settings(t, examples.cursor);
  const shown = await mcp('install', 'cursor', '--dry-run');
  t.equal(shown.code, 0);
  t.match(shown.stdout, /^\+.*"wrap"/m);
  t.equal((await mcp('install', 'cursor')).code, 2, 'nobody to ask');
  t.equal(read(), examples.cursor);
});

t.test('one server of several, and one that is not there', async (t) => {
  const two = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","args":[]}}}';
  const { mcp, read } = settings(t, two);
  t.equal((await mcp('install', 'cursor', '--server', 'b', '--program', 'p', '--yes')).code, 0);
  const { mcpServers } = JSON.parse(read());
  t.strictSame(mcpServers.a, { command: 'x' });
  t.match(mcpServers.b.args.join(' '), /^mcp wrap --name b .*-- y$/);
  const missing = await mcp('install', 'cursor', '--server', 'c', '--yes');
  t.match(missing, { code: 1, stderr: /starts no server c; it starts a, b/ });
});

t.test('servers of all projects of Claude Code, each name with a name of its own in rules', async (t) => {
  const { mcp, read } = settings(
    t,
    JSON.stringify({
      mcpServers: {
        'a b': { command: 'x' },
        'a-b': { command: 'y' },
        a__b: { command: 'z' },
        '..': { command: 'v' },
      },
      projects: { '/p': { mcpServers: { 'a b': { command: 'w' } } }, '/q': {} },
    }),
  );
  await mcp('install', 'claude-code', '--program', 'p', '--yes');
  const { mcpServers, projects } = JSON.parse(read());
  const named = (server: { args: string[] }) => server.args[3];
  t.strictSame(Object.values<{ args: string[] }>(mcpServers).map(named), ['a-b', 'a-b-2', 'a-b-3', 'server']);
  t.equal(named(projects['/p'].mcpServers['a b']), 'a-b');
});

t.test('what is not understood is left as it is', async (t) => {
  const broken = [
    '{"mcpServers": {"a": {"command": "x", }',
    '{"mcpServers": {"a": {"command": "x", "command": "y"}}}',
    '{"mcpServers": {"a": {"command": 7}}}',
    '{"mcpServers": {"a": {"command": "x", "args": "y"}}}',
    '{"mcpServers": {"a": {"command": "x", "args": [1]}}}',
  ];
  for (const text of broken) {
    const { mcp, read } = settings(t, text);
    t.match(await mcp('install', 'cursor', '--yes'), { code: 2, stderr: /is left as it is/ }, text);
    t.equal(read(), text);
  }
  t.throws(() => rewriteToml('[mcp_servers.a]\ncommand = "x"\nargs = ["a", 1]\n', before));
  t.equal((await settings(t, '{}').mcp('install', 'cursor', '--yes')).code, 0);
  const none = await command(['mcp', 'install', 'cursor', '--file', '/no/such/file', '--yes'], {
    stdout: { write: () => true },
    stderr: { write: () => true },
  });
  t.equal(none, 1);
});

t.test('forms of commands', async (t) => {
  const rewritten = (text: string) => rewriteJson(text, [['s']], before);
  t.equal(rewritten('{"s":{"a":{"command":"x"}}}'), '{"s":{"a":{"command":"proxy", "args": ["--", "x"]}}}');
  const nested = '{"s":{"a":{"command":{"path":"x","args":["y"]}}}}';
  t.equal(rewritten(nested), '{"s":{"a":{"command":{"path":"proxy","args":["--", "x", "y"]}}}}');
  t.equal(rewritten('{"s":{"a":{"note":"}//{\\"","url":"u"}}}'), '{"s":{"a":{"note":"}//{\\"","url":"u"}}}');
  const toml = `[mcp_servers.a]\ncommand = 'C:\\x' # "y"\n[mcp_servers.a.env]\ncommand = "no"\n[other]\ncommand = "no"\n`;
  t.equal(
    rewriteToml(toml, before),
    `[mcp_servers.a]\ncommand = "proxy"\nargs = ["--", "C:\\\\x"] # "y"\n[mcp_servers.a.env]\ncommand = "no"\n[other]\ncommand = "no"\n`,
  );
});

t.test('every client has a file of its own', async (t) => {
  const files = Object.values(mcpClients).map(({ own }) => own({}));
  t.equal(new Set(files).size, files.length);
});
