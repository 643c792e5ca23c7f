import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents';
import { converseWithClaudeCode, startConnected, toolUse } from './claude-code.mjs';
import { folderOf, packageFile } from './service.mjs';

const info = { name: 'assize-client-tests', version: '1.0.0' };
const bearer = (key) => ({ Authorization: `Bearer ${key}` });
export const textOf = (content) => content.map((block) => block.text ?? '').join('\n');

/** A home of its own for a program that keeps files there. */
function home(t) {
  const folder = folderOf(t);
  return { ...process.env, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder };
}

/** What the two SDKs have in common. */
async function sdkClient(t, client, transport) {
  t.after(() => client.close());
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion?.(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf((await client.callTool({ name, arguments: args })).content),
  };
}

const sdk2 = (mode) => (t, url, key) =>
  sdkClient(
    t,
    new ClientV2(info, { versionNegotiation: { mode } }),
    new HttpV2(new URL(url), { requestInit: { headers: bearer(key) } }),
  );

/** The Inspector's code for the error of a tool, which it prints. */
const toolFailed = 5;

function run(env, file, args) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, ...args], { env, timeout: 30_000 }, (error, stdout, stderr) => {
      if (error && !(error.code === toolFailed && stdout)) reject(new Error(`exit ${error.code}: ${stderr}`));
      else resolve({ stdout, stderr });
    });
  });
}

/** Asks a server by the command line of the MCP Inspector; `server` is how it is reached. */
export async function inspect(t, server, { more }) {
  const file = packageFile('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const { stdout, stderr } = await run(home(t), file, ['--cli', '--format', 'json', ...more, ...server]);
  const response = JSON.parse(stdout);
  return { result: response.result ?? response, stderr };
}

const inspector = (era) => (t, url, key) => {
  const server = ['--transport', 'http', '--server-url', url, '--header', `Authorization: Bearer ${key}`];
  const ask = (...more) => inspect(t, [...server, '--protocol-era', era], { more });
  return {
    async list() {
      const { result, stderr } = await ask('--method', 'tools/list', '--strict');
      assert.equal(stderr.trim(), '', 'it finds nothing wrong in the tools');
      return result.tools.map(({ name }) => name);
    },
    async call(name, args) {
      const call = ['--tool-name', name, '--tool-args-json', JSON.stringify(args)];
      const { result } = await ask('--method', 'tools/call', ...call);
      return textOf(result.content);
    },
  };
};

/** Each connects with the key, and answers the tools' names and the text that a model would see of a call. */
export const clients = {
  'SDK 1.x': (t, url, key) =>
    sdkClient(t, new ClientV1(info), new HttpV1(new URL(url), { requestInit: { headers: bearer(key) } })),
  'SDK 2.x, legacy': sdk2('legacy'),
  'SDK 2.x, auto': sdk2('auto'),
  'SDK 2.x, pinned': sdk2({ pin: '2026-07-28' }),

  '@ai-sdk/mcp': async (t, url, key) => {
    const client = await createMCPClient({ transport: { type: 'http', url, headers: bearer(key) } });
    t.after(() => client.close());
    const tools = await client.tools();
    return {
      list: async () => Object.keys(tools),
      call: async (name, args) =>
        textOf((await tools[name].execute(args, { toolCallId: 'call', messages: [] })).content),
    };
  },

  '@openai/agents': async (t, url, key) => {
    const server = new MCPServerStreamableHttp({
      url,
      name: 'assize',
      requestInit: { headers: bearer(key) },
    });
    t.after(() => server.close());
    await server.connect();
    return {
      list: async () => (await server.listTools()).map(({ name }) => name),
      call: async (name, args) => textOf(await server.callTool(name, args)),
    };
  },

  '@langchain/mcp-adapters': async (t, url, key) => {
    const client = new MultiServerMCPClient({
      throwOnLoadError: true,
      mcpServers: { assize: { transport: 'http', url, headers: bearer(key), automaticSSEFallback: false } },
    });
    t.after(() => client.close());
    const tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]));
    return {
      list: async () => [...tools.keys()],
      call: async (name, args) => {
        const response = await tools.get(name).invoke(args);
        return typeof response === 'string' ? response : JSON.stringify(response);
      },
    };
  },

  'mcp-remote': (t, url, key) =>
    sdkClient(
      t,
      new ClientV1(info),
      new StdioClientTransport({
        command: process.execPath,
        args: [
          packageFile('mcp-remote/dist/proxy.js'),
          url,
          '--transport',
          'http-only',
          '--header',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote puts the variable in, so that no list of processes shows the key
          'Authorization:${KEY}',
        ],
        env: { ...home(t), KEY: `Bearer ${key}` },
        stderr: 'ignore',
      }),
    ),

  'Inspector (strict), legacy': inspector('legacy'),
  'Inspector (strict), modern': inspector('modern'),

  'Claude Code': async (t, url, key) => {
    const servers = { mcpServers: { assize: { type: 'http', url, headers: bearer(key) } } };
    const args = [
      '--strict-mcp-config',
      '--mcp-config',
      JSON.stringify(servers),
      '--allowedTools',
      'mcp__assize',
    ];
    let converse;
    return {
      list: async () => {
        const { init } = await startConnected(t, { turns: [], args });
        assert.equal(init.mcp_servers[0].status, 'connected');
        return init.tools.map((name) => /^mcp__assize__(.*)$/.exec(name)?.[1]).filter(Boolean);
      },
      call(name, input) {
        converse ??= converseWithClaudeCode(t, args);
        return converse(toolUse(`mcp__assize__${name}`, input));
      },
    };
  },
};
