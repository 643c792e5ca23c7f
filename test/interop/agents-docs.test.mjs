import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { blocksOf } from '../docs/blocks.ts';
import { program as assize, root } from '../helpers/process.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { claudeCode, claudeCodeEnv, claudeCodePlace, scriptedModel, toolUse } from './claude-code.mjs';
import { folderOf, packageFile, startService } from './service.mjs';

// Every program of docs/agents/, as a reader would run it, with `assize-client` and its framework installed.

const blocks = readdirSync(join(root, 'docs/agents')).flatMap((name) => {
  const page = `docs/agents/${name}`;
  return blocksOf(page).map((block) => ({
    ...block,
    at: `${page}:${block.line}`,
    file: `${name}-${block.line}.mjs`,
  }));
});
const programs = blocks.filter(({ language }) => language !== 'sh');
const commands = blocks.filter(
  ({ language, body }) =>
    language === 'sh' && !/^npm install \.\/assize-client-[\d.]+\.tgz [@\w/ -]+\n$/.test(body),
);

/** A folder whose framework is found, with `assize-client` installed in it. */
function folderFor(t, file = '') {
  const installed = file.startsWith('voltagent') ? 'voltagent' : '.';
  const folder = mkdtempSync(join(import.meta.dirname, installed, '.docs-'));
  t.after(() => removeFolder(folder));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'build/assize-client'), join(folder, 'node_modules/assize-client'));
  return folder;
}

const run = (args, env = process.env, program = process.execPath) =>
  new Promise((resolve) => {
    execFile(program, args, { env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr }),
    );
  });

/** OpenAI's Responses API: calls the first tool about Ada, then says what it learned. */
async function openAi(t) {
  const server = createServer(async (request, response) => {
    const { input, tools } = await json(request);
    const called = Array.isArray(input) && input.some(({ type }) => type === 'function_call_output');
    const content = [{ type: 'output_text', text: 'Ada is a customer.', annotations: [] }];
    const item = called
      ? { type: 'message', id: 'm', role: 'assistant', status: 'completed', content }
      : { type: 'function_call', id: 'f', call_id: 'c', name: tools[0].name, arguments: '{"name":"Ada"}' };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'r',
        object: 'response',
        created_at: 1,
        model: 'gpt-5',
        status: 'completed',
        output: [item],
        usage,
      }),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/v1`;
}

for (const { at, file, language, body } of programs)
  test(`${at}: the program evaluates a call of a tool`, async (t) => {
    assert.equal(language, 'js');
    const service = await startService(t);
    const { key } = await service.integration('AGENT');
    const program = join(folderFor(t, file), file);
    const own = body
      .replaceAll('http://127.0.0.1:3000', service.base)
      .replace('options: {', `options: { pathToClaudeCodeExecutable: '${claudeCode}',`);
    // VoltAgent keeps its process alive.
    writeFileSync(program, /voltagent/.test(at) ? `${own}\nprocess.exit();\n` : own);
    const env = {
      ...process.env,
      ASSIZE_KEY: key,
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: await openAi(t),
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      ...claudeCodeEnv(claudeCodePlace(t)),
      ANTHROPIC_BASE_URL: (await scriptedModel(t, [[toolUse('Bash', { command: 'true' })]])).url,
      ANTHROPIC_API_KEY: 'none',
    };
    const { code, output } = await run([program], env);
    assert.equal(code, 0, output);
    const { body: sessions } = await service.call(key, 'GET', '/v1/evaluation-sessions');
    assert.equal(sessions.data[0]?.actionCount, 1, output);
  });

for (const { at, body } of commands)
  test(`${at}: the commands install a hook`, async (t) => {
    const home = folderOf(t);
    const script = `cd\nassize() { '${process.execPath}' '${assize}' "$@"; }\n${body}`;
    const env = { PATH: process.env.PATH, HOME: home, ASSIZE_KEY: `asz_live_${'x'.repeat(43)}` };
    const installed = await run(['-euc', script], env, 'bash');
    assert.equal(installed.code, 0, installed.output);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    assert.ok(
      texts.some((text) =>
        /\bhook\b.*\b(?:claude-code|codex|gemini-cli|copilot|opencode|openclaw|pi|qwen-code|cursor|vscode|cline|kiro|windsurf)\b/.test(
          text,
        ),
      ),
      installed.output,
    );
  });

const use = `
import { createSdkMcpServer, query } from '@anthropic-ai/claude-agent-sdk';
import { FunctionTool, LlmAgent, MCPToolset } from '@google/adk';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent as OpenAiAgent, tool as openAiTool } from '@openai/agents';
import { Agent as StrandsAgent, tool as strandsTool } from '@strands-agents/sdk';
import { createHooks } from 'assize-client/claude-agent-sdk';
import type { Gate } from 'assize-client';
import * as adk from 'assize-client/google-adk';
import { wrapToolCall } from 'assize-client/langchain';
import * as mastra from 'assize-client/mastra';
import * as openai from 'assize-client/openai-agents';
import * as strands from 'assize-client/strands';
import * as voltagent from 'assize-client/voltagent';
import * as langgraph from 'assize-client/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { Agent as VoltAgent, createTool as voltAgentTool } from '../voltagent/node_modules/@voltagent/core/dist/index.js';

declare const gate: Gate;
const name = 'pay';
const description = 'pay somebody';
const parameters = z.object({ amount: z.number() });
const execute = async ({ amount }: { amount: number }) => String(amount);

const openAiTools = openai.protectTools(gate, [openAiTool({ name, description, parameters, execute })], {
  session: ({ chat }: { chat: string }) => ({ externalSessionId: chat }),
  onHold: 'interrupt',
});
new OpenAiAgent<{ chat: string }>({ name, tools: openAiTools });

const langChainTools = [tool(execute, { name, description, schema: parameters })];
const wrap = wrapToolCall(gate, { session: ({ toolCall }) => ({ externalSessionId: toolCall.name }) });
createAgent({ model: 'none', tools: langChainTools, middleware: [createMiddleware({ name, wrapToolCall: wrap })] });
new ToolNode(langgraph.protectTools(gate, langChainTools));

const pay = createTool({ id: name, description, inputSchema: parameters, execute });
const tools = mastra.protectTools(gate, { pay }, { session: () => ({ sessionId: 'id' }) });
new MastraAgent({ id: name, name, instructions: '', model: 'openai/gpt-5', tools });

const adkTool = new FunctionTool({ name, description, parameters, execute });
const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url: 'http://127.0.0.1' });
new LlmAgent({ name, tools: adk.protectTools(gate, [adkTool, toolset]) });

const strandsTools = [strandsTool({ name, description, inputSchema: parameters, callback: execute })];
new StrandsAgent({
  tools: strands.protectTools(gate, strandsTools, {
    session: ({ invocationState }) => ({ externalSessionId: String(invocationState.chat) }),
  }),
});

const voltAgentTools = [voltAgentTool({ name, description, parameters, execute })];
new VoltAgent({ name, instructions: '', model: 'openai/gpt-5', tools: voltagent.protectTools(gate, voltAgentTools) });

query({ prompt: '', options: { hooks: createHooks(gate), mcpServers: { pay: createSdkMcpServer({ name }) } } });
`;

test('the adapters have the types that their frameworks want', async (t) => {
  const program = join(folderFor(t), 'use.mts');
  writeFileSync(program, use);
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--skipLibCheck',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2024',
  ];
  const tsc = packageFile('typescript/bin/tsc');
  const compiled = await run([tsc, ...options, '--module', 'nodenext', program]);
  assert.deepEqual(compiled, { code: 0, output: '' });
});
