import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import type { IntegrationSettings } from '../../../src/features/integrations/schema.ts';
import { adminKey, startApp } from '../../helpers/app.ts';

const sendMail = {
  name: 'mail.send',
  aliases: ['mcp__mail__send'],
  effect: 'EXTERNAL',
  destinations: ['to', 'copies.address'],
  identifiers: ['thread'],
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string' },
      size: { type: 'integer' },
      tags: { type: 'array', uniqueItems: true },
    },
    required: ['to'],
    additionalProperties: false,
  },
};
const search = { name: 'web.search', effect: 'READ', untrustedResults: true };

async function start(t: Test, tools: readonly object[], settings: Partial<IntegrationSettings> = {}) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', settings);
  const url = `/v1/integrations/${id}/tools`;
  const put = (body: unknown) => app.call(adminKey, 'PUT', url, body);
  if (tools.length > 0) t.equal((await put({ tools })).status, 200);
  const evaluate = async (input: object, more: object = {}) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input, ...more })).body.data;
  return { app, id, key, url, put, evaluate };
}

t.test('a catalogue is replaced as a whole, and read back as it was sent', async (t) => {
  const { app, url, put, id } = await start(t, []);
  const before = await app.call(adminKey, 'GET', url);
  t.strictSame(before.body.data, {
    integrationId: id,
    onChange: 'HOLD',
    tools: [],
    waiting: [],
    seen: [],
    warnings: [],
    undescribed: [],
    updatedAt: null,
  });
  t.strictSame((await put({ tools: [sendMail, search] })).body.data.tools, [sendMail, search]);
  t.strictSame((await put({ tools: [search] })).body.data.tools, [search]);
  const { data } = (await app.call(adminKey, 'GET', url)).body;
  t.strictSame(data, {
    integrationId: id,
    onChange: 'HOLD',
    tools: [search],
    waiting: [],
    seen: [],
    warnings: [],
    undescribed: [],
    updatedAt: '2030-01-01T00:00:00.000Z',
  });
});

t.test(
  'rules see the effect of a tool, its destinations and identifiers, under every name of it',
  async (t) => {
    const { app, id, evaluate } = await start(t, [sendMail, search]);
    await app.policy(
      id,
      `
schemaVersion: 1
name: effects
rules:
  - id: seen
    when: 'true'
    effect: WARN
    message: "{{tool}} {{toolEffect}} {{destinations.join(',')}} {{identifiers.join(',')}} {{toolUntrusted}}"
  - id: for-the-tool
    tool: mail.send
    when: 'true'
    effect: WARN
    message: "{{session.toolCounts[?'mail.send'].orValue(0)}}"
`,
    );
    const messages = async (input: object, more: object = {}) =>
      (await evaluate(input, { externalSessionId: 's', ...more })).violations.map(
        ({ message }: { message: string }) => message,
      );
    t.strictSame(await messages({ tool: 'mail.send', to: 'ann' }), ['mail.send EXTERNAL ann  false', '0']);
    t.strictSame(
      await messages({ tool: 'mcp__mail__send', arguments: { to: 'bob' } }),
      ['mail.send EXTERNAL bob  false', '1'],
      'an alias counts as the tool itself',
    );
    t.strictSame(await messages({ tool: 'web.search' }), ['web.search READ   true']);
    t.strictSame(await messages({ tool: 'other' }), ['other    false']);
  },
);

t.test('destinations are found wherever a format of calls puts them', async (t) => {
  const { app, id, evaluate } = await start(t, [{ ...sendMail, inputSchema: {} }]);
  await app.policy(
    id,
    `
schemaVersion: 1
name: where
rules:
  - { id: seen, when: size(destinations) > 0, effect: WARN, message: "{{destinations.join(' ')}}" }
`,
  );
  const seen = async (input: object) => (await evaluate(input)).violations[0]?.message;
  t.equal(await seen({ tool: 'mail.send', to: ['x', { address: 'y' }], copies: [{ address: 7 }] }), 'x y 7');
  t.equal(await seen({ name: 'mail.send', type: 'tool_use', input: { to: 'x' } }), 'x');
  t.equal(await seen({ function: { name: 'mail.send', arguments: '{"to":"x"}' } }), 'x');
  t.equal(await seen({ method: 'tools/call', params: { name: 'mail.send', arguments: { to: 'x' } } }), 'x');
  t.equal(
    await seen({ tool: 'mail.send', copies: [{ address: 'evil' }], arguments: { to: 'good' } }),
    'good evil',
    'none hides another',
  );
  t.equal(await seen({ tool: 'mail.send', subject: 'x' }), undefined);
});

