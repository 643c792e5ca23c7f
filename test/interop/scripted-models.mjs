import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

// Models whose turns are written down, in the interfaces that agents speak. A turn is a command for the agent's shell, or a
// function of the model that returns one when its turn comes, or another tool with its input; after the turns the model says "Done.". `results` is what the model was told of
// each command, in order; `seen` all that it was ever sent, as text.

let models = 0;

async function serve(t, respond) {
  // A resumed conversation, which has another model, gets calls with other ids.
  const model = { results: [], seen: '', number: ++models };
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const body = JSON.parse(sent || '{}');
    model.seen += sent;
    await respond({ url: request.url, body, response, model });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(model, { url: `http://127.0.0.1:${server.address().port}` });
}

const inTurn = (turns) => {
  let turn = 0;
  return async (model) => {
    const said = turns[turn++];
    return { command: typeof said === 'function' ? await said(model) : said, turn };
  };
};

/** OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses-streaming. */
export function responsesModel(t, turns) {
  const next = inTurn(turns);
  let waited = 0;
  return serve(t, async ({ url, body, response, model }) => {
    if (!/\/responses$/.test(url)) return response.writeHead(404).end('{}');
    model.results = body.input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output);
    // The agent starts its servers meanwhile: their tools may come with a later request.
    const namespace = turns.find((one) => one?.namespace)?.namespace;
    const waits = namespace && !JSON.stringify(body.tools ?? []).includes(namespace) && waited++ < 40;
    const { command, turn } = waits ? { command: 'sleep 0.25', turn: `w${waited}` } : await next(model);
    const { tool, input } = command?.tool ? command : { tool: 'exec_command', input: { cmd: command } };
    const item =
      command === undefined
        ? {
            type: 'message',
            role: 'assistant',
            id: `m${turn}`,
            content: [{ type: 'output_text', text: 'Done.' }],
          }
        : {
            type: 'function_call',
            id: `f${turn}`,
            call_id: `c${model.number}_${turn}`,
            name: tool,
            // That of the tools of an MCP server.
            ...(command.namespace && { namespace: command.namespace }),
            arguments: JSON.stringify(input),
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [
      { type: 'response.created', response: { id: `r${turn}` } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: `r${turn}`, usage } },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return response.end();
  });
}

/** Gemini's API: https://ai.google.dev/api/generate-content. Requests without tools are the agent's own questions. */
export function geminiModel(t, turns) {
  const next = inTurn(turns);
  return serve(t, async ({ url, body, response, model }) => {
    const asked = JSON.stringify(body.tools ?? []).includes('run_shell_command');
    if (asked) {
      const parts = body.contents.flatMap((content) => content.parts);
      model.results = parts
        .filter(({ functionResponse }) => functionResponse)
        .map(({ functionResponse }) => JSON.stringify(functionResponse.response));
    }
    const { command } = asked ? await next(model) : {};
    const part =
      command === undefined
        ? {
            text: asked ? 'Done.' : '{"reasoning":"it is done","next_speaker":"user","model_choice":"flash"}',
          }
        : {
            functionCall: command.tool
              ? { name: command.tool, args: command.input }
              : { name: 'run_shell_command', args: { command, description: 'as asked' } },
          };
    const said = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    const isStream = url.includes('streamGenerateContent');
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? `data: ${JSON.stringify(said)}\n\n` : JSON.stringify(said));
  });
}

const plain = (content) =>
  typeof content === 'string' ? content : content.map(({ text: said = '' }) => said).join('\n');

/** The tools of agents that run a command, with their input. */
const shells = {
  bash: (command) => ({ command, description: 'as asked' }),
  run_shell_command: (command) => ({ command, description: 'as asked', is_background: false }),
  exec: (command) => ({ command }),
  run_commands: (command) => ({ commands: [command] }),
};

/** OpenAI's Chat Completions API: https://platform.openai.com/docs/api-reference/chat-streaming. Requests without tools are the agent's own questions. */
export function chatModel(t, turns) {
  const next = inTurn(turns);
  return serve(t, async ({ url, body, response, model }) => {
    if (!/\/chat\/completions$/.test(url)) return response.writeHead(404).end('{}');
    const shell = (body.tools ?? []).map(({ function: { name } }) => name).find((name) => name in shells);
    const asked = shell !== undefined;
    if (asked)
      model.results = body.messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => plain(content));
    const { command, turn } = asked ? await next(model) : {};
    const { tool, input } = command?.tool ? command : { tool: shell, input: shells[shell]?.(command) };
    const call = {
      index: 0,
      id: `c${model.number}_${turn}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    };
    const delta = command === undefined ? { content: 'Done.' } : { tool_calls: [call] };
    const finish_reason = command === undefined ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const rest of [
      { choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason }], usage },
    ]) {
      const chunk = {
        id: `r${turn}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: body.model,
        ...rest,
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    return response.end('data: [DONE]\n\n');
  });
}
