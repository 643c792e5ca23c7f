import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createAssizeClient, createGate } from '../../lib/client/index.js';
import { rule } from '../helpers/policies.ts';
import { adminKey, startService } from './service.mjs';

/** The service under a policy of one rule, and agents on it that pay. */
export async function governed(t, framework, when, effect, { on = 'ACTION', waitMs = 0, ...server } = {}) {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, rule(when, effect).replace('    when:', `    on: [${on}]\n    when:`));
  const paid = [];
  const warnings = [];
  const client = createAssizeClient({
    url: service.base,
    apiKey: key,
    retries: 0,
    timeoutMs: 20_000,
    ...server,
  });
  const gate = createGate({ client, waitMs, onWarn: (evaluation) => warnings.push(evaluation) });
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
    async run(turns, { conversation = 'c-1', mutate, signal, offered, options } = {}) {
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
      const agent = await framework({ t, gate, tools, next, mutate, conversation, signal, offered }, options);
      return Object.assign(told, agent);
    },
    /** Until something is held. */
    async held() {
      for (;;) {
        const { body } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
        if (body.data.length > 0) return;
        // The agent needs the processor, too.
        await setTimeout(20);
      }
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
export async function other(t, respond) {
  const server = createServer((_, response) => respond(response));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
