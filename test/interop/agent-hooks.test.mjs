import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { program } from '../helpers/process.ts';
import { agents } from './hooked-agents.mjs';
import { adminKey, folderOf, startService } from './service.mjs';

// The real programs under the hook as their users install it: a test for each outcome of docs/hooks.md. Starting a program takes
// most of the time, so one run of it has as many outcomes as it can.

const policy = `
schemaVersion: 1
name: outcomes
detectors:
  - { tag: MARKED, category: MARKS, pattern: 'xyzzy\\d{3}' }
  - { tag: SECRET, category: MARKS, pattern: 'plugh\\d{3}' }
rules:
  - { id: warned, when: arguments.?command.orValue("").contains("warned"), effect: WARN, severity: LOW }
  - { id: held, when: arguments.?command.orValue("").contains("held"), effect: APPROVAL_REQUIRED, severity: LOW }
  - { id: blocked, when: arguments.?command.orValue("").contains("blocked"), effect: BLOCK, severity: LOW }
  - { id: leak, when: '"SECRET" in session.dataTags && arguments.?command.orValue("").contains("send")', effect: BLOCK, severity: LOW }
  - { id: address, on: [RESULT], when: '"EMAIL_ADDRESS" in dataTags', effect: BLOCK, severity: LOW }
  - { id: prompt, on: [PROMPT], when: input.prompt == "Stop.", effect: BLOCK, severity: LOW }
  - { id: warned-prompt, on: [PROMPT], when: input.prompt == "Warn.", effect: WARN, severity: LOW }
  - { id: warned-result, on: [RESULT], when: '"MARKED" in dataTags', effect: WARN, severity: LOW }
`;
const wrongKey = `asz_live_${'x'.repeat(43)}`;
const nowhere = 'http://127.0.0.1:9';

