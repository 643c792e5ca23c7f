import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminKey as operatorKey } from '../helpers/app.ts';
import { root } from '../helpers/process.ts';
import type { ConsoleApp } from './browser.ts';

/** An integration with the starter policies, and one session through all four decisions. */
export interface Scene {
  integrationId: string;
  key: string;
  policyId: string;
  sessionId: string;
  /** By decision, in the order of the session. */
  evaluations: string[];
  reviewId: string;
  /** Sends another action of the session. */
  act(input: object): Promise<{ evaluationRunId: string; reviewRequestId: string | null }>;
  /** Holds so many actions of another session. Resolves with the ids of their reviews, oldest first. */
  hold(count: number): Promise<string[]>;
}

const inputs = [
  { tool: 'web.search', query: 'opening hours of the public library' },
  { tool: 'crm.lookup', result: 'Ada Example, ada@example.com' },
  { tool: 'email.send', to: 'press@example.com', subject: 'Your question', text: 'Hello Ada' },
  { tool: 'net.http_post', url: 'https://example.com/hook', body: 'token AKIAZQ3DRSTUVWXY2345' },
];

export async function playScene(app: ConsoleApp, name = 'support agent'): Promise<Scene> {
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.call(operatorKey, 'PATCH', `/v1/integrations/${id}`, { name });
  const folder = join(root, 'policies');
  let policyId = '';
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.yaml'))) {
    policyId = await app.policy(id, readFileSync(join(folder, file), 'utf8'));
  }
  const scene: Scene = {
    integrationId: id,
    key,
    policyId,
    sessionId: '',
    evaluations: [],
    reviewId: '',
    async act(input) {
      const session = scene.sessionId
        ? { sessionId: scene.sessionId }
        : { externalSessionId: 'ticket 4711', metadata: { channel: 'chat', priority: 2 } };
      const { status, body, text } = await app.call(key, 'POST', '/v1/evaluate', { ...session, input });
      if (status !== 200) throw new Error(`not evaluated: ${text}`);
      scene.sessionId = body.data.sessionId;
      return body.data;
    },
    async hold(count) {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) {
        // Long sessions are judged more strictly.
        const externalSessionId = `ticket ${4712 + Math.floor(n / 20)}`;
        const send = async (input: object) =>
          (await app.call(key, 'POST', '/v1/evaluate', { externalSessionId, input })).body.data;
        if (n % 20 === 0) await send(inputs[1] ?? {});
        const { reviewRequestId } = await send({ tool: 'email.send', text: `Mail ${n}` });
        if (reviewRequestId === null) throw new Error('it was not held');
        ids.push(reviewRequestId);
      }
      return ids;
    },
  };
  for (const input of inputs) {
    const { evaluationRunId, reviewRequestId } = await scene.act(input);
    scene.evaluations.push(evaluationRunId);
    if (reviewRequestId) scene.reviewId = reviewRequestId;
  }
  return scene;
}
