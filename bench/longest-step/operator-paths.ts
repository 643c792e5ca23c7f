import { bodyBytes, integration } from './agent-paths.ts';
import type { Caller, Path } from './callers.ts';

const yaml = { 'content-type': 'application/yaml' };
/** Just below the largest policy. */
const documentBytes = 255_000;

const rule = (place: number): string => `  - id: rule-${place}
    when: tool == "tool-${place}" && input.?a.orValue("x${place}").startsWith("y") && dataTags.exists(tag, tag == "PII")
    effect: WARN
`;
const head = (name: string): string => `schemaVersion: 1\nname: ${name}\nrules:\n`;

function filled(start: string, part: (place: number) => string, bytes = documentBytes, most = 200): string {
  let text = start;
  for (let place = 0; place < most && text.length < bytes; place++) text += part(place);
  return text;
}

const rules = (name: string): string => filled(head(name), rule);
const phones = [...Array(17_000).keys()].map((place) => `+49 30 ${100_000 + place}`).join(' ');
const longTest = `${head('scanned')}${rule(0)}tests:
  - name: many
    steps:
      - { tool: t, times: 1000, input: { text: "${phones}" } }
`;
const given = `${head('given')}${rule(0)}tests:\n${[...Array(20).keys()]
  .map(
    (place) =>
      `  - { name: t${place}, given: { input: { text: "${phones.slice(0, 11_000)}" } }, expect: { enforcementAction: ALLOW } }\n`,
  )
  .join('')}`;
const looping = `${head('looping')}  - id: loop
    when: input.list.exists(a, input.list.exists(b, a + b == -1.0))
    effect: BLOCK
tests:
  - name: many
    steps:
      - { tool: t, times: 1000, input: { list: [${[...Array(1_000).keys()].join()}] } }
`;
const nested = `${head('nested')}${rule(0)}tests:\n  - { name: t, given: { input: { list: [${'{a: 1},'.repeat(34_000)}] } }, expect: { enforcementAction: ALLOW } }\n`;

