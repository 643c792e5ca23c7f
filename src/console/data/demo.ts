import { effect, signal } from '@preact/signals';
import type {
  CreatedIntegration,
  CreatedIntegrationKey,
  Integration,
} from '../../features/integrations/schema.ts';
import type { PolicySummary } from '../../features/policies/schema.ts';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import { call, callAll } from './api.ts';
import { demoNames } from './names.ts';
import { signedInByLink, signInState } from './operator/sign-in.ts';

/** The requests of the demo so far. The key of its integration is kept in this page only, until the sign-in ends. */
export interface Demo {
  key: string;
  session: { externalSessionId: string } | { sessionId: string };
  responses: readonly EvaluateResult[];
  isWithoutPolicies: boolean;
}

export const demo = signal<Demo | null>(null);
effect(() => {
  if (signInState.value.is === 'out') demo.value = null;
});

/** The first requests, by the starter policies: allowed, a warning, held. */
const inputs = [
  { tool: 'web.search', query: 'opening hours of the public library' },
  { tool: 'crm.lookup', result: 'Ada Example, ada@example.com' },
  { tool: 'email.send', text: 'Hello' },
] as const;

const blockedInput = { tool: 'net.http_post', body: 'token AKIAZQ3DRSTUVWXY2345' };

const keyHours = 12;

/** Sends the first actions of a session as the demo's integration, which is created when there is none. */
export async function startDemo(): Promise<void> {
  const integrations = await callAll<Integration>('/v1/integrations');
  const found = integrations.find(({ name, status }) => status === 'ACTIVE' && demoNames.includes(name));
  await play(found ? await issueKey(found.id) : await createIntegration());
}

/** After the link of a first start: shows a session, unless the installation has no demo or is in use. */
export async function startFirstDemo(): Promise<void> {
  signedInByLink.value = false;
  const [{ data: integrations }, { pagination: sessions }] = await Promise.all([
    call<Integration[]>('/v1/integrations'),
    call('/v1/evaluation-sessions', { query: { size: 1 } }),
  ]);
  const [only] = integrations;
  if (integrations.length !== 1 || only?.name !== demoNames[0] || sessions.total > 0) return;
  await play(await issueKey(only.id));
}

export const sendBlockedCall = (): Promise<void> => send(blockedInput);

interface Sender {
  integrationId: string;
  key: string;
}

async function issueKey(integrationId: string): Promise<Sender> {
  const expiresAt = new Date(Date.now() + keyHours * 3_600_000).toISOString();
  const json = { name: demoNames[1], scopes: ['evaluate', 'sessions:open'], expiresAt };
  const path = `/v1/integrations/${integrationId}/keys`;
  const { data } = await call<CreatedIntegrationKey>(path, { method: 'POST', json });
  return { integrationId, key: data.apiKey };
}

/** With every active policy bound. */
async function createIntegration(): Promise<Sender> {
  const json = { name: demoNames[1], kind: 'AGENT', description: 'created by the console to show a session' };
  const { data } = await call<CreatedIntegration>('/v1/integrations', { method: 'POST', json });
  const policies = await callAll<PolicySummary>('/v1/policies', { query: { status: 'ACTIVE' } });
  for (const policy of policies) {
    await call(`/v1/integrations/${data.id}/policies/${policy.id}`, { method: 'PUT' });
  }
  return { integrationId: data.id, key: data.apiKey };
}

async function play({ integrationId, key }: Sender): Promise<void> {
  const { pagination } = await call(`/v1/integrations/${integrationId}/policies`);
  demo.value = {
    key,
    session: { externalSessionId: `${demoNames[1]} ${new Date().toISOString()}` },
    responses: [],
    isWithoutPolicies: pagination.total === 0,
  };
  for (const input of inputs) await send(input);
}

async function send(input: object): Promise<void> {
  const before = demo.value;
  if (!before) return;
  const { key, session } = before;
  const json = { ...session, input };
  const { data } = await call<EvaluateResult>('/v1/evaluate', { method: 'POST', json, key });
  const next = data.sessionId === null ? session : { sessionId: data.sessionId };
  demo.value = { ...before, session: next, responses: [...before.responses, data].slice(-8) };
}
