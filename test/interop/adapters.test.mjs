import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Command } from '@langchain/langgraph';
import { z } from 'zod';
import { createAssizeClient, createGate } from '../../lib/client/index.js';
import { rule } from '../helpers/policies.ts';
import { claudeAgentSdk } from './frameworks/claude-agent-sdk.mjs';
import { googleAdk } from './frameworks/google-adk.mjs';
import { langChain, langGraph } from './frameworks/langchain.mjs';
import { mastra } from './frameworks/mastra.mjs';
import { openAiAgents } from './frameworks/openai-agents.mjs';
import { strands } from './frameworks/strands.mjs';
import { voltAgent } from './frameworks/voltagent.mjs';
import { adminKey, startService } from './service.mjs';

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

const pay = (amount) => ({ tool: 'pay', input: { amount } });
const arguments_ = 'input.?arguments.?amount.orValue(0)';

/** The service under a policy of one rule, and agents on it that pay. */
async function governed(t, framework, when, effect, { on = 'ACTION', ...server } = {}) {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, rule(when, effect).replace('    when:', `    on: [${on}]\n    when:`));
  const paid = [];
  const warnings = [];
  const client = createAssizeClient({
    url: service.base,
    apiKey: key,
    retries: 0,
    timeoutMs: 2_000,
    ...server,
  });
  const gate = createGate({ client, onWarn: (evaluation) => warnings.push(evaluation) });
  const parameters = z.object({ amount: z.number() });
  const tools = [
    {
      name: 'pay',
      parameters,
      execute: async ({ amount }) => {
        paid.push(amount);
        return `paid ${amount} to bob@example.com`;
      },
    },
    {
      name: 'fail',
      parameters,
      execute: async () => {
        throw new Error('bob@example.com is unknown');
      },
    },
  ];
  return {
    ...service,
    key,
    paid,
    warnings,
    /** Lets the model make these calls, one turn after the other; returns what it was told of each. */
    async run(turns, { conversation = 'c-1', mutate, options } = {}) {
      const left = [...turns];
      const told = { results: [] };
      const next = async (results) => {
        told.results = results;
        const turn = left.shift();
        const calls = typeof turn === 'function' ? await turn() : turn;
        return (
          calls &&
          [calls]
            .flat()
            .map((call, index) => ({ id: `call-${turns.length - left.length}-${index}`, ...call }))
        );
      };
      const agent = await framework({ t, gate, tools, next, mutate, conversation }, options);
      return Object.assign(told, agent);
    },
    async review(verb, body = {}) {
      const { body: found } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
      await service.call(adminKey, 'POST', `/v1/reviews/${found.data[0].id}/${verb}`, body);
    },
    async evaluations() {
      const { body } = await service.call(key, 'GET', '/v1/evaluation-sessions');
      assert.equal(body.data.length, 1);
      const path = `/v1/evaluation-sessions/${body.data[0].id}/evaluations`;
      return (await service.call(key, 'GET', path)).body.data.reverse();
    },
  };
}

