import { callOf, openSessions, sessionBodies } from './tool-calls.ts';

export interface Target {
  url: string;
  /** Of an operator. */
  adminKey: string;
}

/** One way to load the service: who asks, over how many connections, with what. */
export interface Scenario {
  name: string;
  connections: number;
  key: string;
  bodies: readonly string[];
}

/** Many sessions, one hot session, many rules, large inputs, one connection. */
export async function prepareScenarios(
  target: Target,
  demoKey: string,
  { sessions, connections }: { sessions: number; connections: number },
): Promise<Scenario[]> {
  const mixed = { connections, key: demoKey };
  const [hot = ''] = await openSessions(target.url, demoKey, 1);
  const manyRules = await integrationWithRules(target, 100);
  const large = {
    ...callOf(1),
    text: 'one line of an ordinary report without anything to find in it. '.repeat(1_600),
  };
  return [
    {
      ...mixed,
      name: 'evaluate, mixed sessions',
      bodies: await sessionBodies(target.url, demoKey, sessions),
    },
    {
      ...mixed,
      name: 'one hot session',
      bodies: Array.from({ length: 1_000 }, (_, place) =>
        JSON.stringify({ sessionId: hot, input: { ...callOf(place), tool: `tool.${place % 40}` } }),
      ),
    },
    {
      connections,
      key: manyRules,
      name: '100 rules',
      bodies: await sessionBodies(target.url, manyRules, sessions),
    },
    { ...mixed, name: '100 KB inputs', bodies: [JSON.stringify({ input: large })] },
    {
      name: 'one connection',
      connections: 1,
      key: demoKey,
      bodies: await sessionBodies(target.url, demoKey, sessions),
    },
  ];
}

/** An AGENT with a policy of so many rules, none of which matches. */
async function integrationWithRules({ url, adminKey }: Target, count: number): Promise<string> {
  const ask = async (method: string, path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': type };
    const answer = await fetch(url + path, { method, headers, body });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string; apiKey: string } }).data;
  };
  const json = 'application/json';
  const integration = await ask(
    'POST',
    '/v1/integrations',
    json,
    JSON.stringify({ name: 'rules', kind: 'AGENT' }),
  );
  const rules = Array.from({ length: count }, (_, place) => ({
    id: `rule-${place}`,
    when: `tool == "tool-${place}" && (session.toolCounts[?tool].orValue(0) >= ${place + 1} || "PII" in session.dataTags)`,
    effect: 'BLOCK',
  }));
  const document = JSON.stringify({ schemaVersion: 1, name: 'many-rules', rules });
  const policy = await ask('POST', '/v1/policies?activate=true', json, document);
  await ask('PUT', `/v1/integrations/${integration.id}/policies/${policy.id}`, json, '');
  return integration.apiKey;
}
