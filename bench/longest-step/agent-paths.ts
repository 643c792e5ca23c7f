import { type Caller, callerWith, type Path } from './callers.ts';

/** Just below the largest body. */
export const bodyBytes = 1_040_000;

const times = (text: (place: number) => string, characters: number, joint = ' '): string => {
  const parts: string[] = [];
  for (let place = 0, size = 0; size < characters; place++) {
    const part = text(place);
    parts.push(part);
    size += part.length + joint.length;
  }
  return parts.join(joint);
};
const emails = (characters: number, joint = ' '): string =>
  times((place) => `person${place}@example.org`, characters, joint);
const phones = (place: number): string => `+49 30 ${String(100_000 + (place % 899_999))}`;
const addresses = (place: number): string => `2001:db8::${(place % 65_535).toString(16)}`;

export async function integration(
  admin: Caller,
  name: string,
  settings: object = {},
): Promise<Caller & { id: string }> {
  const { text } = await admin.call('POST', '/v1/integrations', {
    name,
    kind: 'AGENT',
    settings: { requestsPerMinute: 0, ...settings },
  });
  const { id, apiKey } = JSON.parse(text).data;
  return { id, ...callerWith(apiKey) };
}

async function policy(admin: Caller, to: { id: string }, document: string): Promise<void> {
  const created = await admin.call('POST', '/v1/policies?activate=true', document, {
    'content-type': 'application/yaml',
  });
  if (created.status !== 201) throw new Error(created.text);
  await admin.call('PUT', `/v1/integrations/${to.id}/policies/${JSON.parse(created.text).data.id}`);
}

