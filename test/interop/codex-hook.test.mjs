import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule } from '../helpers/policies.ts';
import { hooked, runs } from './hooked.mjs';

const blocksMarked = rule(runs('marked'), 'BLOCK');

test('Codex runs everything without a hook that it does not trust: install and doctor say so, and --trust mends it', async (t) => {
  const agent = await hooked(t, 'codex', blocksMarked, { flags: [] });
  const examined = () =>
    JSON.parse(agent.assize('doctor', '--json').stdout).find(({ check }) => check === 'hook of Codex');
  assert.match(
    agent.hook.install(),
    /Codex does not trust the hook: `codex exec` runs every tool without it/,
  );
  assert.equal(examined().status, 'fail');
  assert.match(examined().fix, /assize hook install codex --trust/);
  const { said } = await agent.run('Go on.', 'touch marked');
  assert.ok(agent.made('marked'), 'Codex runs it');
  assert.doesNotMatch(said, /trust/i, 'and says nothing about it');

  assert.equal(agent.hook.install('--trust'), '');
  assert.equal(examined().status, 'ok');
  await agent.run('Go on.', 'touch marked-too');
  assert.ok(!agent.made('marked-too'));

  assert.match(agent.hook.install('--limit-ms', '4000'), /does not trust/, 'a changed hook is another one');
});

test('Codex evaluates neither what is written to a running command nor what that prints', async (t) => {
  const agent = await hooked(t, 'codex', blocksMarked);
  const { results } = await agent.run(
    'Go on.',
    { tool: 'exec_command', input: { cmd: 'sh', tty: true, yield_time_ms: 500 } },
    ({ results }) => ({
      tool: 'write_stdin',
      input: {
        session_id: Number(/session ID (\d+)/.exec(results.at(-1))?.[1]),
        chars: 'touch marked; echo ada@example.com; exit\n',
        // At most: it answers once the command has ended.
        yield_time_ms: 20_000,
      },
    }),
  );
  assert.match(results[1], /ada@example\.com/);
  assert.ok(agent.made('marked'), 'openai/codex issue 46372: once this fails, correct docs/agents/codex.md');
});
