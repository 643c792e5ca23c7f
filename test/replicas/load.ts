import { setTimeout } from 'node:timers/promises';
import { createWorld } from '../durability/kills.ts';
import { type Caller, learn, nextChange, type Sent, type World } from '../durability/load.ts';
import { operatorKey } from '../durability/process.ts';
import type { Random } from '../durability/random.ts';

/** Calls of one tool that the policy allows over all sessions of the integration. */
export const sharedBudget = 150;
const sharedTool = 'shared';

const sharedPolicy = `
schemaVersion: 1
name: shared
counters:
  used: { over: integration, within: 400d, where: tool == "${sharedTool}" }
rules:
  - id: shared-budget
    when: tool == "${sharedTool}" && counters.used >= ${sharedBudget}
    effect: BLOCK
    severity: HIGH
`;

export async function createSharedWorld(url: string): Promise<World> {
  const world = await createWorld({ url });
  const headers = { authorization: `Bearer ${operatorKey}` };
  const call = async (method: string, path: string, body?: string) => {
    const type = { 'content-type': 'application/yaml' };
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && type) },
      ...(body && { body }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: { id: string }[] & { id: string } }).data;
  };
  const policy = await call('POST', '/v1/policies?activate=true', sharedPolicy);
  const [integration] = await call('GET', '/v1/integrations');
  await call('PUT', `/v1/integrations/${integration?.id}/policies/${policy.id}`);
  return world;
}

/** The replica was gone, or could not say whether it was done. */
const unknown = new Set([502, 503, 504]);
const pauseMs = 20;

/** Sends mixed changes on so many connections until it is aborted, and writes into the journal what it sent. */
export async function loadUntil(
  caller: Caller,
  world: World,
  random: Random,
  connections: number,
  journal: Sent[],
  ended: AbortSignal,
): Promise<void> {
  async function work(): Promise<void> {
    while (!ended.aborted) {
      const sent = nextChange(world, random);
      if (sent.kind === 'evaluate' && random.chance(0.1)) shareTool(sent);
      journal.push(sent);
      try {
        const response = await caller.send(sent);
        if (!unknown.has(response.status)) sent.response = response;
      } catch {
        // What was sent may have been done.
      }
      if (sent.response) learn(world, sent);
      else await setTimeout(pauseMs);
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
}

function shareTool(sent: Sent): void {
  const { reviewRequestId: _, ...body } = JSON.parse(sent.body);
  sent.body = JSON.stringify({ ...body, input: { tool: sharedTool, serial: body.correlationId } });
}
