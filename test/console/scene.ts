import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lifetime, madeOnce, adminKey as operatorKey } from '../helpers/app.ts';
import { root } from '../helpers/process.ts';
import { type ConsoleApp, startConsoleApp } from './browser.ts';

/** An integration with the starter policies, and one session through all four decisions. */
export interface Scene {
  integrationId: string;
  key: string;
  policyId: string;
  sessionId: string;
  /** By decision, in the order of the session. */
  evaluations: string[];
  reviewId: string;
  listId: string;
  entityId: string;
  mcpServerId: string;
  webhookId: string;
  proposalId: string;
  /** A reviewer with a key. */
  operatorId: string;
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

/** Counts for a person, and never stops anything here. */
const daysOfEntities = `schemaVersion: 1
name: entity-limits
counters:
  actions: { over: entity, per: day }
  ofTools: { over: entity, per: [day, tool] }
rules:
  - id: many-actions
    when: counters.actions > 5000 || counters.ofTools[tool] > 500
    effect: BLOCK
    severity: HIGH
`;

/** As an MCP server lists them. */
const tools = [
  {
    name: 'calendar.read',
    description: 'Finds free times of a person',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'files.share',
    description: 'Gives anybody access to a file',
    annotations: { openWorldHint: true },
  },
];

/** In the order of their names. Resolves with the id of the last one. */
export async function bindStarterPolicies(app: ConsoleApp, integrationId: string): Promise<string> {
  const folder = join(root, 'policies');
  let policyId = '';
  for (const file of readdirSync(folder)
    .filter((one) => one.endsWith('.yaml'))
    .sort()) {
    policyId = await app.policy(integrationId, readFileSync(join(folder, file), 'utf8'));
  }
  return policyId;
}

/** The ids and keys of a scene, without functions that call its service. */
type Played = Omit<Scene, 'act' | 'hold'>;

function inScene(app: ConsoleApp, played: Played): Scene {
  const { key } = played;
  const scene: Scene = {
    ...played,
    async act(input) {
      const session = scene.sessionId
        ? { sessionId: scene.sessionId }
        : {
            externalSessionId: 'ticket 4711',
            entityId: scene.entityId,
            metadata: { channel: 'chat', priority: 2 },
          };
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
  return scene;
}

export async function playScene(app: ConsoleApp, name = 'support agent'): Promise<Scene> {
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.call(operatorKey, 'PATCH', `/v1/integrations/${id}`, { name });
  const create = async (path: string, json: object): Promise<string> =>
    (await app.call(operatorKey, 'POST', path, json)).body.data.id;
  await app.policy(id, daysOfEntities);
  const policyId = await bindStarterPolicies(app, id);
  const operatorId = await create('/v1/operators', { name: 'Katherine Johnson', roles: ['REVIEWER'] });
  await create('/v1/operator-keys', { operatorId, name: 'laptop' });
  const scene = inScene(app, {
    operatorId,
    integrationId: id,
    key,
    policyId,
    sessionId: '',
    evaluations: [],
    reviewId: '',
    listId: await create('/v1/lists', {
      name: 'partner_domains',
      kind: 'DOMAINS',
      description: 'who agents may write to',
      entries: ['example.com', 'partner.example'],
    }),
    entityId: await create('/v1/entities', {
      name: 'Customer support',
      kind: 'TEAM',
      owner: 'Ada Lovelace',
      metadata: { floor: 3 },
    }),
    mcpServerId: await create('/v1/mcp-servers', {
      name: 'crm',
      url: 'https://crm.example/mcp',
      headers: ['Authorization: Bearer x'],
    }),
    proposalId: '',
    webhookId: await create('/v1/webhooks', {
      name: 'reviewers',
      format: 'EVENTS',
      url: 'http://127.0.0.1:9/hook',
      types: ['review.*'],
    }),
  });
  const { listId } = scene;
  const proposed = { operation: 'changeList', listId, add: ['new.example'], note: 'a new partner' };
  scene.proposalId = await create('/v1/proposals', proposed);
  await app.call(operatorKey, 'POST', `/v1/integrations/${id}/tools/import`, { tools });
  for (const input of inputs) {
    const { evaluationRunId, reviewRequestId } = await scene.act(input);
    scene.evaluations.push(evaluationRunId);
    if (reviewRequestId) scene.reviewId = reviewRequestId;
  }
  return scene;
}

const played = madeOnce(
  async (t, database): Promise<Played> => playScene(await startConsoleApp(t, {}, { database })),
);

/** A service of the test's own with the scene, which is played once in a process. */
export async function startScene(
  t: Lifetime,
  env: Record<string, string> = {},
): Promise<Scene & { app: ConsoleApp }> {
  const { database, made } = await played(t);
  const app = await startConsoleApp(t, env, { database });
  return { ...inScene(app, made), app };
}