t.test('a call that does not match its schema is blocked, and says where without its content', async (t) => {
  const { evaluate, app, id } = await start(t, [sendMail]);
  const decided = async (input: object) => {
    const { enforcementAction, violations } = await evaluate(input);
    return `${enforcementAction} ${violations[0]?.message ?? ''}`;
  };
  t.equal(await decided({ tool: 'mail.send', to: 'a' }), 'ALLOW ');
  t.equal(await decided({ tool: 'mail.send', arguments: { to: 'a' } }), 'ALLOW ');
  const message = 'BLOCK the arguments do not match the schema of the tool:';
  t.equal(await decided({ tool: 'mail.send', to: 12 }), `${message} must be string (#/properties/to/type)`);
  t.equal(
    await decided({ tool: 'mcp__mail__send', arguments: { to: 'a', other: 'secret' } }),
    `${message} must NOT have additional properties (#/additionalProperties)`,
  );
  t.match(await decided({ tool: 'mail.send', to: 'a', tags: [1, 1] }), /uniqueItems/);
  t.equal(
    await decided({ tool: 'mail.send', to: 'a', size: 12345678901234567890n.toString() }),
    `${message} must be integer (#/properties/size/type)`,
  );
  t.match(
    await decided({ tool: 'mail.send', size: 'big', arguments: { to: 'a' } }),
    message,
    'arguments that match do not hide those that do not',
  );
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { onSchemaMismatch: 'WARN' } });
  t.match(await decided({ tool: 'mail.send', to: 12 }), /^WARN/);
});

t.test('patterns and dependent properties of a schema decide', async (t) => {
  const inputSchema = {
    properties: { v: { type: 'string', pattern: '^a$' }, n: { pattern: '^a#b#$' } },
    patternProperties: { '^x_': { type: 'integer' } },
    propertyNames: { pattern: '^(tool|[a-z_]{1,9})$' },
    dependentRequired: { cc: ['to'] },
  };
  const { evaluate } = await start(t, [{ name: 'x', effect: 'READ', inputSchema }]);
  const decided = async (args: object) => (await evaluate({ tool: 'x', arguments: args })).enforcementAction;
  t.equal(await decided({ v: 'a', n: 'a#b#', x_a: 1, cc: 'a', to: 'b' }), 'ALLOW');
  for (const wrong of [{ v: 'b' }, { n: 'a' }, { x_a: 'a' }, { BIG: 1 }, { cc: 'a' }])
    t.equal(await decided(wrong), 'BLOCK', JSON.stringify(wrong));
});

t.test('a big integer is an integer to a schema', async (t) => {
  const { app, key } = await start(t, [sendMail]);
  const text = '{"input":{"tool":"mail.send","to":"a","size":12345678901234567890}}';
  const { body } = await app.call(key, 'POST', '/v1/evaluate', text, { 'content-type': 'application/json' });
  t.equal(body.data.enforcementAction, 'ALLOW');
});

t.test('an unknown tool, and an action without one, get what the setting says', async (t) => {
  const { app, id, evaluate } = await start(t, [search], { unknownTools: 'BLOCK' });
  t.equal((await evaluate({ tool: 'web.search' })).enforcementAction, 'ALLOW');
  const { enforcementAction, outcome, violations } = await evaluate({ tool: 'web.serach' });
  t.strictSame([enforcementAction, outcome, violations[0].reason], ['BLOCK', 'DENY', 'unknown_tool']);
  t.equal(
    (await evaluate({ text: 'no tool' })).enforcementAction,
    'BLOCK',
    'leaving the name out evades nothing',
  );
  t.equal((await evaluate({ text: 'hello' }, { phase: 'PROMPT' })).enforcementAction, 'ALLOW');
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, {
    settings: { unknownTools: 'APPROVAL_REQUIRED' },
  });
  const held = await evaluate({ tool: 'x' }, { externalSessionId: 's' });
  t.equal(held.enforcementAction, 'APPROVAL_REQUIRED');
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  const resumed = await evaluate(
    { tool: 'x' },
    { externalSessionId: 's', reviewRequestId: held.reviewRequestId },
  );
  t.equal(resumed.enforcementAction, 'ALLOW');
});

t.test('a permit is not replayed once the catalogue stops the action', async (t) => {
  const { app, key, put } = await start(t, [search], { unknownTools: 'BLOCK' });
  const send = () =>
    app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } }, { 'idempotency-key': 'k' });
  t.equal((await send()).body.data.enforcementAction, 'ALLOW');
  t.equal((await send()).body.data.replayed, true);
  await put({ tools: [] });
  t.equal((await send()).status, 409);
});

