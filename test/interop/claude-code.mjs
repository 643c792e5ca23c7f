import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderOf, packageFile } from './service.mjs';

// The real Claude Code, with a model whose turns are written down: everything but the model's mind is the agent's own.

/** The launcher for installs without scripts; it starts the agent's own binary. */
export const launcher = packageFile('@anthropic-ai/claude-code/cli-wrapper.cjs');
/** The agent's own binary, which the Agent SDK runs too: a second one of the same is not installed. */
export const claudeCode = packageFile(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);

/** Of the model: a block of its turn that calls a tool. */
export const toolUse = (name, input) => ({ type: 'tool_use', name, input });

/**
 * Runs Claude Code once, without a terminal, in a home and a project of its own. `turns` are what the model says, each
 * a list of blocks or a function that answers one; after them it says "Done.". Answers `init`, the agent's own account
 * of how it started; `results`, what the model was told of each tool call in their order; and `seen`, all messages of
 * the last request to the model as JSON text, empty if there was none.
 */
export async function runClaudeCode(
  t,
  { prompt = 'Go on.', turns, results = [], args = [], env = {}, place = claudeCodePlace(t) },
) {
  const model = await scriptedModel(t, turns, results);
  const { code, stdout, stderr } = await run(
    ['-p', prompt, '--output-format', 'stream-json', '--verbose', ...args],
    place.project,
    { ...claudeCodeEnv(place), ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-none', ...env },
  );
  const [first = ''] = stdout.split('\n').filter((line) => line.includes('"subtype":"init"'));
  return {
    code,
    stdout,
    stderr,
    init: JSON.parse(first || 'null'),
    results,
    seen: model.seen(),
  };
}

const mostStarts = 5;

/** Runs Claude Code as `runClaudeCode` does, again while it begins before its servers have answered: a busy machine takes a while. */
export async function startConnected(t, options) {
  for (let starts = 1; ; starts++) {
    const run = await runClaudeCode(t, options);
    const isPending = run.init?.mcp_servers.some(({ status }) => status === 'pending');
    if (!isPending || starts === mostStarts) return run;
  }
}

/** One run of Claude Code for several calls: returns a function that has its model call a tool, and returns the result. */
export function converseWithClaudeCode(t, args) {
  const results = [];
  let asked = Promise.withResolvers();
  const turn = () => {
    const said = Promise.withResolvers();
    asked.resolve(said);
    return said.promise;
  };
  const run = runClaudeCode(t, { turns: Array(20).fill(turn), results, args });
  const next = () =>
    Promise.race([asked.promise, run.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  t.after(async () => {
    const said = await next().catch(() => null);
    said?.resolve([{ type: 'text', text: 'Done.' }]);
    await run;
  });
  return async (call) => {
    const said = await next();
    asked = Promise.withResolvers();
    said.resolve([call]);
    await next();
    return results.at(-1);
  };
}

/** A home and a project that nothing else uses. */
export const claudeCodePlace = (t) => ({ home: folderOf(t), project: folderOf(t) });

/** The program's environment in a place of its own. It must not ask anything of the world: no update, no report. */
export const claudeCodeEnv = ({ home }) => ({
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
});

async function run(args, cwd, env) {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

/** Speaks the Messages API (https://docs.claude.com/en/api/messages-streaming) as far as the agent asks for it. */
export async function scriptedModel(t, turns, results = []) {
  let [turn, seen] = [0, ''];
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await text(request)) || '{}');
    if (request.method !== 'POST' || !/^\/v1\/messages(?:\?|$)/.test(request.url)) {
      response.writeHead(404).end();
      return;
    }
    seen = JSON.stringify(asked.messages);
    const { content } = asked.messages.findLast(({ role }) => role === 'user');
    for (const block of Array.isArray(content) ? content : []) {
      if (block.type === 'tool_result') results.push(plainText(block.content));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const said = turns[turn++] ?? [{ type: 'text', text: 'Done.' }];
    for (const event of streamed(asked.model, typeof said === 'function' ? await said() : said, turn)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, results, seen: () => seen };
}

const plainText = (content) =>
  typeof content === 'string' ? content : content.map(({ text: said = '' }) => said).join('\n');

function* streamed(model, blocks, turn) {
  const stop_reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  yield {
    type: 'message_start',
    message: {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage,
    },
  };
  for (const [index, { input, ...block }] of blocks.entries()) {
    const [content_block, delta] =
      block.type === 'text'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: block.text },
          ]
        : [
            { id: `toolu_${turn}_${index}`, ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(input) },
          ];
    yield { type: 'content_block_start', index, content_block };
    yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } };
  yield { type: 'message_stop' };
}