export async function operatorPaths(admin: Caller): Promise<Path[]> {
  const agent = await integration(admin, 'managed');
  const paths: Path[] = [];
  const documents: Record<string, string> = {
    'rules, as large as can be': rules('rules'),
    'a step of 240 KB, 1,000 times': longTest,
    '20 tests of 11 KB': given,
    'steps that take every step of CEL': looping,
    'a list of 34,000 objects': nested,
    'many lines': `${head('lines')}${rule(0)}${'\n'.repeat(240_000)}`,
    'no YAML': '{'.repeat(250_000),
    'keys of YAML': `a: 1\n${[...Array(22_000).keys()].map((place) => `k${place}: 1\n`).join('')}`,
    'conditions of 4 KB': filled(
      head('conditions'),
      (place) =>
        `  - id: r${place}\n    when: ${Array(400).fill('a.b[0]').join(' || ').slice(0, 4_000)}\n    effect: WARN\n`,
    ),
    'true conditions of 4 KB': filled(
      head('conditions'),
      (place) =>
        `  - id: r${place}\n    when: ${Array(200).fill('input.a == "x"').join(' || ').slice(0, 3_595)}\n    effect: WARN\n`,
    ),
    patterns: `${head('patterns')}${rule(0)}detectors:\n${[...Array(20).keys()].map((place) => `  - { tag: OWN_${place}, category: OWN, pattern: '(?:[a-z]{1,50}x){1,9}${place}' }\n`).join('')}`,
  };
  for (const [what, document] of Object.entries(documents))
    paths.push({
      name: `policies/check: ${what}`,
      run: () => admin.call('POST', '/v1/policies/check', document, yaml),
    });
  paths.push({
    name: 'policies/check as JSON: small members',
    run: () =>
      admin.call('POST', '/v1/policies/check', JSON.stringify({ rules: Array(30_000).fill({ a: 1 }) }), {
        'content-type': 'application/json',
      }),
  });
  const named = (n: number) => rules('rules').replace('name: rules', `name: rules-${n}`);
  let count = 0;
  paths.push({
    name: 'policies create: as large as can be',
    run: () => admin.call('POST', '/v1/policies', named(count++), yaml),
  });
  const create = async (document: string): Promise<string> => {
    const created = await admin.call('POST', '/v1/policies?activate=true', document, yaml);
    if (created.status !== 201) throw new Error(created.text);
    return JSON.parse(created.text).data.id as string;
  };
  const id = await create(rules('bound'));
  await admin.call('PUT', `/v1/integrations/${agent.id}/policies/${id}`, undefined);
  let version = 0;
  paths.push({
    name: 'evaluate: the first one after a large policy changed',
    run: async () => {
      await admin.call('PUT', `/v1/policies/${id}`, `${rules('bound')}# ${version++}`, yaml);
      return agent.call('POST', '/v1/evaluate', { input: { text: 'a' } });
    },
  });
  const matching = (name: string) =>
    filled(
      head(name),
      (place) =>
        `  - id: matches-${place}\n    when: input.?text.orValue("").matches(r"(?i)(^|[^a-z])(delete|remove|drop${place})(-[a-z]*)*\\s")\n    effect: WARN\n`,
    );
  const patterns = await create(matching('matching'));
  await admin.call('PUT', `/v1/integrations/${agent.id}/policies/${patterns}`, undefined);
  paths.push({
    name: 'evaluate: the first one after a policy with 200 patterns changed',
    run: async () => {
      await admin.call('PUT', `/v1/policies/${patterns}`, `${matching('matching')}# ${version++}`, yaml);
      return agent.call('POST', '/v1/evaluate', { input: { text: 'a' } });
    },
  });
  paths.push({
    name: 'evaluations explain: by a large policy',
    run: async () => {
      const { text } = await agent.call('POST', '/v1/evaluate', { input: { text: 'a' } });
      const { evaluationRunId } = JSON.parse(text).data;
      return admin.call('GET', `/v1/evaluations/${evaluationRunId}?explain=true`);
    },
  });
  const lines = [...Array(12_000).keys()].map((place) => `# line ${place}`).join('\n');
  const versions = await create(
    `${rules('versions')
      .slice(0, 60_000)
      .replace(/ {2}- id: rule-\d+\n[^-]*$/, '')}${lines}`.slice(0, 250_000),
  );
  await admin.call(
    'PUT',
    `/v1/policies/${versions}`,
    `${head('versions')}${rule(7)}${lines.replaceAll('line', 'changed')}`.slice(0, 250_000),
    yaml,
  );
  paths.push({
    name: 'policies diff: every line differs',
    run: () => admin.call('GET', `/v1/policies/${versions}/versions/1/diff/2`),
  });
  paths.push({
    name: 'policies versions, a page of 200',
    run: () => admin.call('GET', `/v1/policies/${versions}/versions?size=200`),
  });
  paths.push({
    name: 'policies/simulate: a large document',
    run: () => admin.call('POST', '/v1/policies/simulate', { document: rules('tried') }),
  });
  paths.push({
    name: 'policies/simulate: with large lists',
    run: () =>
      admin.call('POST', '/v1/policies/simulate', { lists: { unknown: Array(90_000).fill('abcdefg') } }),
  });
  const entries = [...Array(10_000).keys()].map((place) => `host-${place}.example.org`.slice(0, 49));
  let lists = 0;
  paths.push({
    name: 'lists create: 10,000 entries',
    run: () => admin.call('POST', '/v1/lists', { name: `l${lists++}`, kind: 'DOMAINS', entries }),
  });
  const list = JSON.parse(
    (await admin.call('POST', '/v1/lists', { name: 'long', kind: 'DOMAINS', entries })).text,
  ).data.id;
  paths.push({ name: 'lists read: 10,000 entries', run: () => admin.call('GET', `/v1/lists/${list}`) });
  paths.push({
    name: 'lists change: 10,000 entries',
    run: () =>
      admin.call('PATCH', `/v1/lists/${list}`, { entries: entries.map((entry) => `${lists++ % 2}${entry}`) }),
  });
  const schema = (members: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      [...Array(members).keys()].map((place) => [
        `p${place}`,
        { type: 'string', pattern: `^a${place}$`, maxLength: 9 },
      ]),
    ),
  });
  const tools = [...Array(500).keys()].map((place) => ({
    name: `tool.${place}`,
    effect: 'READ',
    inputSchema: schema(20),
  }));
  paths.push({
    name: 'tools put: 500 tools with schemas',
    run: () => admin.call('PUT', `/v1/integrations/${agent.id}/tools`, { tools }),
  });
  paths.push({
    name: 'tools put: one schema of 900 KB',
    run: () =>
      admin.call('PUT', `/v1/integrations/${agent.id}/tools`, {
        tools: [{ name: 'big', effect: 'READ', inputSchema: schema(12_000) }],
      }),
  });
  paths.push({
    name: 'tools import: 500 tools with schemas',
    run: () =>
      admin.call('POST', `/v1/integrations/${agent.id}/tools/import`, {
        tools: tools.map(({ effect: _, ...tool }) => tool),
      }),
  });
  paths.push({ name: 'tools read', run: () => admin.call('GET', `/v1/integrations/${agent.id}/tools`) });
  paths.push({
    name: 'evaluate: with a catalogue of 500 schemas',
    run: () => agent.call('POST', '/v1/evaluate', { input: { tool: 'tool.7', arguments: { p1: 'b' } } }),
  });
  let wide = 0;
  paths.push({
    name: 'GET /v1/evaluations?size=200: wide rows',
    // The least of the repetitions counts: the first one records them.
    run: async () => {
      const rows = Array.from({ length: 80 }, (_, row) => ({
        column: `value ${row}`,
        other: 'v'.repeat(60),
      }));
      for (; wide < 200; wide++) await agent.call('POST', '/v1/evaluate', { input: { tool: 't', rows } });
      return admin.call('GET', '/v1/evaluations?size=200');
    },
  });
  for (const path of [
    '/openapi.json',
    '/docs',
    '/docs/json',
    '/policy.schema.json',
    '/v1/policies?size=200',
    '/v1/evaluations?size=200',
    '/v1/reviews?size=200',
    '/v1/reviews/stats',
    '/v1/violations?size=200',
    '/v1/violations/rules',
    '/v1/audit?size=200',
    '/v1/audit/export',
    '/v1/record/export',
    '/v1/record/roots',
    '/v1/stats',
    '/v1/evaluation-sessions?size=200',
    '/v1/entities?size=200',
    '/v1/integrations?size=200',
    '/v1/lists?size=200',
    `/v1/lists/${list}/changes?size=200`,
    '/v1/webhook-deliveries?size=200',
    '/v1/proposals?size=200',
  ])
    paths.push({ name: `GET ${path.replace(/[0-9a-f-]{36}/, ':id')}`, run: () => admin.call('GET', path) });
  paths.push({
    name: 'GET /v1/events, a page of 200',
    run: () => admin.call('GET', '/v1/events?size=200&after=0', undefined, { accept: 'application/json' }),
  });
  let newest = '';
  paths.push({
    name: 'GET /v1/evaluations/:id',
    run: async () => {
      newest ||=
        JSON.parse((await admin.call('GET', '/v1/evaluations?size=1')).text).data.items?.[0]
          ?.evaluationRunId ?? '';
      return admin.call('GET', `/v1/evaluations/${newest}`);
    },
  });
  paths.push({
    name: 'operators create: a large body that is refused',
    run: () => admin.call('POST', '/v1/operators', `{"name":"${'a'.repeat(bodyBytes)}"}`),
  });
  return paths;
}
