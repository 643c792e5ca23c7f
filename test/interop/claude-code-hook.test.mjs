import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rule } from '../helpers/policies.ts';
import { program, root } from '../helpers/process.ts';
import { claudeCodeEnv, claudeCodePlace, runClaudeCode, toolUse } from './claude-code.mjs';
import { startService } from './service.mjs';

const bash = (command, more = {}) => toolUse('Bash', { command, ...more });
const allowed = ['--allowedTools', 'Bash,Read,mcp__crm'];

/** Claude Code with the hook installed as its user does it. */
async function hooked(t, policy, flags = []) {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, policy);
  const place = claudeCodePlace(t);
  mkdirSync(join(place.home, '.config/assize'), { recursive: true });
  const config = join(place.home, '.config/assize/hook.env');
  writeFileSync(config, `ASSIZE_URL=${service.base}\nASSIZE_KEY=${key}\n`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [program, 'hook', 'install', 'claude-code', '--yes', ...flags],
    { encoding: 'utf8', env: claudeCodeEnv(place) },
  );
  assert.equal(status, 0, stderr);
  return {
    place,
    run: (prompt, ...turns) => runClaudeCode(t, { place, prompt, turns, args: allowed }),
    sessions: async () => (await service.call(key, 'GET', '/v1/evaluation-sessions')).body.data,
  };
}

test('Claude Code has its sub-agents evaluated in sessions under its own, which end with it', async (t) => {
  const agent = await hooked(t, rule('tool == "Bash" && session.depth == 1', 'BLOCK'));
  const delegated = toolUse('Agent', {
    description: 'touch a file',
    prompt: 'Go.',
    subagent_type: 'general-purpose',
    run_in_background: false,
  });
  const { init } = await agent.run('Go.', [delegated], [bash('touch sub')]);
  assert.ok(!existsSync(join(agent.place.project, 'sub')));
  const sessions = await agent.sessions();
  const parent = sessions.find(({ externalSessionId }) => externalSessionId === init.session_id);
  const child = sessions.find(({ id }) => id !== parent.id);
  assert.equal(sessions.length, 2);
  assert.equal(child.externalSessionId.split('/')[0], parent.externalSessionId);
  assert.deepEqual([parent.blockCount, child.blockCount], [0, 1]);
  assert.deepEqual(parent.toolsUsed, ['Agent']);
  assert.deepEqual([parent.status, child.status], ['COMPLETED', 'COMPLETED']);
});

test('Claude Code tells its model of a warning about a result, and does not show it a file that was blocked', async (t) => {
  const results = `
schemaVersion: 1
name: results
rules:
  - { id: warns, on: [RESULT], when: tool == "Bash" && "EMAIL_ADDRESS" in dataTags, effect: WARN, severity: LOW }
  - { id: blocks, on: [RESULT], when: tool == "Read" && "EMAIL_ADDRESS" in dataTags, effect: BLOCK, severity: LOW }
`;
  const agent = await hooked(t, results);
  const customers = join(agent.place.project, 'customers.csv');
  writeFileSync(customers, 'name,email\nBob Example,bob@example.com\n');
  const { seen } = await agent.run(
    'Go.',
    [bash('echo ada@example.com')],
    [toolUse('Read', { file_path: customers })],
  );
  assert.match(seen, /Assize warns: /);
  assert.match(seen, /Assize blocks this: /);
  assert.doesNotMatch(seen, /bob@example/);
});

test('Claude Code does not run what is held, where nobody can be asked', async (t) => {
  const agent = await hooked(t, rule('tool == "Bash"', 'APPROVAL_REQUIRED'));
  const { results } = await agent.run('Go.', [bash('touch a')]);
  assert.equal(results.length, 1);
  assert.ok(!existsSync(join(agent.place.project, 'a')));
});

test('Claude Code goes on without a decision where its user said so', async (t) => {
  const flags = ['--program', '/nowhere/assize', '--on-failure', 'allow'];
  const agent = await hooked(t, rule('false', 'BLOCK'), flags);
  await agent.run('Go.', [bash('touch a')]);
  assert.ok(existsSync(join(agent.place.project, 'a')));
});

/** What the hook's own tests take for the agent's, a file an event. */
const fixtures = {
  'user-prompt-submit': ({ hook_event_name }) => hook_event_name === 'UserPromptSubmit',
  'pre-tool-use-bash': ({ hook_event_name, tool_name }) => hook_event_name + tool_name === 'PreToolUseBash',
  'post-tool-use-read': ({ hook_event_name, tool_name }) => hook_event_name + tool_name === 'PostToolUseRead',
  'pre-tool-use-mcp': ({ hook_event_name, tool_name }) =>
    hook_event_name === 'PreToolUse' && /^mcp__/.test(tool_name),
  stop: ({ hook_event_name }) => hook_event_name === 'Stop',
  'session-end': ({ hook_event_name }) => hook_event_name === 'SessionEnd',
};
const conversation = '00893aaf-19fa-41d2-8238-13269b9b3ca0';
/** What is another each time, and what stands for it. */
const standIns = {
  session_id: conversation,
  prompt_id: '7f3c2f0e-2a6b-4c62-9a3e-0b4a2d6f1c11',
  agent_id: 'a7d1f3c2',
  duration_ms: 12,
};

test('the hook inputs that other tests use are those of this Claude Code (RECORD=1 writes them anew)', async (t) => {
  const place = claudeCodePlace(t);
  const file = join(place.home, 'inputs.jsonl');
  const recorder = [{ hooks: [{ type: 'command', command: `{ cat; echo; } >> ${file}` }] }];
  const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
  mkdirSync(join(place.home, '.claude'));
  writeFileSync(
    join(place.home, '.claude/settings.json'),
    JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, recorder])) }),
  );
  const customers = join(place.project, 'customers.csv');
  writeFileSync(customers, 'name,email\nBob Example,bob@example.com\n');
  const crm = { command: process.execPath, args: [join(import.meta.dirname, 'crm-server.mjs')] };
  const { init } = await runClaudeCode(t, {
    place,
    prompt: 'Write to bob@example.com that his order is on its way.',
    args: [
      ...allowed,
      '--permission-mode',
      'acceptEdits',
      '--mcp-config',
      JSON.stringify({ mcpServers: { crm } }),
    ],
    turns: [
      [toolUse('Read', { file_path: customers })],
      [bash('npm test', { description: 'Run the tests', timeout: 120_000 })],
      [
        toolUse('Agent', {
          subagent_type: 'general-purpose',
          description: 'Write to Bob',
          prompt: 'Write to Bob.',
          run_in_background: false,
        }),
      ],
      [toolUse('mcp__crm__send_email', { to: 'bob@example.com', body: 'The order is on its way.' })],
    ],
  });
  const inPlace = (text) =>
    text
      .replaceAll(place.project.replace(/\W/g, '-'), '-home-ada-shop')
      .replaceAll(place.project, '/home/ada/shop')
      .replaceAll(place.home, '/home/ada')
      .replaceAll(init.session_id, conversation);
  const recorded = inPlace(readFileSync(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line, (name, value) => standIns[name] ?? value));
  for (const [name, isIt] of Object.entries(fixtures)) {
    const path = join(root, `test/fixtures/claude-code/${name}.json`);
    const input = recorded.find(isIt);
    if (process.env.RECORD === '1') writeFileSync(path, `${JSON.stringify(input, null, 2)}\n`);
    assert.deepEqual(input, JSON.parse(readFileSync(path, 'utf8')), name);
  }
});
