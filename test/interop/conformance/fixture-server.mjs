import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as legacy from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, Server as NewServer } from '@modelcontextprotocol/server';

// A server with what the conformance suite calls by name, of both eras: that of 2025-11-25 has sessions, and asks the client.

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (words) => ({ type: 'text', text: words });
const image = { type: 'image', data: pixel, mimeType: 'image/png' };
const embedded = (uri) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
});
const user = (content) => ({ role: 'user', content });
const later = () => new Promise((done) => setTimeout(done, 50));
const form = (properties) => ({
  message: 'Please fill in',
  requestedSchema: { type: 'object', properties, required: [] },
});
const titled = [
  { const: 'value1', title: 'One' },
  { const: 'value2', title: 'Two' },
];

/** Results by tool; `ask` sends a request to the client, `tell` a notification of this call. */
const tools = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [embedded('test://embedded-resource')],
  test_multiple_content_types: () => [text('Multiple content types test:'), image, embedded('test://mixed')],
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  async test_tool_with_progress(_, { tell, token }) {
    for (const progress of [0, 50, 100]) {
      await tell('notifications/progress', { progressToken: token, progress, total: 100 });
      await later();
    }
    return [text(String(token))];
  },
  async test_tool_with_logging(_, { tell }) {
    for (const data of ['started', 'processing', 'completed']) {
      await tell('notifications/message', { level: 'info', logger: 'fixture', data });
      await later();
    }
    return [text('done')];
  },
  async test_sampling({ prompt = 'x' }, { ask }) {
    const said = await ask(
      'sampling/createMessage',
      { messages: [user(text(prompt))], maxTokens: 100 },
      legacy.CreateMessageResultSchema,
    );
    return [text(`LLM response: ${said.content.text}`)];
  },
  async test_elicitation({ message = 'x' }, { ask }) {
    const asked = { ...form({ username: { type: 'string' }, email: { type: 'string' } }), message };
    return [text(JSON.stringify(await ask('elicitation/create', asked, legacy.ElicitResultSchema)))];
  },
  async test_elicitation_sep1034_defaults(_, { ask }) {
    const asked = form({
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    });
    return [text(JSON.stringify(await ask('elicitation/create', asked, legacy.ElicitResultSchema)))];
  },
  async test_elicitation_sep1330_enums(_, { ask }) {
    const options = ['option1', 'option2', 'option3'];
    const asked = form({
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: options, enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    });
    return [text(JSON.stringify(await ask('elicitation/create', asked, legacy.ElicitResultSchema)))];
  },
  /** Since 2026-07-28 a result asks. */
  test_input_required_result_elicitation: (_, { answers }) =>
    answers?.user_name
      ? [text(`Hello, ${answers.user_name.content?.name}!`)]
      : { asks: { user_name: { method: 'elicitation/create', params: named('What is your name?') } } },
  test_input_required_result_sampling: (_, { answers }) =>
    answers?.capital
      ? [text(String(answers.capital.content?.text))]
      : {
          asks: {
            capital: {
              method: 'sampling/createMessage',
              params: { messages: [user(text('Capital of France?'))], maxTokens: 100 },
            },
          },
        },
  test_input_required_result_list_roots: (_, { answers }) =>
    answers?.roots ? [text('roots')] : { asks: { roots: { method: 'roots/list', params: {} } } },
};
const named = (message) => ({
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

const listedTools = Object.keys(tools).map((name) => ({
  name,
  description: `${name} of the fixture`,
  inputSchema: { type: 'object', properties: {} },
}));
const prompts = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    user(embedded(resourceUri)),
    user(text('Process it.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Analyse it.'))],
};
const promptArguments = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};
const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: pixel },
};

function read(uri) {
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
  if (id !== undefined)
    return {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  if (!resources[uri]) throw new legacy.McpError(-32002, 'Resource not found', { uri });
  return resources[uri];
}

/** What both eras return, by method. `extra` makes a call's way back to its client. */
const methods = {
  'tools/list': () => ({ tools: listedTools }),
  'prompts/list': () => ({
    prompts: Object.keys(prompts).map((name) => ({
      name,
      arguments: (promptArguments[name] ?? []).map((one) => ({ name: one, required: true })),
    })),
  }),
  'prompts/get': ({ name, arguments: given = {} }) => ({ messages: prompts[name](given) }),
  'resources/list': () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri, mimeType: resources[uri].mimeType })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
    ],
  }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, ...read(uri) }] }),
  'completion/complete': () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
};
const cached = { ttlMs: 1_000, cacheScope: 'private' };

async function called({ name, arguments: given = {} }, extra) {
  if (!tools[name]) throw new legacy.McpError(-32602, `unknown tool ${name}`);
  try {
    const content = await tools[name](given, extra);
    return content.asks ? { resultType: 'input_required', inputRequests: content.asks } : { content };
  } catch (error) {
    return { content: [text(error.message)], isError: true };
  }
}

const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} };
const info = { name: 'fixture', version: '1' };

function createLegacy() {
  const server = new Server(info, { capabilities });
  const schemas = {
    'tools/list': legacy.ListToolsRequestSchema,
    'prompts/list': legacy.ListPromptsRequestSchema,
    'prompts/get': legacy.GetPromptRequestSchema,
    'resources/list': legacy.ListResourcesRequestSchema,
    'resources/templates/list': legacy.ListResourceTemplatesRequestSchema,
    'resources/read': legacy.ReadResourceRequestSchema,
    'completion/complete': legacy.CompleteRequestSchema,
  };
  for (const [method, schema] of Object.entries(schemas))
    server.setRequestHandler(schema, ({ params }) => methods[method](params));
  for (const schema of [
    legacy.SubscribeRequestSchema,
    legacy.UnsubscribeRequestSchema,
    legacy.SetLevelRequestSchema,
  ])
    server.setRequestHandler(schema, () => ({}));
  server.setRequestHandler(legacy.CallToolRequestSchema, ({ params }, extra) =>
    called(params, {
      token: params._meta?.progressToken,
      tell: (method, told) => extra.sendNotification({ method, params: told }),
      ask: (method, asked, schema) => extra.sendRequest({ method, params: asked }, schema),
    }),
  );
  return server;
}

function createModern() {
  const server = new NewServer(info, { capabilities });
  for (const [method, respond] of Object.entries(methods))
    server.setRequestHandler(method, ({ params = {} }) => ({
      ...respond(params),
      ...(method !== 'prompts/get' && method !== 'completion/complete' && cached),
    }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    called(params, {
      token: params._meta?.progressToken,
      answers: params.inputResponses ?? context.mcpReq?.inputResponses,
      tell: (method, told) => context.mcpReq.notify({ method, params: told }),
    }),
  );
  return server;
}

/** Starts it; resolves with its URL. */
export async function startFixture(t, revision) {
  const transports = new Map();
  const modern = createMcpHandler(createModern, { legacy: 'reject' });
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (revision === '2026-07-28') {
      const sent = new Request(`http://127.0.0.1${request.url}`, {
        method: request.method,
        headers: request.headers,
        ...(body !== '' && { body }),
      });
      const got = await modern.fetch(sent);
      response.writeHead(got.status, Object.fromEntries(got.headers));
      for await (const chunk of got.body ?? []) response.write(chunk);
      return response.end();
    }
    let transport = transports.get(request.headers['mcp-session-id']);
    if (!transport && request.headers['mcp-session-id']) return response.writeHead(404).end();
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      await createLegacy().connect(transport);
    }
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  });
  await new Promise((done) => http.listen(0, '127.0.0.1', done));
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${http.address().port}/mcp`;
}
