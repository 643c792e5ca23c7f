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
  const manyRules = await integrationWith(target, manyRulesOf(100));
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

/** The same actions under policies that label and ask where values came from, and under policies that do not. */
export async function prepareFlows(
  target: Target,
  { sessions, connections }: { sessions: number; connections: number },
): Promise<Scenario[]> {
  const rule = (id: string, when: string, does: object) => ({ id, when, ...does });
  const block = { effect: 'BLOCK' };
  const plain = [
    rule('kb', 'tool == "kb.search"', { effect: 'ALLOW' }),
    rule('both', '"PII" in session.dataTags && tool == "email.send"', block),
    rule('unknown', 'tool == "pay" && input.to == ""', block),
    rule('sql', 'tool == "sql.query" && input.arguments.query == "x"', block),
  ];
  const flows = [
    rule('kb', 'tool == "kb.search"', { effect: 'ALLOW', label: ['UNTRUSTED'] }),
    rule('both', '"UNTRUSTED" in session.labels && tool == "email.send"', block),
    rule('unknown', 'tool == "pay" && size(seen(input.to)) == 0', block),
    rule('sql', 'tool == "sql.query" && seen(input.arguments.query).exists(s, s.phase == "RESULT")', block),
  ];
  return Promise.all(
    Object.entries({ 'without labels, seen': plain, 'with labels, seen': flows }).map(
      async ([name, rules]) => {
        const key = await integrationWith(target, rules);
        return { name, connections, key, bodies: await sessionBodies(target.url, key, sessions) };
      },
    ),
  );
}

/** An AGENT with a policy of these rules. */
async function integrationWith({ url, adminKey }: Target, rules: readonly object[]): Promise<string> {
  const ask = async (method: string, path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': type };
    const response = await fetch(url + path, { method, headers, body });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: { id: string; apiKey: string } }).data;
  };
  const json = 'application/json';
  const integration = await ask(
    'POST',
    '/v1/integrations',
    json,
    JSON.stringify({ name: 'rules', kind: 'AGENT' }),
  );
  const document = JSON.stringify({ schemaVersion: 1, name: `rules-${integration.id}`, rules });
  const policy = await ask('POST', '/v1/policies?activate=true', json, document);
  await ask('PUT', `/v1/integrations/${integration.id}/policies/${policy.id}`, json, '');
  return integration.apiKey;
}

/** Rules, none of which matches. */
function manyRulesOf(count: number): object[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `rule-${place}`,
    when: `tool == "tool-${place}" && (session.toolCounts[?tool].orValue(0) >= ${place + 1} || "PII" in session.dataTags)`,
    effect: 'BLOCK',
  }));
}
