import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { blocksOf } from '../docs/blocks.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { claudeCodeEnv, claudeCodePlace, launcher, startConnected } from './claude-code.mjs';
import { adminKey, folderOf, startService } from './service.mjs';

// Every block of docs/mcp.md, as a reader would use it: programs run, configurations are read and connected by.

const address = 'http://127.0.0.1:3000';
const info = { name: 'assize-docs', version: '1.0.0' };
const here = import.meta.dirname;

async function serving(t) {
  const service = await startService(t);
  const { key } = await service.integration('MCP_SERVER');
  const env = { ...process.env, ASSIZE_KEY: key, ASSIZE_ADMIN_KEY: adminKey };
  return { env, key, at: (text) => text.replaceAll(address, service.base) };
}

/** Not on the service's own loop: it must answer meanwhile. */
const run = (file, args, env, cwd = here) =>
  new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
  });

async function toolCount(t, client, transport) {
  t.after(() => client.close());
  await client.connect(transport);
  return (await client.listTools()).tools.length;
}

/** What stands behind each block's last line, to see that it did connect. */
const programChecks = [
  [/@ai-sdk\/mcp/, 'if (Object.keys(tools).length !== 6) throw new Error("tools"); await client.close();'],
  [
    /@openai\/agents/,
    'if ((await assize.listTools()).length !== 6) throw new Error("tools"); await assize.close();',
  ],
  [/@langchain\/mcp-adapters/, 'if (tools.length !== 6) throw new Error("tools"); await client.close();'],
];

async function runProgram(t, { body }) {
  const check = programChecks.find(([imports]) => imports.test(body));
  assert.ok(check, 'a program that nothing checks');
  const { env, at } = await serving(t);
  const folder = mkdtempSync(join(here, '.docs-'));
  t.after(() => removeFolder(folder));
  writeFileSync(join(folder, 'program.ts'), `${at(body)}\n${check[1]}\n`);
  const { code, stderr } = await run(process.execPath, [join(folder, 'program.ts')], env);
  assert.equal(code, 0, stderr);
}

/** Clients put variables and inputs into their configuration, each in its own way of writing them. */
const filled = (text, values) => text.replace(/\$\{(?:env:|input:)?([\w-]+)\}/g, (_, name) => values[name]);

/** With nothing but what is in its home and in the project. */
async function connectsClaudeCode(t, place, env) {
  const { init } = await startConnected(t, { place, turns: [], env });
  assert.deepEqual(
    init.mcp_servers.map(({ name, status }) => ({ name, status })),
    [{ name: 'assize', status: 'connected' }],
  );
}

async function connectBy(t, { body }) {
  const { key, at } = await serving(t);
  const config = JSON.parse(at(body));
  if (config.mcpServers?.assize.type === 'http') {
    const place = claudeCodePlace(t);
    writeFileSync(join(place.project, '.mcp.json'), at(body));
    mkdirSync(join(place.home, '.claude'));
    // What its user is asked for the first time.
    writeFileSync(join(place.home, '.claude/settings.json'), '{"enableAllProjectMcpServers":true}');
    await connectsClaudeCode(t, place, { ASSIZE_KEY: key });
    return;
  }
  const servers = Object.values(config.mcpServers ?? config.servers);
  assert.equal(servers.length, 1);
  const [{ url, headers, command, args, env = {} }] = servers;
  if (command === undefined) {
    const values = { ASSIZE_KEY: key, 'assize-key': key };
    const requestInit = {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, filled(value, values)]),
      ),
    };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
    assert.equal(await toolCount(t, new Client(info), transport), 6);
    return;
  }
  // `npx` would look for the program in the registry; here it is what the workspace installed.
  assert.equal(command, 'npx');
  const [program, ...rest] = args.filter((arg) => arg !== '-y');
  const own = folderOf(t);
  const given = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace('asz_live_…', key)]),
  );
  const transport = new StdioClientTransport({
    command: join(here, 'node_modules/.bin', program),
    args: rest,
    env: { ...process.env, ...given, HOME: own, MCP_REMOTE_CONFIG_DIR: own },
    stderr: 'ignore',
  });
  assert.equal(await toolCount(t, new LegacyClient(info), transport), 6);
}

async function runShell(t, { body }) {
  const { env, at } = await serving(t);
  if (/^claude /m.test(body)) {
    const place = claudeCodePlace(t);
    const script = `claude() { "${process.execPath}" "${launcher}" "$@"; }\n${at(body)}`;
    const { code, stderr } = await run(
      'bash',
      ['-euc', script],
      { ...env, ...claudeCodeEnv(place) },
      place.project,
    );
    assert.equal(code, 0, stderr);
    await connectsClaudeCode(t, place);
    return;
  }
  const { code, stdout, stderr } = await run('bash', ['-euc', at(body)], env);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /"success":true/);
}

const runners = { sh: runShell, ts: runProgram, json: connectBy };

for (const block of blocksOf('docs/mcp.md'))
  test(`docs/mcp.md:${block.line}: the ${block.language} block works`, async (t) => {
    assert.ok(block.language in runners, `nothing runs ${block.language} blocks`);
    await runners[block.language](t, block);
  });
