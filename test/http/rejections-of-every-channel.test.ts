import t from 'tap';
import { runHook } from '../../src/cli/hook/run.ts';
import { createGate } from '../../src/client/index.ts';
import { payload } from '../cli/hook/payload.ts';
import { adminKey, temporaryFolder } from '../helpers/app.ts';
import { type ListeningApp, listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';
import { callTool } from '../mcp/rpc.ts';

/** One way to ask about an action: each attempt is a request of its own, and names no review. */
type Attempt = (app: ListeningApp, key: string) => Promise<{ isStopped: boolean; told: string }>;

const channels: [name: string, kind: 'REST_API' | 'MCP_SERVER' | 'AGENT', attempt: () => Attempt][] = [
  [
    'REST',
    'REST_API',
    () => async (app, key) => {
      const request = { externalSessionId: 's', input: { tool: 'pay', amount: 7 } };
      const { data } = (await app.call(key, 'POST', '/v1/evaluate', request)).body;
      const { enforcementAction, approval, violations } = data;
      return {
        isStopped: ['BLOCK', 'APPROVAL_REQUIRED'].includes(enforcementAction),
        told: `${violations[0].reason} ${approval?.comment}`,
      };
    },
  ],
  [
    'MCP',
    'MCP_SERVER',
    () => async (app, key) => {
      const { structuredContent, content } = await callTool(app, key, 'evaluate', {
        input: { tool: 'pay', amount: 7 },
      });
      return { isStopped: structuredContent.enforcementAction !== 'ALLOW', told: content[0].text };
    },
  ],
  [
    'the gate, which adapters are made of',
    'AGENT',
    () => async (app, key) => {
      // A new one each time: nothing is remembered but the session.
      const gate = createGate({ client: app.client(key) });
      const { action, message } = await gate({ tool: 'pay', input: { amount: 7 }, externalSessionId: 's' });
      return { isStopped: action !== 'proceed', told: message };
    },
  ],
  [
    'the hooks of agents',
    'AGENT',
    () => {
      const limits = { limitMs: 10_000, waitMs: 10 };
      return async (app, key) => {
        // So is a folder: nothing is remembered.
        const stateFolder = temporaryFolder(t);
        const output = await runHook(payload('pre-tool-use-bash', { tool_name: 'pay' }), {
          ...limits,
          ...{ url: app.url, key, onAllow: 'pass', onHold: 'deny', onFailure: 'deny', stateFolder },
        });
        const told = JSON.stringify(output);
        return { isStopped: told.includes('"deny"'), told };
      };
    },
  ],
  [
    'AuthZEN, with another context each time',
    'REST_API',
    () => {
      let attempts = 0;
      return async (app, key) => {
        const { body } = await app.call(key, 'POST', '/access/v1/evaluation', {
          subject: { type: 'user', id: 'ann' },
          action: { name: 'pay' },
          resource: { type: 'account', id: '1' },
          context: { attempt: attempts++ },
        });
        return { isStopped: body.decision === false, told: JSON.stringify(body.context) };
      };
    },
  ],
  [
    'AuthZEN, several at once',
    'REST_API',
    () => async (app, key) => {
      const { body } = await app.call(key, 'POST', '/access/v1/evaluations', {
        subject: { type: 'user', id: 'ann' },
        evaluations: [{ action: { name: 'pay' }, resource: { type: 'account', id: '1' } }],
      });
      const [{ decision, context }] = body.evaluations;
      return { isStopped: decision === false, told: JSON.stringify(context) };
    },
  ],
  [
    'Envoy',
    'REST_API',
    () => async (app, key) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } };
      const { status, text } = await app.call(key, 'POST', '/v1/ext-authz/mcp', call, {
        'x-assize-session': 's',
      });
      return { isStopped: status === 403, told: text };
    },
  ],
  [
    'LiteLLM',
    'REST_API',
    () => async (app, key) => {
      const url = '/v1/guardrails/litellm/beta/litellm_basic_guardrail_api';
      const { body } = await app.call(key, 'POST', url, {
        input_type: 'response',
        texts: [],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{"amount":7}' } }],
        litellm_trace_id: 't',
      });
      return { isStopped: body.action === 'BLOCKED', told: `${body.blocked_reason}` };
    },
  ],
];

for (const [name, kind, create] of channels) {
  t.test(`what a person rejected opens no other review: ${name}`, async (t) => {
    const app = await listeningApp(t);
    const { id, key } = await app.integration(kind, { contentRetention: 'full' });
    await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED', 'onError: BLOCK'));
    const attempt = create();
    t.match(await attempt(app, key), { isStopped: true });
    const reviews = async () => (await app.call(adminKey, 'GET', '/v1/reviews')).body.data;
    const [held, ...others] = await reviews();
    t.strictSame(others, []);
    await app.call(adminKey, 'POST', `/v1/reviews/${held.id}/reject`, { comment: 'not on Fridays' });
    for (let again = 0; again < 2; again++)
      t.match(await attempt(app, key), { isStopped: true, told: /not on Fridays/ });
    t.match(await reviews(), [{ id: held.id, status: 'REJECTED' }]);
    t.equal((await reviews()).length, 1, 'one review');
    const last = (await app.call(adminKey, 'GET', '/v1/evaluations?size=1')).body.data[0];
    t.match(last, {
      enforcementAction: 'BLOCK',
      reviewRequestId: held.id,
      violations: [{ reason: 'rejected_by_reviewer' }, {}],
    });
  });
}