t.test('tools that an MCP server lists are added; what an operator said of one stays', async (t) => {
  const { app, url } = await start(t, [search]);
  const { body } = await app.call(adminKey, 'POST', `${url}/import`, {
    tools: [
      { name: 'web.search', description: 'finds', inputSchema: { type: 'object' }, title: 'Search' },
      { name: 'read', annotations: { readOnlyHint: true, openWorldHint: false, title: 'x' } },
      { name: 'post', annotations: { destructiveHint: false } },
      { name: 'edit', annotations: { destructiveHint: false, openWorldHint: false } },
      { name: 'unsaid' },
    ],
    nextCursor: 'x',
  });
  t.strictSame(
    body.data.tools.map(({ proposed, ...tool }: { proposed?: object[] }) => ({
      ...tool,
      isProposed: proposed !== undefined,
    })),
    [
      { ...search, description: 'finds', inputSchema: { type: 'object' }, isProposed: false },
      { name: 'read', effect: 'READ', untrustedResults: true, isProposed: true },
      { name: 'post', effect: 'EXTERNAL', untrustedResults: false, isProposed: true },
      { name: 'edit', effect: 'WRITE', untrustedResults: true, isProposed: true },
      { name: 'unsaid', effect: 'WRITE', untrustedResults: true, isProposed: true },
    ],
  );
  const many = Array.from({ length: 500 }, (_, index) => ({ name: `t${index}` }));
  const refused = await app.call(adminKey, 'POST', `${url}/import`, { tools: many });
  t.strictSame([refused.status, refused.body.errors[0].path], [400, '/tools']);
});

t.test(
  '#39: tools are imported as other APIs list them, and what they do is proposed with reasons',
  async (t) => {
    const { app, put, url, evaluate } = await start(t, []);
    const parameters = {
      type: 'object',
      properties: { to: { type: 'string' }, body: { type: 'string' }, fileId: { type: 'string' } },
    };
    const send = async (body: object) => app.call(adminKey, 'POST', `${url}/import`, body);
    const { body } = await send({
      tools: [
        { type: 'function', function: { name: 'send_mail', description: 'Sends a mail', parameters } },
        { type: 'function', name: 'forward_mail', parameters },
        { name: 'reply_mail', input_schema: parameters },
        { name: 'list_contacts', inputSchema: { jsonSchema: { type: 'object' } } },
      ],
    });
    const sends = {
      effect: 'EXTERNAL',
      destinations: ['to'],
      identifiers: ['fileId'],
      content: ['body'],
      inputSchema: parameters,
    };
    t.match(body.data.tools, [
      { name: 'send_mail', ...sends },
      { name: 'forward_mail', ...sends },
      { name: 'reply_mail', ...sends },
      { name: 'list_contacts', effect: 'READ', directory: true },
    ]);
    t.match(body.data.tools[0].proposed, [
      { field: 'effect', reason: 'its name says "send"' },
      { field: 'destinations', reason: 'argument to: its name says that something goes there' },
    ]);
    // An operator confirms by saving it without the reasons.
    const { proposed: _, ...confirmed } = body.data.tools[0];
    const saved = await put({ tools: [confirmed, ...body.data.tools.slice(1)] });
    t.strictSame(
      saved.body.data.tools.map(({ proposed }: { proposed?: unknown }) => proposed !== undefined),
      [false, true, true, true],
    );

    await put({ tools: [] });
    const openapi = {
      openapi: '3.1.0',
      components: {
        schemas: { Mail: { type: 'object', properties: { recipient: { type: 'string', format: 'email' } } } },
      },
      paths: {
        '/mails': {
          get: { operationId: 'listMails' },
          post: {
            operationId: 'createMail',
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Mail' } } },
            },
          },
        },
        '/files/{id}': { delete: { parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }] } },
      },
    };
    const imported = await send({ openapi });
    t.match(imported.body.data.tools, [
      { name: 'listMails', effect: 'READ' },
      { name: 'createMail', effect: 'EXTERNAL', destinations: ['recipient'] },
      { name: 'delete_files_id', effect: 'DESTRUCTIVE', identifiers: ['id'] },
    ]);
    t.equal(imported.body.data.tools[1].inputSchema, undefined, 'calls are not compared with it');
    t.equal((await evaluate({ tool: 'createMail', arguments: { mail: {} } })).enforcementAction, 'ALLOW');
    for (const wrong of [{}, { tools: [], openapi }]) t.equal((await send(wrong)).status, 400);
  },
);