/** An agent in a home and a project of its own, with the hook installed. */
async function hooked(t, name) {
  const agent = agents[name];
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, policy);
  const place = { home: folderOf(t), project: folderOf(t) };
  const environment = { PATH: process.env.PATH, HOME: place.home, TMPDIR: place.home };
  for (const file of ['.config/assize/hook.env', agent.settings])
    mkdirSync(dirname(join(place.home, file)), { recursive: true });
  const hook = {
    /** The file with the address and the key of the service, which the hook reads each time. */
    configure({ url = service.base, apiKey = key } = {}) {
      const lines = `ASSIZE_URL=${url}\nASSIZE_KEY=${apiKey}\n`;
      writeFileSync(join(place.home, '.config/assize/hook.env'), lines);
    },
    install(...flags) {
      const file = join(place.home, agent.settings);
      const args = ['hook', 'install', name, '--file', file, '--yes', ...(agent.flags ?? []), ...flags];
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
        encoding: 'utf8',
        env: environment,
      });
      assert.equal(status, 0, stderr);
    },
  };
  hook.configure();
  hook.install();
  async function start(more, prompt, turns) {
    const model = await agent.model(t, turns);
    const { command, args, env } = agent.prepare(place, model);
    const child = spawn(command, [...args.slice(0, -1), ...more, ...args.slice(-1), prompt], {
      cwd: place.project,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    return Object.assign(model, { said: said.join('') });
  }
  return {
    hook,
    made: (file) => existsSync(join(place.project, file)),
    read: (file) => readFileSync(join(place.project, file), 'utf8'),
    run: (prompt, ...turns) => start([], prompt, turns),
    /** Goes on with the last conversation. */
    resume: (prompt, ...turns) => start(agent.resume, prompt, turns),
    async review(verb, body = {}) {
      const { body: found } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
      await service.call(adminKey, 'POST', `/v1/reviews/${found.data[0].id}/${verb}`, body);
    },
    /** As an operator, with what ends a session when nothing else is said. */
    async stop() {
      const { body } = await service.call(adminKey, 'GET', '/v1/evaluation-sessions?status=ACTIVE');
      for (const { id } of body.data)
        await service.call(adminKey, 'POST', `/v1/evaluation-sessions/${id}/end`);
    },
    /** Those of each session. */
    async evaluations() {
      const { body } = await service.call(key, 'GET', '/v1/evaluation-sessions');
      const listed = body.data.map(async ({ id }) => {
        const path = `/v1/evaluation-sessions/${id}/evaluations?size=50`;
        return (await service.call(key, 'GET', path)).body.data.reverse();
      });
      return Promise.all(listed);
    },
  };
}

const address = 'printf "%s@%s" bob example.com';

for (const name of Object.keys(agents)) {
  test(name, async (t) => {
    const agent = await hooked(t, name);
    const turns = {
      allowed: 'touch allowed',
      warned: 'touch warned',
      blocked: 'touch blocked',
      held: 'echo once >> held',
      approved: async () => {
        await agent.review('approve');
        return 'echo once >> held';
      },
      refusable: 'touch held-too',
      rejected: async () => {
        await agent.review('reject', { comment: 'ask finance first' });
        return 'touch held-too';
      },
      again: 'echo once >> held',
      result: address,
      error: `${address}; exit 3`,
      ...(agents[name].failing && { failed: agents[name].failing }),
      unknown: () => {
        agent.hook.configure({ apiKey: wrongKey });
        return 'touch unknown';
      },
      down: () => {
        agent.hook.configure({ url: nowhere });
        return 'touch down';
      },
      end: () => agent.hook.configure(),
    };
    const { results, seen } = await agent.run('Go.', ...Object.values(turns));
    const told = Object.fromEntries(Object.keys(turns).map((turn, index) => [turn, results[index]]));

    await t.test('allowed: it runs', () => assert.ok(agent.made('allowed')));
    await t.test('warned: it runs', () => assert.ok(agent.made('warned')));
    await t.test('blocked: it does not run, and the model reads why', () => {
      assert.ok(!agent.made('blocked'));
      assert.match(told.blocked, /Assize blocks this: .*blocked/);
    });
    await t.test('held, then approved: it runs once', () => {
      assert.match(told.held, /Assize holds this for approval/);
      assert.doesNotMatch(told.approved, /Assize/);
      assert.match(told.again, /Assize holds this for approval/);
      assert.equal(agent.read('held'), 'once\n');
    });
    await t.test('held, then rejected: it does not run, and the model reads the comment', () => {
      assert.match(told.rejected, /ask finance first/);
      assert.ok(!agent.made('held-too'));
    });
    const reason = /Assize blocks this: matched the rule \W*address/g;
    await t.test('result blocked: the model reads the reason instead', () => {
      assert.doesNotMatch(told.result, /bob@example/);
      assert.match(seen, reason);
    });
    await t.test('error of a command blocked: the model reads the reason', () => {
      assert.equal(/bob@example/.test(told.error), agents[name].alwaysShowsErrors ?? false);
      assert.ok(seen.match(reason).length > 1);
    });
    if (told.failed) {
      await t.test('error of a failed tool blocked: the model reads the reason beside it', async () => {
        assert.match(told.failed, /ada@example/);
        assert.match(seen, /\bcreate\W+failed\. .{0,80}Assize blocks this: matched the rule \W*address/);
        const [session] = await agent.evaluations();
        assert.deepEqual(
          session
            .filter(({ status }) => status === 'FAILED')
            .map(({ enforcementAction }) => enforcementAction),
          ['BLOCK'],
        );
      });
    }
    await t.test('wrong key: nothing runs, and the model reads why', () => {
      assert.ok(!agent.made('unknown'));
      assert.match(told.unknown, /Assize could not decide.*key/);
    });
    await t.test('service down: nothing runs, and the model reads why', () => {
      assert.ok(!agent.made('down'));
      assert.match(told.down, /Assize could not decide/);
    });
    await t.test('what is evaluated: the prompt, each action and each result, in one session', async () => {
      const sessions = await agent.evaluations();
      assert.equal(sessions.length, 1);
      const listed = sessions[0].map(({ phase, enforcementAction }) => `${phase} ${enforcementAction}`);
      assert.deepEqual(listed.slice(0, 6), [
        'PROMPT ALLOW',
        'ACTION ALLOW',
        'RESULT ALLOW',
        'ACTION WARN',
        'RESULT ALLOW',
        'ACTION BLOCK',
      ]);
    });

    await t.test('prompt, action and result warned: the model or the person reads why', async () => {
      const { seen, said } = await agent.run('Warn.', 'touch warned-too', 'echo xyzzy123');
      assert.ok(agent.made('warned-too'));
      for (const rule of ['warned-prompt', 'warned', 'warned-result'])
        assert.match(`${seen} ${said}`, new RegExp(`Assize warns: matched the rule \\W*${rule}\\W`), rule);
    });
    await t.test('prompt blocked: no model sees it', async () => {
      const stopped = await agent.run('Stop.', 'touch prompted');
      assert.ok(!agent.made('prompted'));
      assert.deepEqual(stopped.results, []);
      assert.doesNotMatch(stopped.seen, /Stop\./);
    });
    await t.test('service down from the start: no tool runs', async () => {
      agent.hook.configure({ url: nowhere });
      await agent.run('Go.', 'touch unserved');
      agent.hook.configure();
      assert.ok(!agent.made('unserved'));
    });
    await t.test("the hook's program is gone: no tool runs", async () => {
      agent.hook.install('--program', '/nowhere/assize');
      await agent.run('Go.', 'touch unhooked');
      assert.ok(!agent.made('unhooked'));
    });
  });
}

for (const [name, { resume }] of Object.entries(agents)) {
  if (!resume) continue;
  test(`${name}, resumed`, async (t) => {
    const agent = await hooked(t, name);
    await agent.run('Go.', 'printf "plugh%d" 123', 'touch send-at-once');
    assert.ok(!agent.made('send-at-once'), 'the rule holds in the conversation');

    await t.test('what the first run saw counts in the next ones', async () => {
      for (const file of ['send-later', 'send-much-later']) {
        const { seen } = await agent.resume('Go on.', `touch ${file}`, 'touch harmless');
        assert.match(seen, /plugh123/, 'the model still has it');
        assert.ok(!agent.made(file));
        assert.match(seen, /Assize blocks this: matched the rule \W*leak/);
        assert.ok(agent.made('harmless'), 'and what the rule does not stop runs');
      }
    });
    await t.test('a new conversation has not seen it', async () => {
      await agent.run('Go.', 'touch send-anew');
      assert.ok(agent.made('send-anew'));
    });
    await t.test('what an operator ended is not resumed', async () => {
      await agent.run('Go.', async () => {
        await agent.stop();
        return 'touch stopped';
      });
      assert.ok(!agent.made('stopped'));
      const { seen, said } = await agent.resume('Go on.', 'touch resumed');
      assert.ok(!agent.made('resumed'));
      assert.match(`${seen} ${said}`, /session\s+cannot be continued:\s+an operator ended it/);
    });
  });
}
