import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from '@langchain/langgraph';
import { claudeAgentSdk } from './frameworks/claude-agent-sdk.mjs';
import { googleAdk } from './frameworks/google-adk.mjs';
import { langChain, langGraph } from './frameworks/langchain.mjs';
import { mastra } from './frameworks/mastra.mjs';
import { openAiAgents } from './frameworks/openai-agents.mjs';
import { strands } from './frameworks/strands.mjs';
import { voltAgent } from './frameworks/voltagent.mjs';
import { governed, other } from './governed.mjs';

// Each adapter in the framework that it is for, with a model whose turns are written down.

/** How a program pauses on a held call, and goes on whatever the reviewer said. */
const pausing = {
  'OpenAI Agents': ({ result }) => {
    for (const interruption of result.interruptions) result.state.approve(interruption);
    return result.interruptions.length > 0 && result.state;
  },
  LangChain: ({ result }) => result.__interrupt__?.length > 0 && new Command({ resume: true }),
};

const frameworks = {
  'OpenAI Agents': openAiAgents,
  LangChain: langChain,
  LangGraph: langGraph,
  Mastra: mastra,
  'Google ADK': googleAdk,
  Strands: strands,
  VoltAgent: voltAgent,
  'Claude Agent SDK': claudeAgentSdk,
};

/** Without a decision about the prompt, no model is asked. */
const evaluatesPrompts = new Set(['Claude Agent SDK']);
/** Whatever a hook returns. */
const alwaysShowsErrors = new Set(['Claude Agent SDK']);

/** Frameworks that give what waits for a reviewer no signal. */
const waitsAfterAborts = new Set(['OpenAI Agents', 'Claude Agent SDK']);

const pay = (amount) => ({ tool: 'pay', input: { amount } });
const arguments_ = 'input.?arguments.?amount.orValue(0)';

/** Why there is no decision, the client that meets it, and what the model reads. */
const noDecision = [
  ['service down', () => ({ url: 'http://127.0.0.1:9' }), /not done, because no decision could be made/],
  ['wrong key', () => ({ apiKey: `asz_live_${'x'.repeat(43)}` }), /not done, .*key/],
  [
    'no response in time',
    async (t) => ({ url: await other(t, () => {}), timeoutMs: 200 }),
    /not done, .*200 ms/,
  ],
  [
    "another server's response",
    async (t) => ({
      url: await other(t, (response) => response.writeHead(200).end('{"success":true,"data":{}}')),
    }),
    /not done, /,
  ],
];