t.test('a mistake in a catalogue is refused with its place, and changes nothing', async (t) => {
  const { app, put, url } = await start(t, [search]);
  const tool = (more: object) => ({ tools: [search, { name: 'x', effect: 'READ', ...more }] });
  const cases: [body: unknown, path: string, message: RegExp][] = [
    [{}, '/tools', /./],
    [{ tools: [], more: 1 }, '/more', /./],
    [{ tools: [{ name: 'x' }] }, '/tools/0/effect', /./],
    [tool({ effect: 'read' }), '/tools/1/effect', /READ, WRITE, EXTERNAL, DESTRUCTIVE/],
    [tool({ name: '' }), '/tools/1/name', /./],
    [tool({ name: ' x' }), '/tools/1/name', /white space/],
    [tool({ name: 7 }), '/tools/1/name', /string/],
    [tool({ name: 'web.search' }), '/tools/1/name', /the tool at \/tools\/0/],
    [tool({ aliases: ['y', 'web.search'] }), '/tools/1/aliases/1', /the tool at \/tools\/0/],
    [tool({ aliases: ['x'] }), '/tools/1/aliases/0', /this tool already/],
    [tool({ aliases: Array.from({ length: 21 }, (_, i) => `a${i}`) }), '/tools/1/aliases', /20/],
    [tool({ destinations: ['to.'] }), '/tools/1/destinations/0', /./],
    [tool({ destinations: 'to' }), '/tools/1/destinations', /./],
    [tool({ identifiers: Array.from({ length: 51 }, (_, i) => `a${i}`) }), '/tools/1/identifiers', /50/],
    [tool({ untrustedResults: 'yes' }), '/tools/1/untrustedResults', /boolean/],
    [tool({ untrusted: true }), '/tools/1/untrusted', /./],
    [tool({ untrustedFields: ['from'] }), '/tools/1/untrustedFields', /needs untrustedResults: true/],
    [
      tool({ untrustedResults: false, untrustedFields: ['from'] }),
      '/tools/1/untrustedFields',
      /needs untrustedResults: true/,
    ],
    [tool({ untrustedResults: true, untrustedFields: [] }), '/tools/1/untrustedFields', /1/],
    [tool({ untrustedResults: true, untrustedFields: ['a b'] }), '/tools/1/untrustedFields/0', /./],
    [tool({ inputSchema: [] }), '/tools/1/inputSchema', /./],
    [tool({ inputSchema: { type: 'strng' } }), '/tools/1/inputSchema', /JSON Schema/],
    [tool({ inputSchema: { $ref: 'https://example.com/x.json' } }), '/tools/1/inputSchema', /references/],
    [tool({ inputSchema: { $schema: 'x' } }), '/tools/1/inputSchema', /\$schema must be the URI of draft 7/],
    [tool({ inputSchema: { items: [{}] } }), '/tools/1/inputSchema', /prefixItems/],
    [tool({ inputSchema: { required: 'to' } }), '/tools/1/inputSchema', /list of names \(#\/required\)/],
    [tool({ inputSchema: { minLength: -1 } }), '/tools/1/inputSchema', /whole number from 0 on/],
    [tool({ inputSchema: { pattern: '(?=x)' } }), '/tools/1/inputSchema', /JSON Schema/],
    [tool({ inputSchema: { pattern: '(a{100}){100}' } }), '/tools/1/inputSchema', /./],
    [{ tools: Array.from({ length: 501 }, (_, i) => ({ name: `t${i}`, effect: 'READ' })) }, '/tools', /500/],
  ];
  for (const [body, path, message] of cases) {
    const { status, body: refused } = await put(body);
    t.strictSame([status, refused.errors[0].path], [400, path], JSON.stringify(body).slice(0, 80));
    t.match(refused.errors[0].message, message);
  }
  t.strictSame((await app.call(adminKey, 'GET', url)).body.data.tools, [search]);
  const other = `/v1/integrations/00000000-0000-4000-9000-000000000000/tools`;
  t.equal((await app.call(adminKey, 'GET', other)).status, 404);
  t.equal((await app.call(adminKey, 'PUT', other, { tools: [] })).status, 404);
});

t.test('an integration cannot read or change its own catalogue', async (t) => {
  const { app, key, url } = await start(t, [search]);
  t.equal((await app.call(key, 'GET', url)).status, 403);
  t.equal((await app.call(key, 'PUT', url, { tools: [] })).status, 403);
});

t.test('the catalogue in the documentation is one', async (t) => {
  const page = readFileSync(new URL('../../../docs/policies.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```yaml\n(tools:\n.*?)^```$/ms.exec(page) ?? [];
  const { put } = await start(t, []);
  const { tools } = parse(example);
  t.strictSame((await put({ tools })).body.data.tools, tools);
});
