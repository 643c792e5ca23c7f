import { callOf, listedTools, openSessions, sessionBodies } from './tool-calls.ts';

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

/** Many sessions, one hot session, many rules, large inputs, one connection: those whose name contains `only`. */
export async function prepareScenarios(
  target: Target,
  demoKey: string,
  { sessions, connections, only }: { sessions: number; connections: number; only: string },
): Promise<Scenario[]> {
  const mixed = { connections, key: demoKey };
  await allowEndlessCalls(target);
  const preparations: Record<string, () => Promise<Omit<Scenario, 'name'>>> = {
    'mixed, 32 sessions at once': async () => ({
      ...mixed,
      bodies: shuffled(await sessionBodies(target.url, demoKey, sessions)),
    }),
    'mixed, one session after the other': async () => ({
      ...mixed,
      bodies: await sessionBodies(target.url, demoKey, sessions),
    }),
    'one hot session': async () => {
      const [hot = ''] = await openSessions(target.url, demoKey, 1);
      // So many that none is sent so often that it is a loop.
      const bodies = Array.from({ length: 100_000 }, (_, place) =>
        JSON.stringify({ sessionId: hot, input: { ...callOf(place), tool: `tool.${place % 40}` } }),
      );
      return { ...mixed, bodies };
    },
    '100 rules': async () => {
      const key = await integrationWith(target, manyRulesOf(100));
      return { connections, key, bodies: await sessionBodies(target.url, key, sessions) };
    },
    '100 KB inputs': async () => {
      const text = 'one line of an ordinary report without anything to find in it. '.repeat(1_600);
      return { ...mixed, bodies: [JSON.stringify({ input: { ...callOf(1), text } })] };
    },
    'one connection': async () => ({
      ...mixed,
      connections: 1,
      bodies: await sessionBodies(target.url, demoKey, sessions),
    }),
  };
  const scenarios: Scenario[] = [];
  for (const [name, prepare] of Object.entries(preparations))
    if (name.includes(only)) scenarios.push({ name, ...(await prepare()) });
  return scenarios;
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
export async function integrationWith(
  target: Target,
  rules: readonly object[],
  counters: object = {},
): Promise<string> {
  const integration = (await ask(target, 'POST', '/v1/integrations', {
    name: 'rules',
    kind: 'AGENT',
  })) as Named & { apiKey: string };
  const document = { schemaVersion: 1, name: `rules-${integration.id}`, counters, rules };
  const policy = (await ask(target, 'POST', '/v1/policies?activate=true', document)) as Named;
  await ask(target, 'PUT', `/v1/integrations/${integration.id}/policies/${policy.id}`, {});
  return integration.apiKey;
}

/** Lifts the starter policies' limits of calls and repeats: the load reaches them within a second, and every run begins anew. */
async function allowEndlessCalls(target: Target): Promise<void> {
  const named = async (path: string, name: string) => {
    const found = ((await ask(target, 'GET', path)) as Named[]).find((one) => one.name === name);
    if (!found) throw new Error(`${path} has no ${name}`);
    return found.id;
  };
  const demo = await named('/v1/integrations', 'demo');
  const policy = await named('/v1/policies', 'runaway-agents');
  await ask(target, 'PUT', `/v1/integrations/${demo}/policies/${policy}`, {
    params: { callsPerHour: endless, warnAtRepeats: endless, mostRepeats: endless },
  });
}

/** The tools of the load, and others up to 100, as an import describes them for the demo agent. */
export async function importCatalogue(target: Target): Promise<void> {
  const found = ((await ask(target, 'GET', '/v1/integrations')) as Named[]).find(
    ({ name }) => name === 'demo',
  );
  await ask(target, 'POST', `/v1/integrations/${found?.id}/tools/import`, { tools: listedTools(100) });
}

/** In every session of these bodies the user said something, and a page was read: what the agent does next may be steered by it. */
export async function readSomething(url: string, key: string, bodies: readonly string[]): Promise<void> {
  const target = { url, adminKey: key };
  const evaluate = (body: object) => ask(target, 'POST', '/v1/evaluate', body);
  const ids = new Set(bodies.map((body) => (JSON.parse(body) as { sessionId: string }).sessionId));
  for (const sessionId of ids) {
    const prompt = 'Tell me the open questions of the customers in the north, and update their tickets.';
    await evaluate({ sessionId, phase: 'PROMPT', input: { prompt } });
    const read = await evaluate({
      sessionId,
      input: { tool: 'web.search', arguments: { query: 'delivery' } },
    });
    const { evaluationRunId: resultOf } = read as { evaluationRunId: string };
    const hits = Array.from({ length: 10 }, (_, place) => ({
      id: `hit-${place}`,
      url: `https://example.com/${place}`,
      text: `Order ${place} was asked for by customer-${place}@example.com in the north.`,
    }));
    await evaluate({ phase: 'RESULT', resultOf, status: 'OK', input: { result: { hits } } });
  }
}

const endless = 1_000_000_000;

interface Named {
  id: string;
  name: string;
}

async function ask({ url, adminKey }: Target, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

/** Rules, none of which matches. */
function manyRulesOf(count: number): object[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `rule-${place}`,
    when: `tool == "tool-${place}" && (session.toolCounts[?tool].orValue(0) >= ${place + 1} || "PII" in session.dataTags)`,
    effect: 'BLOCK',
  }));
}

/** In an order that is the same in each run (Fisher and Yates, with a linear congruential generator). */
function shuffled(bodies: readonly string[]): string[] {
  const mixed = [...bodies];
  let random = 12_345;
  for (let place = mixed.length - 1; place > 0; place--) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    const other = random % (place + 1);
    [mixed[place], mixed[other]] = [mixed[other] as string, mixed[place] as string];
  }
  return mixed;
}
