import type { Target } from './scenarios.ts';
import { callOf } from './tool-calls.ts';

/** An integration, and the bodies of evaluates in sessions of its own. */
export interface Counted {
  name: string;
  key: string;
  bodies: readonly string[];
}

/** Every action counts in 14 of the 20; the others select tools. Half of them over sessions, all but two in windows. */
const counters: Record<string, object> = Object.fromEntries(
  Array.from({ length: 20 }, (_, place) => {
    const over = place % 2 === 0 ? 'session' : place % 4 === 1 ? 'entity' : 'integration';
    const window = [{ within: '1h' }, { within: '24h' }, { per: 'day' }, { within: '5m' }][place % 4] ?? {};
    const where =
      place % 10 < 3 ? { where: `tool == "${['web.search', 'crm.lookup', 'sql.query'][place % 10]}"` } : {};
    const add = place % 5 === 4 ? { add: 'input.arguments.limit' } : {};
    const always = over === 'session' && place >= 16;
    return [`c${place}`, { over, ...(always ? {} : window), ...where, ...add }];
  }),
);

const document = (isCounted: boolean): string =>
  JSON.stringify({
    schemaVersion: 1,
    name: isCounted ? 'with-counters' : 'without-counters',
    ...(isCounted && { counters }),
    rules: Object.keys(counters).map((name, place) => ({
      id: `limit-${place}`,
      when: `${isCounted ? `counters.${name}` : 'session.actionCount'} > 1000000${place}`,
      effect: 'BLOCK',
    })),
  });

/** The same work for two integrations: one whose rules read counters, and one whose rules read the session. */
export async function preparePair(target: Target, sessions: number): Promise<Counted[]> {
  return [
    await prepare(target, 'without counters', document(false), sessions),
    await prepare(target, 'with 20 counters', document(true), sessions),
  ];
}

async function prepare(
  { url, adminKey }: Target,
  name: string,
  policy: string,
  sessions: number,
): Promise<Counted> {
  async function send(
    key: string,
    method: string,
    path: string,
    body: string,
  ): Promise<Record<string, string>> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: Record<string, string> }).data;
  }
  const integration = await send(
    adminKey,
    'POST',
    '/v1/integrations',
    JSON.stringify({ name, kind: 'AGENT' }),
  );
  const { id } = await send(adminKey, 'POST', '/v1/policies?activate=true', policy);
  await send(adminKey, 'PUT', `/v1/integrations/${integration.id}/policies/${id}`, '');
  const key = integration.apiKey ?? '';
  const bodies: string[] = [];
  for (let place = 0; place < sessions; place++) {
    // Ten sessions of each entity.
    const entityId = `00000000-0000-4000-8000-${String(Math.floor(place / 10)).padStart(12, '0')}`;
    const session = await send(key, 'POST', '/v1/evaluation-sessions', JSON.stringify({ entityId }));
    for (let action = 0; action <= place % 50; action++)
      bodies.push(JSON.stringify({ sessionId: session.id, input: callOf(place * 7 + action) }));
  }
  return { name, key, bodies };
}
