import { signal } from '@preact/signals';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import type { CreatedIntegration } from '../../schemas/integrations.ts';
import type { PolicySummary } from '../../schemas/policies.ts';
import { call } from './api.ts';

/** What the demo sent so far. The key of its integration is kept in this page only, and lost with it. */
export interface Demo {
  key: string;
  sessionId: string | null;
  responses: readonly EvaluateResult[];
  isWithoutPolicies: boolean;
}

export const demo = signal<Demo | null>(null);

/** One session through all four decisions, by the starter policies. */
const inputs = [
  { tool: 'web.search', query: 'opening hours of the public library' },
  { tool: 'crm.lookup', result: 'Ada Example, ada@example.com' },
  { tool: 'email.send', text: 'Hello' },
  { tool: 'net.http_post', body: 'token AKIAZQ3DRSTUVWXY2345' },
] as const;

/** Creates the integration of the demo with every active policy bound, and sends the four actions. */
export async function startDemo(): Promise<void> {
  const json = {
    name: 'console demo',
    kind: 'AGENT',
    description: 'created by the console to show a session',
  };
  const { data } = await call<CreatedIntegration>('/v1/integrations', { method: 'POST', json });
  const { data: policies } = await call<PolicySummary[]>('/v1/policies', { query: { status: 'ACTIVE' } });
  for (const policy of policies) {
    await call(`/v1/integrations/${data.id}/policies/${policy.id}`, { method: 'PUT' });
  }
  demo.value = { key: data.apiKey, sessionId: null, responses: [], isWithoutPolicies: policies.length === 0 };
  for (const input of inputs) await sendDemo(input);
}

export const sendBlockedCall = (): Promise<void> => sendDemo(inputs[3]);

async function sendDemo(input: object): Promise<void> {
  const before = demo.value;
  if (!before) return;
  const { key, sessionId } = before;
  const session = sessionId ? { sessionId } : { externalSessionId: 'console demo' };
  const json = { ...session, input };
  const { data } = await call<EvaluateResult>('/v1/evaluate', { method: 'POST', json, key });
  demo.value = { ...before, sessionId: data.sessionId, responses: [...before.responses, data].slice(-8) };
}