/** A server that is not Assize. */
async function other(t, respond) {
  const server = createServer((_, response) => respond(response));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

for (const [name, framework] of Object.entries(frameworks)) {
  test(`${name}: runs what is allowed, not what is blocked, in one session, with its results`, async (t) => {
    const agent = await governed(t, framework, `${arguments_} > 10`, 'BLOCK');
    const { results } = await agent.run([pay(5), pay(50)]);
    assert.deepEqual(agent.paid, [5]);
    assert.match(results[0], /paid 5/);
    assert.match(results[1], /blocked by policy: .*the-rule/);
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

  test(`${name}: goes on after a warning`, async (t) => {
    const agent = await governed(t, framework, 'tool.endsWith("pay")', 'WARN');
    await agent.run([pay(5)]);
    assert.deepEqual([agent.paid, agent.warnings.length], [[5], 1]);
  });

  test(`${name}: runs a held call once it is approved, and reads why one was rejected`, async (t) => {
    const agent = await governed(t, framework, 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
    const { results } = await agent.run([
      pay(5),
      async () => {
        await agent.review('approve');
        return pay(5);
      },
      pay(6),
      async () => {
        await agent.review('reject', { comment: 'ask finance first' });
        return pay(6);
      },
    ]);
    assert.match(results[0], /waiting for approval/);
    assert.match(results[1], /paid 5/);
    assert.match(results[3], /ask finance first/);
    assert.deepEqual(agent.paid, [5]);
  });

  test(`${name}: runs nothing without a decision, and its model reads why`, async (t) => {
    const blackHole = await other(t, () => {});
    const stranger = await other(t, (response) => response.writeHead(200).end('{"success":true,"data":{}}'));
    for (const [server, reason] of [
      [{ url: 'http://127.0.0.1:9' }, /not done, because no decision could be made/],
      [{ apiKey: `asz_live_${'x'.repeat(43)}` }, /not done, .*key/],
      [{ url: blackHole, timeoutMs: 200 }, /not done, .*200 ms/],
      [{ url: stranger }, /not done, /],
    ]) {
      const agent = await governed(t, framework, 'false', 'BLOCK', server);
      const { results } = await agent.run([pay(5)]);
      assert.deepEqual(agent.paid, [], JSON.stringify(server));
      if (evaluatesPrompts.has(name)) assert.deepEqual(results, []);
      else assert.match(results[0], reason);
    }
  });

  test(`${name}: shows its model neither a blocked result nor a blocked error`, async (t) => {
    const agent = await governed(t, framework, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', { on: 'RESULT' });
    const { results } = await agent.run([pay(5), { tool: 'fail', input: { amount: 1 } }]);
    assert.deepEqual(agent.paid, [5]);
    assert.match(results[0], /blocked by policy/);
    assert.doesNotMatch(results[0], /bob@/);
    if (alwaysShowsErrors.has(name)) return;
    // OpenAI Agents never tells its model what an error says.
    assert.match(results[1], /blocked by policy|error occurred/);
    assert.doesNotMatch(results[1], /bob@/);
  });

  test(`${name}: of parallel calls, lets through what the limit allows`, async (t) => {
    const agent = await governed(t, framework, 'session.attemptCounts[?tool].orValue(0) >= 2', 'BLOCK');
    const { results } = await agent.run([[pay(1), pay(2), pay(3)]]);
    assert.equal(agent.paid.length, 2);
    assert.equal(results.filter((result) => /blocked by policy/.test(result)).length, 1);
  });

  test(`${name}: what runs is what was evaluated, whatever changed the arguments before`, async (t) => {
    const agent = await governed(t, framework, `${arguments_} > 10`, 'BLOCK');
    await agent.run([pay(5)], { mutate: ({ amount }) => ({ amount: amount * 10 }) });
    const { input } = (await agent.evaluations()).find(({ phase }) => phase === 'ACTION');
    assert.deepEqual(
      agent.paid.filter((amount) => amount !== input.arguments.amount),
      [],
    );
  });

  test(`${name}: a decision of one conversation is of no use in another`, async (t) => {
    const agent = await governed(t, framework, 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
    await agent.run([pay(5)], { conversation: 'c-1' });
    await agent.review('approve');
    const other = await agent.run([pay(5)], { conversation: 'c-2' });
    assert.match(other.results[0], /waiting for approval/);
    const same = await agent.run([pay(5)], { conversation: 'c-1' });
    assert.match(same.results.at(-1), /paid 5/);
    assert.deepEqual(agent.paid, [5]);
  });
}

for (const [name, resumption] of Object.entries(pausing)) {
  test(`${name}: pauses on a held call, and the reviewer's decision alone lets it run`, async (t) => {
    const agent = await governed(t, frameworks[name], 'tool.endsWith("pay")', 'APPROVAL_REQUIRED');
    const options = { onHold: 'interrupt' };
    for (const [conversation, decision, told] of [
      ['none', null, /waiting for approval/],
      ['rejected', 'reject', /ask finance first/],
      ['approved', 'approve', /paid 5/],
    ]) {
      const paused = await agent.run([pay(5)], { conversation, options });
      const state = resumption(paused);
      assert.ok(state, 'it is paused');
      assert.deepEqual([paused.results, agent.paid], [[], []]);
      if (decision) await agent.review(decision, { comment: 'ask finance first' });
      await paused.run(state);
      assert.match(paused.results[0], told);
    }
    assert.deepEqual(agent.paid, [5]);
  });
}