/** The largest bodies of an agent. */
export async function agentPaths(admin: Caller): Promise<Path[]> {
  const agents = {
    redacted: await integration(admin, 'redacted'),
    full: await integration(admin, 'full', { contentRetention: 'full' }),
    none: await integration(admin, 'none', { contentRetention: 'none', reviewInput: 'redacted' }),
    reading: await integration(admin, 'reading'),
    looping: await integration(admin, 'looping'),
    showing: await integration(admin, 'showing'),
    typed: await integration(admin, 'typed'),
  };
  await policy(
    admin,
    agents.reading,
    `schemaVersion: 1
name: reading
rules:
  - id: holds
    when: '"EMAIL_ADDRESS" in dataTags || size(input) > 1000'
    effect: APPROVAL_REQUIRED
    message: "found in {{input.?text.orValue('none')}}"
`,
  );
  await policy(
    admin,
    agents.looping,
    `schemaVersion: 1
name: looping
rules:
${[...Array(20).keys()].map((rule) => `  - id: loop-${rule}\n    when: input.list.exists(a, input.list.exists(b, a + b == -1.0))\n    effect: BLOCK\n`).join('')}`,
  );
  await policy(
    admin,
    agents.looping,
    `schemaVersion: 1
name: looping-monitored
mode: MONITOR
rules:
${[...Array(20).keys()].map((rule) => `  - id: loop-${rule}\n    when: input.list.map(a, input.list.map(b, [a, b])).size() == -1\n    effect: BLOCK\n`).join('')}`,
  );
  await policy(
    admin,
    agents.showing,
    `schemaVersion: 1
name: showing
rules:
${[...Array(100).keys()].map((rule) => `  - id: show-${rule}\n    when: 'true'\n    effect: WARN\n    message: "{{input.list}} {{input.text}}"\n`).join('')}`,
  );
  await admin.call('PUT', `/v1/integrations/${agents.typed.id}/tools`, {
    tools: [
      {
        name: 'typed',
        effect: 'READ',
        inputSchema: {
          type: 'object',
          properties: {
            list: {
              type: 'array',
              items: {
                anyOf: [...Array(30).keys()].map((place) => ({ type: 'integer', maximum: -1 - place })),
              },
            },
          },
        },
      },
    ],
  });
  const bodies: Record<string, string | object> = {
    'e-mails in one text': { input: { text: emails(bodyBytes) } },
    'phones in one text': { input: { text: times(phones, bodyBytes) } },
    'IPv6 in one text': { input: { text: times(addresses, bodyBytes) } },
    'e-mails in an array': JSON.stringify({
      input: {
        list: emails(bodyBytes * 0.9, '|')
          .split('|')
          .slice(0, 46_000),
      },
    }),
    'e-mails as keys': JSON.stringify({
      input: Object.fromEntries(
        emails(bodyBytes * 0.75, '|')
          .split('|')
          .slice(0, 38_000)
          .map((key) => [key, 1]),
      ),
    }),
    'small members': JSON.stringify({
      input: Object.fromEntries([...Array(95_000).keys()].map((key) => [`k${key}`, 1])),
    }),
    'small numbers': JSON.stringify({ input: { list: Array(500_000).fill(1) } }),
    'large numbers': `{"input":{"list":[${Array(46_000).fill('9007199254740990.5e0').join()}]}}`,
    'small objects': JSON.stringify({ input: { list: Array(170_000).fill({ a: 1 }) } }),
    'empty texts': JSON.stringify({ input: { list: Array(340_000).fill('') } }),
    'escaped text': `{"input":{"text":"${'\\u0041'.repeat(173_000)}"}}`,
    rows: JSON.stringify({
      input: {
        rows: Array.from({ length: 6_500 }, (_, row) =>
          Object.fromEntries([...Array(8).keys()].map((cell) => [`column${cell}`, `v${row}`])),
        ),
      },
    }),
    'rows and one large number': JSON.stringify({
      input: {
        rows: Array.from({ length: 6_500 }, (_, row) =>
          Object.fromEntries([...Array(8).keys()].map((cell) => [`column${cell}`, `v${row}`])),
        ),
        n: 0,
      },
    }).replace('"n":0', '"n":9007199254740993'),
    'rows and one key twice': JSON.stringify({
      input: {
        rows: Array.from({ length: 6_500 }, (_, row) =>
          Object.fromEntries([...Array(8).keys()].map((cell) => [`column${cell}`, `v${row}`])),
        ),
        n: 0,
      },
    }).replace('"n":0', '"n":0,"n":1'),
    'rows and one escaped key': JSON.stringify({
      input: {
        rows: Array.from({ length: 6_500 }, (_, row) =>
          Object.fromEntries([...Array(8).keys()].map((cell) => [`column${cell}`, `v${row}`])),
        ),
        n: 0,
      },
    }).replace('"n":0', '"\\u006e":0'),
    '10,000 keys': JSON.stringify({
      input: {
        list: [...Array(1_000).keys()].map((one) =>
          Object.fromEntries([...Array(9).keys()].map((key) => [`k${one}x${key}`, 'v'.repeat(90)])),
        ),
      },
    }),
    'escaped keys': `{"input":{${[...Array(9_900).keys()].map((key) => `"\\u006b${key}":"${'v'.repeat(80)}"`).join()}}}`,
    'small texts': JSON.stringify({ input: { list: Array(200_000).fill('ab') } }),
    'e-mails below the thread': { input: { text: emails(64_000) } },
    'e-mails in an array below the thread': { input: { list: emails(58_000, '|').split('|') } },
    'members below the thread': {
      input: Object.fromEntries([...Array(6_000).keys()].map((key) => [`k${key}`, 1])),
    },
    'metadata of the target': { input: {}, targetMetadata: { text: emails(bodyBytes) } },
  };
  const paths: Path[] = [];
  for (const [what, body] of Object.entries(bodies)) {
    for (const [name, agent] of Object.entries(agents)) {
      if (
        ['looping', 'showing', 'typed'].includes(name) ||
        (name !== 'redacted' && !what.includes('e-mails'))
      )
        continue;
      paths.push({ name: `evaluate, ${name}: ${what}`, run: () => agent.call('POST', '/v1/evaluate', body) });
    }
    if (what.includes('e-mails'))
      paths.push({
        name: `evaluate, redact=true: ${what}`,
        run: () => agents.redacted.call('POST', '/v1/evaluate?redact=true', body),
      });
  }
  paths.push({
    name: 'evaluate: 20 rules that take every step',
    run: () => agents.looping.call('POST', '/v1/evaluate', { input: { list: [...Array(60_000).keys()] } }),
  });
  paths.push({
    name: 'evaluate: 20 rules that make every list, 20 monitored ones',
    run: () => agents.looping.call('POST', '/v1/evaluate', { input: { list: [...Array(900).keys()] } }),
  });
  paths.push({
    name: 'evaluate: ten at once that take every step',
    async run() {
      const input = { list: [...Array(10_000).keys()] };
      const all = Array.from({ length: 10 }, () => agents.looping.call('POST', '/v1/evaluate', { input }));
      return (await Promise.all(all))[0] ?? { status: 0 };
    },
  });
  paths.push({
    name: 'evaluate: 100 messages that show 9,000 detected values',
    run: () =>
      agents.showing.call('POST', '/v1/evaluate', {
        input: { list: emails(220_000, '|').split('|').slice(0, 9_000), text: emails(4_096) },
      }),
  });
  paths.push({
    name: 'evaluate: arguments that take every step of a schema',
    run: () =>
      agents.typed.call('POST', '/v1/evaluate', {
        input: { tool: 'typed', arguments: { list: [...Array(10_000).keys()] } },
      }),
  });
  for (const [what, body] of [
    ['not JSON', `{"input":{"text":"${'a'.repeat(bodyBytes)}`],
    ['twice a key', `{"input":{${[...Array(95_000).keys()].map((key) => `"k${key % 94_000}":1`).join()}}}`],
    ['not UTF-8 after all', `{"input":"${'é'.repeat(500_000)}"`],
    [
      'unknown members',
      JSON.stringify({
        input: {},
        ...Object.fromEntries([...Array(90_000).keys()].map((key) => [`k${key}`, 1])),
      }),
    ],
    ['many lines', `{"input":{},\n${'\n'.repeat(bodyBytes)}x`],
  ] as const)
    paths.push({
      name: `evaluate, refused: ${what}`,
      run: () => agents.redacted.call('POST', '/v1/evaluate', body),
    });
  const mcp = (input: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'evaluate', arguments: { input } },
  });
  const accept = { accept: 'application/json, text/event-stream' };
  paths.push(
    {
      name: 'MCP tools/call: e-mails',
      run: () => agents.redacted.call('POST', '/v1/mcp', mcp({ text: emails(bodyBytes - 200) }), accept),
    },
    {
      name: 'MCP batch-like params: small objects',
      run: () =>
        agents.redacted.call('POST', '/v1/mcp', mcp({ list: Array(170_000).fill({ a: 1 }) }), accept),
    },
    {
      name: 'MCP other method: small objects',
      run: () =>
        agents.redacted.call(
          'POST',
          '/v1/mcp',
          { jsonrpc: '2.0', id: 1, method: 'ping', params: { list: Array(170_000).fill({ a: 1 }) } },
          accept,
        ),
    },
  );
  return paths;
}
