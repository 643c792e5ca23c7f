import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failingServices, hooked, runs } from './hooked.mjs';
import { agents } from './hooked-agents.mjs';

// The real programs under the hook as their users install it: a test for each outcome of docs/hooks.md. Starting a program takes
// most of the time, so one run of it has as many outcomes as it can.

const policy = `
schemaVersion: 1
name: outcomes
detectors:
  - { tag: MARKED, category: MARKS, pattern: 'xyzzy\\d{3}' }
  - { tag: SECRET, category: MARKS, pattern: 'plugh\\d{3}' }
rules:
  - { id: warned, when: '${runs('warned')}', effect: WARN, severity: LOW }
  - { id: held, when: '${runs('held')}', effect: APPROVAL_REQUIRED, severity: LOW }
  - { id: blocked, when: '${runs('blocked')}', effect: BLOCK, severity: LOW }
  - { id: leak, when: '"SECRET" in session.dataTags && ${runs('send')}', effect: BLOCK, severity: LOW }
  - { id: address, on: [RESULT], when: '"EMAIL_ADDRESS" in dataTags', effect: BLOCK, severity: LOW }
  - { id: prompt, on: [PROMPT], when: input.prompt.contains("Stop here."), effect: BLOCK, severity: LOW }
  - { id: warned-prompt, on: [PROMPT], when: input.prompt.contains("Warn me."), effect: WARN, severity: LOW }
  - { id: warned-result, on: [RESULT], when: '"MARKED" in dataTags', effect: WARN, severity: LOW }
`;
const wrongKey = `asz_live_${'x'.repeat(43)}`;

const address = 'printf "%s@%s" bob example.com';

for (const [name, { stopsRuns }] of Object.entries(agents)) {
  if (stopsRuns) continue;
  test(name, async (t) => {
    const agent = await hooked(t, name, policy, { always: ['--limit-ms', '3000'] });
    const services = await failingServices(t);
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
      ...Object.fromEntries(
        Object.entries(services).map(([kind, url]) => [
          kind,
          () => {
            agent.hook.configure({ url });
            return `touch "${kind}"`;
          },
        ]),
      ),
      end: () => agent.hook.configure(),
    };
    const { results, seen } = await agent.run('Go on.', ...Object.values(turns));
    const told = Object.fromEntries(Object.keys(turns).map((turn, index) => [turn, results[index]]));

    await t.test('allowed: it runs', () => assert.ok(agent.made('allowed')));
    await t.test('warned: it runs', () => assert.ok(agent.made('warned')));
    await t.test('blocked: it does not run, and the model reads why', () => {
      assert.ok(!agent.made('blocked'));
      assert.match(told.blocked, /Assize blocks this: .*blocked/);
    });
    await t.test('held, then approved: it runs once', () => {
      assert.match(told.held, /Assize holds this for approval.*[Mm]ake the same call again after/s);
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
    for (const kind of Object.keys(services)) {
      await t.test(`service ${kind}: nothing runs, and the model reads why`, () => {
        assert.ok(!agent.made(kind));
        assert.match(told[kind], /Assize could not decide/);
      });
    }
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
      const { seen, said } = await agent.run('Warn me.', 'touch warned-too', 'echo xyzzy123');
      assert.ok(agent.made('warned-too'));
      for (const rule of ['warned-prompt', 'warned', 'warned-result'])
        assert.match(`${seen} ${said}`, new RegExp(`Assize warns: matched the rule \\W*${rule}\\W`), rule);
    });
    await t.test('prompt blocked: no model sees it', async () => {
      const stopped = await agent.run('Stop here.', 'touch prompted');
      assert.ok(!agent.made('prompted'));
      assert.deepEqual(stopped.results, []);
      assert.doesNotMatch(stopped.seen, /Stop here/);
    });
    await t.test('service down from the start: no tool runs', async () => {
      agent.hook.configure({ url: services.dead });
      await agent.run('Go on.', 'touch unserved');
      agent.hook.configure();
      assert.ok(!agent.made('unserved'));
    });
    await t.test("the hook's program is gone: no tool runs", async () => {
      agent.hook.install('--program', '/nowhere/assize');
      await agent.run('Go on.', 'touch unhooked');
      assert.ok(!agent.made('unhooked'));
    });
  });
}

for (const [name, { resume, silentPrompts }] of Object.entries(agents)) {
  if (!resume) continue;
  test(`${name}, resumed`, async (t) => {
    const agent = await hooked(t, name, policy);
    await agent.run('Go on.', 'printf "plugh%d" 123', 'touch send-at-once');
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
      await agent.run('Go on.', 'touch send-anew');
      assert.ok(agent.made('send-anew'));
    });
    await t.test('what an operator ended is not resumed', async () => {
      await agent.run('Go on.', async () => {
        await agent.stop();
        return 'touch stopped';
      });
      assert.ok(!agent.made('stopped'));
      const { seen, said } = await agent.resume('Go on.', 'touch resumed');
      assert.ok(!agent.made('resumed'));
      if (!silentPrompts)
        assert.match(`${seen} ${said}`, /session\s+cannot be continued:\s+an operator ended it/);
    });
  });
}
