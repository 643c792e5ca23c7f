import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { program } from '../helpers/process.ts';
import { agents } from './hooked-agents.mjs';
import { adminKey, folderOf, packageFile, startService } from './service.mjs';

// Agents without any hook, with an MCP server behind the proxy, as `assize mcp install` puts it there.

const server = join(import.meta.dirname, 'crm-server.mjs');
const command = { command: process.execPath, args: [server] };
const called = (tool) => (to) => ({ tool, input: { to, body: 'hello' } });

/** Where each has its servers, how they are written there, and what its model calls the tool. */
const clients = {
  'claude-code': {
    file: '.claude/.claude.json',
    settings: { mcpServers: { crm: { type: 'stdio', ...command } } },
    call: called('mcp__crm__send_email'),
  },
  codex: {
    file: '.codex/config.toml',
    settings: `[mcp_servers.crm]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(server)}]\n`,
    call: (to) => ({ ...called('send_email')(to), namespace: 'mcp__crm' }),
  },
  'gemini-cli': {
    file: '.gemini/settings.json',
    settings: { mcpServers: { crm: command } },
    call: called('mcp_crm_send_email'),
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    settings: { mcpServers: { crm: { type: 'local', ...command, tools: ['*'] } } },
    call: called('crm-send_email'),
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    settings: { mcp: { crm: { type: 'local', command: [process.execPath, server], enabled: true } } },
    call: called('crm_send_email'),
  },
};

const policy = `
schemaVersion: 1
name: mail
rules:
  - id: not-to-eve
    when: mcp.server == "crm" && mcp.tool == "send_email" && arguments.to == "eve"
    effect: BLOCK
    message: eve gets no mail
  - id: ask
    when: tool == "mcp__crm__send_email" && arguments.to == "mallory"
    effect: APPROVAL_REQUIRED
`;

for (const [name, { file, settings, call }] of Object.entries(clients))
  test(`${name}: calls of an MCP tool are let through, blocked and held without a hook`, async (t) => {
    const service = await startService(t);
    const { id, key } = await service.integration('AGENT', { contentRetention: 'full' });
    await service.policy(id, policy);
    const place = { home: folderOf(t), project: folderOf(t) };
    const at = join(place.home, file);
    for (const one of [at, join(place.home, '.config/assize/hook.env')])
      mkdirSync(dirname(one), { recursive: true });
    writeFileSync(
      join(place.home, '.config/assize/hook.env'),
      `ASSIZE_URL=${service.base}\nASSIZE_KEY=${key}\n`,
    );
    const environment = {
      PATH: `${process.env.PATH}:${packageFile('.bin')}`,
      HOME: place.home,
      TMPDIR: place.home,
    };
    const agent = agents[name];
    const model = await agent.model(t, ['bob', 'eve', 'mallory'].map(call));
    const { command, args, env } = await agent.prepare(place, model, { t, environment });
    const before = existsSync(at) ? readFileSync(at, 'utf8') : '';
    const whole =
      typeof settings === 'string'
        ? `${before}\n${settings}`
        : JSON.stringify({ ...(before && JSON.parse(before)), ...settings }, null, 2);
    writeFileSync(at, whole);
    const installed = spawnSync(process.execPath, [program, 'mcp', 'install', name, '--yes', '--file', at], {
      cwd: place.project,
      encoding: 'utf8',
      env: environment,
    });
    assert.equal(installed.status, 0, installed.stderr);
    const child = spawn(command, [...args, 'Send the mails.'], {
      cwd: place.project,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 200_000,
    });
    const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    const told = JSON.stringify(model.results);
    assert.match(told, /sent to bob/, said);
    assert.match(told, /eve gets no mail/);
    assert.doesNotMatch(told, /sent to (?:eve|mallory)"/);
    assert.match(told, /waiting for approval \(review /);
    const { body } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
    assert.equal(body.data.length, 1);
    const { body: sessions } = await service.call(key, 'GET', '/v1/evaluation-sessions');
    assert.equal(sessions.data.length, 1, 'one session of the conversation');
    assert.deepEqual(sessions.data[0].toolsUsed, ['mcp__crm__send_email']);
  });
