import assert from 'node:assert/strict';
import { test } from 'node:test';
import { other } from './governed.mjs';
import { hooked, runs } from './hooked.mjs';
import { agents } from './hooked-agents.mjs';

// The real programs under the hook as their users install it: a test for each outcome of docs/hooks.md. Starting a program takes
// most of the time, so one run of it has as many outcomes as it can. Outcomes that the hook alone decides, such as each way in which
// a service fails, are tested in test/cli/hook/: here the program obeys what the hook says then.

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
  - { id: later, when: '"SECRET" in session.dataTags && ${runs('mail')}', effect: BLOCK, severity: LOW }
  - { id: address, on: [RESULT], when: '"EMAIL_ADDRESS" in dataTags', effect: BLOCK, severity: LOW }
  - { id: prompt, on: [PROMPT], when: input.prompt.contains("Stop here."), effect: BLOCK, severity: LOW }
  - { id: warned-prompt, on: [PROMPT], when: input.prompt.contains("Warn me."), effect: WARN, severity: LOW }
  - { id: warned-result, on: [RESULT], when: '"MARKED" in dataTags', effect: WARN, severity: LOW }
`;

const address = 'printf "%s@%s" bob example.com';

for (const [name, { stopsRuns, resume, silentPrompts, failing, alwaysShowsErrors = false }] of Object.entries(
  agents,
)) {
  if (stopsRuns) continue;
  test(name, async (t) => {
    const agent = await hooked(t, name, policy);
    agent.hook.putOwn();
    // A busy machine takes a while; where there is no response, nothing is gained by waiting as long.
    agent.hook.install('--program', agent.hook.own, '--limit-ms', '20000');
    const hanging = await other(t, () => {});
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
      marked: 'echo xyzzy123',
      result: address,
      error: `${address}; exit 3`,
      ...(failing && { failed: failing }),
      secret: 'printf "plugh%d" 123',
      leak: 'touch send-at-once',
      dead: () => {
        agent.hook.configure({ url: 'http://127.0.0.1:9' });
        return 'touch dead';
      },
      hanging: () => {
        agent.hook.configure({ url: hanging });
        agent.hook.putOwn('--limit-ms 1000');
        return 'touch hanging';
      },
      gone: () => {
        agent.hook.configure();
        agent.hook.removeOwn();
        return 'touch unhooked';
      },
      end: () => agent.hook.putOwn(),
    };
    const { results, seen, said } = await agent.run('Go on. Warn me.', ...Object.values(turns));
    agent.hook.putOwn();
    const told = Object.fromEntries(Object.keys(turns).map((turn, index) => [turn, results[index]]));

    await t.test('allowed: it runs', () => assert.ok(agent.made('allowed')));
    await t.test('warned: it runs', () => assert.ok(agent.made('warned')));
    await t.test('prompt, action and result warned: the model or the person reads why', () => {
      for (const rule of ['warned-prompt', 'warned', 'warned-result'])
        assert.match(`${seen} ${said}`, new RegExp(`Assize warns: matched the rule \\W*${rule}\\W`), rule);
    });
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
      assert.equal(/bob@example/.test(told.error), alwaysShowsErrors);
      assert.ok(seen.match(reason).length > 1);
    });
    if (failing) {
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
    await t.test('what it saw counts from then on', () => {
      assert.match(told.leak, /Assize blocks this: matched the rule \W*leak/);
      assert.ok(!agent.made('send-at-once'));
    });
    await t.test('service down, or without a response: nothing runs, and the model reads why', () => {
      for (const kind of ['dead', 'hanging']) {
        assert.ok(!agent.made(kind), kind);
        assert.match(told[kind], /Assize could not decide/);
      }
    });
    await t.test("the hook's program is gone: no tool runs", () => assert.ok(!agent.made('unhooked')));
    await t.test('what is evaluated: the prompt, each action and each result, in one session', async () => {
      const sessions = await agent.evaluations();
      assert.equal(sessions.length, 1);
      const listed = sessions[0].map(({ phase, enforcementAction }) => `${phase} ${enforcementAction}`);
      assert.deepEqual(listed.slice(0, 6), [
        'PROMPT WARN',
        'ACTION ALLOW',
        'RESULT ALLOW',
        'ACTION WARN',
        'RESULT ALLOW',
        'ACTION BLOCK',
      ]);
    });

    if (!resume) {
      await t.test('prompt blocked: no model sees it', async () => {
        const stopped = await agent.run('Stop here.', 'touch prompted');
        assert.ok(!agent.made('prompted'));
        assert.deepEqual(stopped.results, []);
        assert.doesNotMatch(stopped.seen, /Stop here/);
      });
      return;
    }
    await t.test('resumed: what the first run saw counts, until an operator ends the session', async () => {
      const { seen } = await agent.resume('Go on.', 'touch mailed', 'touch harmless', async () => {
        await agent.stop();
        return 'touch stopped';
      });
      assert.match(seen, /plugh123/, 'the model still has it');
      assert.ok(!agent.made('mailed'));
      assert.match(seen, /Assize blocks this: matched the rule \W*later/);
      assert.ok(agent.made('harmless'), 'and what the rule does not stop runs');
      assert.ok(!agent.made('stopped'));
    });
    await t.test('what an operator ended is not resumed, and no model sees the prompt', async () => {
      const { seen, said } = await agent.resume('Go further.', 'touch resumed');
      assert.ok(!agent.made('resumed'));
      assert.doesNotMatch(seen, /Go further/);
      if (!silentPrompts)
        assert.match(`${seen} ${said}`, /session\s+cannot be continued:\s+an operator ended it/);
    });
  });
}
