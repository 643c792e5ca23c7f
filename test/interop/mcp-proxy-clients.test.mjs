import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiSdkStdio } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inspect, textOf } from './clients.mjs';
import { startEverything } from './everything.mjs';
import { adminKey, folderOf, packageFile, startService } from './service.mjs';

// Clients that no one here wrote, before a public server behind `assize mcp wrap`.

const program = join(import.meta.dirname, '../../dist/main.js');
const everything = packageFile('@modelcontextprotocol/server-everything/dist/index.js');

const policy = `
schemaVersion: 1
name: everything
rules:
  - id: not-to-eve
    when: mcp.tool == "echo" && arguments.message == "eve"
    effect: BLOCK
    message: nothing for eve
  - id: ask
    when: mcp.server == "all" && mcp.tool == "get-sum"
    effect: APPROVAL_REQUIRED
  - id: no-environment
    when: tool == "mcp__all__get-env"
    effect: BLOCK
  - id: no-mail
    on: [RESULT]
    when: dataTags.exists(tag, tag == "EMAIL_ADDRESS")
    effect: BLOCK
  - id: ask-nobody
    when: mcp.tool in ["sampling/createMessage", "elicitation/create"]
    effect: BLOCK
    message: nobody is asked
`;

/** A client of the SDK: mcp-remote is a server for it, and a client of the remote one. */
async function remote(t, command) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { sampling: {}, elicitation: {} } },
  );
  const asked = [];
  for (const schema of [CreateMessageRequestSchema, ElicitRequestSchema])
    client.setRequestHandler(schema, ({ method }) => {
      asked.push(method);
      return { model: 'm', role: 'assistant', content: { type: 'text', text: 'said' }, action: 'accept' };
    });
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  t.after(() => client.close());
  return {
    asked,
    asks: ['trigger-sampling-request', 'trigger-elicitation-request'],
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf((await client.callTool({ name, arguments: args })).content),
  };
}

async function aiSdk(t, command) {
  const client = await createMCPClient({
    transport: new AiSdkStdio({ ...command, stderr: 'ignore' }),
    capabilities: { elicitation: {} },
  });
  t.after(() => client.close());
  const asked = [];
  client.onElicitationRequest(ElicitationRequestSchema, ({ method }) => {
    asked.push(method);
    return { action: 'accept', content: {} };
  });
  const tools = await client.tools();
  return {
    asked,
    asks: ['trigger-elicitation-request'],
    list: async () => Object.keys(tools),
    call: async (name, args) =>
      textOf((await tools[name].execute(args, { toolCallId: 'call', messages: [] })).content),
  };
}

async function langChain(t, { command, args, env }) {
  const client = new MultiServerMCPClient({
    throwOnLoadError: true,
    mcpServers: { all: { transport: 'stdio', command, args, env, stderr: 'ignore' } },
  });
  t.after(() => client.close());
  const tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]));
  return {
    asked: [],
    asks: [],
    list: async () => [...tools.keys()],
    // It throws for the error of a tool, which a model reads.
    call: async (name, args) => JSON.stringify(await tools.get(name).invoke(args).catch(String)),
  };
}

/** Each call is a client of its own. */
const inspector = async (t, { command, args, env }) => {
  const given = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const ask = (...more) => inspect(t, [...given, '--', command, ...args], { more });
  return {
    asked: [],
    asks: [],
    list: async () => (await ask('--method', 'tools/list')).result.tools.map(({ name }) => name),
    call: async (name, args) => {
      const { result } = await ask(
        ...['--method', 'tools/call', '--tool-name', name],
        ...['--tool-args-json', JSON.stringify(args)],
      );
      return textOf(result.content);
    },
  };
};

const clients = {
  'MCP Inspector': { connect: inspector },
  'mcp-remote': { connect: remote, isRemote: true },
  '@langchain/mcp-adapters': { connect: langChain },
  '@ai-sdk/mcp': { connect: aiSdk },
};

for (const [name, { connect, isRemote }] of Object.entries(clients))
  test(`${name}: calls pass, are blocked, and held until they are approved; results and tools are withheld`, async (t) => {
    const service = await startService(t);
    const { id, key } = await service.integration('AGENT');
    await service.policy(id, policy);
    const server = isRemote
      ? [packageFile('mcp-remote/dist/proxy.js'), await startEverything(t), '--transport', 'http-only']
      : [everything];
    const folder = folderOf(t);
    const flags = ['--name', 'all', '--session', 'c-1', '--on-hold', 'wait', '--'];
    const client = await connect(t, {
      command: process.execPath,
      args: [program, 'mcp', 'wrap', ...flags, process.execPath, ...server],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        MCP_REMOTE_CONFIG_DIR: folder,
        ASSIZE_URL: service.base,
        ASSIZE_KEY: key,
      },
    });
    const names = await client.list();
    assert.ok(names.includes('echo') && names.includes('get-sum'), String(names));
    assert.ok(!names.includes('get-env'), 'not offered');
    assert.match(await client.call('echo', { message: 'bob' }), /Echo: bob/);
    assert.match(await client.call('echo', { message: 'eve' }), /Assize: blocked by policy: nothing for eve/);
    const withheld = await client.call('echo', { message: 'ada@example.com' });
    assert.match(withheld, /Assize: the result is withheld/);
    assert.doesNotMatch(withheld, /ada@/);
    const sum = client.call('get-sum', { a: 2, b: 3 });
    for (;;) {
      const { body } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
      const [review] = body.data;
      if (review) {
        await service.call(adminKey, 'POST', `/v1/reviews/${review.id}/approve`, {});
        break;
      }
      await new Promise((again) => setTimeout(again, 50));
    }
    assert.match(await sum, /5/);
    for (const tool of client.asks) {
      assert.ok(names.includes(tool), `${tool}: ${names}`);
      await client.call(tool, tool.includes('sampling') ? { prompt: 'hi', maxTokens: 10 } : {}).catch(String);
    }
    assert.deepEqual(client.asked, [], 'neither the model nor the person is asked');
    const { body: sessions } = await service.call(key, 'GET', '/v1/evaluation-sessions');
    assert.equal(sessions.data.length, 1);
    const used = sessions.data[0].toolsUsed;
    assert.ok(used.includes('mcp__all__echo') && used.includes('mcp__all__get-sum'), String(used));
    const attempts = (await service.call(key, 'GET', `/v1/evaluation-sessions/${sessions.data[0].id}`)).body
      .data;
    for (const tool of client.asks)
      assert.match(
        JSON.stringify(attempts.attemptCounts),
        tool.includes('sampling') ? /sampling/ : /elicitation/,
      );
  });