for (const [name, framework] of Object.entries(frameworks)) {
  test(name, async (t) => {
    await t.test('a limit', async (t) => {
      const agent = await governed(t, framework, `${arguments_} > 10`, 'BLOCK');
      const { results } = await agent.run([pay(5), pay(50)]);
      await t.test('allowed: it runs', () => {
        assert.deepEqual(agent.paid, [5]);
        assert.match(results[0], /paid 5/);
      });
      await t.test('blocked: it does not run, and the model reads why', () => {
        assert.match(results[1], /blocked by policy: .*the-rule/);
      });
      await t.test('results evaluated: after each action that ran, in one session', async () => {
        const calls = (await agent.evaluations()).filter(({ phase }) => phase !== 'PROMPT');
        assert.deepEqual(
          calls.map(({ phase, enforcementAction }) => [phase, enforcementAction]),
          [
            ['ACTION', 'ALLOW'],
            ['RESULT', 'ALLOW'],
            ['ACTION', 'BLOCK'],
          ],
        );
      });
    });

    await t.test('warned: it runs', async (t) => {
      const agent = await governed(t, framework, 'tool.endsWith("pay")', 'WARN');
      await agent.run([pay(5)]);
      assert.deepEqual([agent.paid, agent.warnings.length], [[5], 1]);
    });

    await t.test('a review', async (t) => {
      const agent = await governed(t, framework, 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
      const { results } = await agent.run([
        pay(5),
        async () => {
          await agent.review('approve');
          return pay(5);
        },
        pay(5),
        async () => {
          await agent.review('reject', { comment: 'ask finance first' });
          return pay(5);
        },
      ]);
      await t.test('held: it does not run', () => assert.match(results[0], /waiting for approval/));
      await t.test('held, then approved: it runs once', () => {
        assert.match(results[1], /paid 5/);
        assert.match(results[2], /waiting for approval/);
        assert.deepEqual(agent.paid, [5]);
      });
      await t.test('held, then rejected: it does not run, and the model reads the comment', () => {
        assert.match(results[3], /ask finance first/);
      });
    });

    for (const [outcome, serverOf, reason] of noDecision)
      await t.test(`${outcome}: nothing runs, and the model reads why`, async (t) => {
        const agent = await governed(t, framework, 'false', 'BLOCK', await serverOf(t));
        const { results } = await agent.run([pay(5)]);
        assert.deepEqual(agent.paid, []);
        if (evaluatesPrompts.has(name)) assert.deepEqual(results, []);
        else assert.match(results[0], reason);
      });

    await t.test('results', async (t) => {
      const agent = await governed(t, framework, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', { on: 'RESULT' });
      const { results } = await agent.run([pay(5), { tool: 'fail', input: { amount: 1 } }]);
      await t.test('result blocked: the model reads the reason instead', () => {
        assert.deepEqual(agent.paid, [5]);
        assert.match(results[0], /blocked by policy/);
        assert.doesNotMatch(results[0], /bob@/);
      });
      if (alwaysShowsErrors.has(name)) return;
      await t.test('error blocked: the model does not read it', () => {
        // OpenAI Agents never tells its model what an error says.
        assert.match(results[1], /blocked by policy|error occurred/);
        assert.doesNotMatch(results[1], /bob@/);
      });
    });

    await t.test('parallel calls: as many run as the limit allows', async (t) => {
      const agent = await governed(t, framework, 'session.attemptCounts[?tool].orValue(0) >= 2', 'BLOCK');
      const { results } = await agent.run([[pay(1), pay(2), pay(3)]]);
      assert.equal(agent.paid.length, 2);
      assert.equal(results.filter((result) => /blocked by policy/.test(result)).length, 1);
    });

    await t.test('aborted while it is held: it does not run when it is approved later', async (t) => {
      const agent = await governed(t, framework, 'tool.endsWith("pay")', 'APPROVAL_REQUIRED', {
        waitMs: 60_000,
      });
      const abort = new AbortController();
      const run = agent.run([pay(5)], { signal: abort.signal }).catch((error) => error);
      await agent.held();
      abort.abort();
      await agent.review('approve');
      await run;
      assert.deepEqual(agent.paid, []);
      if (waitsAfterAborts.has(name)) return;
      const actions = (await agent.evaluations()).filter(({ phase }) => phase === 'ACTION');
      assert.equal(actions.length, 1, 'the approval was not used');
    });

    await t.test('arguments changed before the call: what runs is what was evaluated', async (t) => {
      const agent = await governed(t, framework, `${arguments_} > 10`, 'BLOCK');
      await agent.run([pay(5)], { mutate: ({ amount }) => ({ amount: amount * 10 }) });
      const { input } = (await agent.evaluations()).find(({ phase }) => phase === 'ACTION');
      assert.deepEqual(
        agent.paid.filter((amount) => amount !== input.arguments.amount),
        [],
      );
    });

    await t.test('an approval of one conversation: of no use in another', async (t) => {
      const agent = await governed(t, framework, 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
      await agent.run([pay(5)], { conversation: 'c-1' });
      await agent.review('approve');
      const other = await agent.run([pay(5)], { conversation: 'c-2' });
      assert.match(other.results[0], /waiting for approval/);
      const same = await agent.run([pay(5)], { conversation: 'c-1' });
      assert.match(same.results.at(-1), /paid 5/);
      assert.deepEqual(agent.paid, [5]);
    });
  });
}

/** Frameworks with a place where the tools of a model call can be chosen. */
for (const name of ['OpenAI Agents', 'LangChain', 'Mastra', 'Google ADK'])
  test(`${name} offers its model the tools that are not blocked now`, async (t) => {
    const paidOnce = 'tool == "pay" && session.toolCounts[?"pay"].orValue(0) >= 1';
    const agent = await governed(t, frameworks[name], paidOnce, 'BLOCK');
    const offers = [];
    await agent.run([pay(5), undefined], { offered: (names) => offers.push(names.toSorted()) });
    assert.deepEqual(offers.slice(0, 2), [['fail', 'pay'], ['fail']]);
    assert.deepEqual(agent.paid, [5]);
    const blind = await governed(t, frameworks[name], 'tool == "pay"', 'BLOCK', {
      url: 'http://127.0.0.1:9',
    });
    const all = [];
    const { results } = await blind.run([pay(5)], { offered: (names) => all.push(names.toSorted()) });
    assert.deepEqual(all[0], ['fail', 'pay'], 'without a response all are offered');
    assert.deepEqual(blind.paid, [], 'and no call runs');
    assert.match(results[0], /no decision could be made/);
  });

for (const [name, resumption] of Object.entries(pausing)) {
  test(`${name} pauses on a held call`, async (t) => {
    const agent = await governed(t, frameworks[name], 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
    const options = { onHold: 'interrupt' };
    for (const [outcome, decision, told, paid] of [
      ['resumed without a decision: it does not run', null, /waiting for approval/, []],
      ['resumed, but rejected: the model reads the comment', 'reject', /ask finance first/, []],
      ['resumed and approved: it runs', 'approve', /paid 5/, [5]],
    ])
      await t.test(outcome, async () => {
        const paused = await agent.run([pay(5)], { conversation: outcome, options });
        const state = resumption(paused);
        assert.ok(state, 'it is paused');
        assert.deepEqual([paused.results, agent.paid], [[], []]);
        if (decision) await agent.review(decision, { comment: 'ask finance first' });
        await paused.run(state);
        assert.match(paused.results[0], told);
        assert.deepEqual(agent.paid, paid);
      });
  });
}
