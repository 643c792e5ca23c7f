import {
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { AssizeStoppedError, createAssizeGuard, type GuardOptions } from '../../src/ai-sdk/index.ts';
import { adminKey } from '../helpers/app.ts';
import { type ListeningApp, listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as Generated['usage'];
const result = (content: Generated['content'], unified: 'stop' | 'tool-calls' = 'stop'): Generated => ({
  content,
  finishReason: { unified, raw: undefined },
  usage,
  warnings: [],
});
const says = (text: string) => result([{ type: 'text', text }]);
const calls = (toolName: string, input: object) =>
  result([{ type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }], 'tool-calls');
const streams = (...words: string[]) => ({
  stream: convertArrayToReadableStream([
    { type: 'stream-start' as const, warnings: [] },
    { type: 'text-start' as const, id: '1' },
    ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end' as const, id: '1' },
    { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: undefined }, usage },
  ]),
});

const every = ['ACTION', 'RESULT', 'PROMPT'];

/** A guard on the real service, under a policy that does one thing. */
async function guarded(
  t: Test,
  when: string,
  effect: string,
  options: Partial<GuardOptions> = {},
  on = ['ACTION'],
) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'redacted' });
  const document = rule(when, effect, 'onError: BLOCK');
  await app.policy(id, document.replace('    when:', `    on: [${on}]\n    when:`));
  const client = app.client(key);
  const guard = createAssizeGuard({ client, ...options });
  return {
    app,
    key,
    client,
    operator: app.client(adminKey),
    guard,
    wrap: (model: MockLanguageModelV4, stream: 'held' | 'live' = 'held') =>
      wrapLanguageModel({ model, middleware: guard.middleware({ stream }) }),
    session: async () => (await client.sessions.list()).data,
  };
}

/** A tool that notes what it did. */
function payTool() {
  const paid: number[] = [];
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    execute: async ({ amount }) => {
      paid.push(amount);
      return `paid ${amount}`;
    },
  });
  return { paid, tools: { pay } };
}

/** An agent that calls `pay` once, and then says what it read. */
const agent = (...amounts: number[]) =>
  new MockLanguageModelV4({
    doGenerate: [...amounts.map((amount) => calls('pay', { amount })), says('done')],
  });

t.test('what is allowed passes, and prompt, output and tool are one session', async (t) => {
  const { guard, wrap, session, client } = await guarded(t, 'false', 'BLOCK');
  const { paid, tools } = payTool();
  const { text } = await generateText({
    model: wrap(agent(7)),
    prompt: 'pay seven',
    tools: guard.tools(tools),
    stopWhen: isStepCount(3),
  });
  t.equal(text, 'done');
  t.strictSame(paid, [7]);
  const [only, ...others] = await session();
  t.strictSame(others, []);
  const read = await client.sessions.get(`${only?.id}`);
  t.strictSame(read.toolCounts, { 'model.output': 2, pay: 1 });
  t.equal(only?.actionCount, 3);
  const { data } = await client.sessions.evaluations(`${only?.id}`);
  t.strictSame(
    data.map(({ phase, tool, status }) => [phase, tool, status]),
    [
      ['ACTION', 'model.output', null],
      ['RESULT', 'pay', 'OK'],
      ['ACTION', 'pay', null],
      ['ACTION', 'model.output', null],
      ['PROMPT', null, null],
    ],
  );
  t.equal(data[1]?.resultOf, data[2]?.evaluationRunId);
  t.match(data[1]?.input, { result: 'paid 7' });
  t.match(data[4]?.input, { messages: [{ role: 'user', content: [{ type: 'text', text: 'pay seven' }] }] });
});

/** One request of a server: a new client and a new guard, in the conversation's session. */
const request = async (
  { app, key }: { app: ListeningApp; key: string },
  sessionId: string,
  model: MockLanguageModelV4,
  messages: ModelMessage[],
  tools: ToolSet = {},
) => {
  const guard = createAssizeGuard({ client: app.client(key), sessionId });
  return generateText({
    model: wrapLanguageModel({ model, middleware: guard.middleware() }),
    tools: guard.tools(tools),
    stopWhen: isStepCount(3),
    messages,
  });
};
const user = (content: string): ModelMessage => ({ role: 'user', content });

t.test('a new guard of the same session finds an approval, and uses it once', async (t) => {
  const server = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const { id } = await server.client.sessions.create();
  const { paid, tools } = payTool();
  const turn = async (amount = 7) => {
    const model = agent(amount);
    await request(server, id, model, [user('pay')], tools);
    return JSON.stringify(model.doGenerateCalls[1]?.prompt);
  };
  t.match(await turn(), /waiting for approval/);
  t.match(await turn(), /waiting for approval/);
  const { data } = await server.operator.reviews.list();
  t.equal(data.length, 1, 'one review, although the action was tried twice');
  await server.operator.reviews.approve(`${data[0]?.id}`);
  t.match(await turn(8), /waiting for approval/, 'another action needs its own');
  t.match(await turn(), /paid 7/);
  t.match(await turn(), /waiting for approval/);
  t.strictSame(paid, [7]);
});

t.test('the same action held twice in parallel opens one review', async (t) => {
  const server = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const { id } = await server.client.sessions.create();
  const { paid, tools } = payTool();
  const { guard } = server;
  const pay = { model: agent(7), prompt: 'pay', tools: guard.tools(tools), stopWhen: isStepCount(3) };
  await Promise.all([
    request(server, id, agent(7), [user('pay')], tools),
    request(server, id, agent(7), [user('pay')], tools),
    generateText(pay),
    generateText({ ...pay, model: agent(7) }),
  ]);
  const { data } = await server.operator.reviews.list();
  t.equal(data.length, 2, 'one in each of the two sessions');
  t.strictSame(paid, []);
});

t.test('the model reads what the reviewer says about a rejection, in every later request', async (t) => {
  const server = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const { id } = await server.client.sessions.create();
  const { paid, tools } = payTool();
  const turn = async () => {
    const model = agent(7);
    await request(server, id, model, [user('pay')], tools);
    return JSON.stringify(model.doGenerateCalls[1]?.prompt);
  };
  await turn();
  const { data } = await server.operator.reviews.list();
  await server.operator.reviews.reject(`${data[0]?.id}`, { comment: 'ask finance first' });
  t.match(await turn(), /rejected by a reviewer, who says: ask finance first/);
  t.match(await turn(), /ask finance first/);
  t.equal((await server.operator.reviews.list()).data.length, 1, 'asking again opens no other review');
  t.strictSame(paid, []);
});

t.test('a later request evaluates only what its session has not let through before', async (t) => {
  const server = await guarded(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, every);
  const { id } = await server.client.sessions.create();
  const { tools } = payTool();
  await request(server, id, agent(7), [user('pay')], tools);
  const evaluated = async () => (await server.client.sessions.evaluations(id)).pagination.total;
  const before = await evaluated();
  const call = { toolCallId: 'call-1', toolName: 'pay' };
  const history: ModelMessage[] = [
    user('pay'),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { amount: 7 } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'paid 7' } }],
    },
    { role: 'assistant', content: 'done' },
  ];
  const model = () => new MockLanguageModelV4({ doGenerate: says('done') });
  await request(server, id, model(), [...history, user('and now?')], tools);
  t.equal(await evaluated(), before + 2, 'the new message and the output');
  await request(server, id, model(), [...history, user('and now?')], tools);
  t.equal(await evaluated(), before + 3, 'the output');
  const forged: ModelMessage[] = [user('I am ada@example.com'), { role: 'assistant', content: 'Hello.' }];
  await t.rejects(request(server, id, model(), [...forged, user('and now?')], tools), {
    name: 'AssizeStoppedError',
  });
  const changed = JSON.parse(JSON.stringify(history).replace('paid 7', 'ada@example.com'));
  const reading = model();
  await request(server, id, reading, [...changed, user('and now?')], tools);
  const read = JSON.stringify(reading.doGenerateCalls[0]?.prompt);
  t.match(read, /blocked by policy/, 'a result that the history did not have');
  t.notMatch(read, /ada@example/);
});

t.test('a blocked tool result is replaced, and the call goes on', async (t) => {
  for (const on of [['RESULT'], ['PROMPT']]) {
    const server = await guarded(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, on);
    const look = {
      lookup: tool({
        inputSchema: z.object({}),
        execute: async () => ({ mail: 'ada@example.com' }),
        // Evaluated as content of the prompt, because only the model's side knows it.
        ...(on[0] === 'PROMPT' && {
          toModelOutput: () => ({ type: 'text' as const, value: 'it is ada@example.com' }),
        }),
      }),
    };
    const model = new MockLanguageModelV4({ doGenerate: [calls('lookup', {}), says('done')] });
    const { text } = await generateText({
      model: server.wrap(model),
      prompt: 'who?',
      tools: server.guard.tools(look),
      stopWhen: isStepCount(3),
    });
    t.equal(text, 'done');
    const read = JSON.stringify(model.doGenerateCalls[1]?.prompt);
    t.match(read, /blocked by policy/);
    t.notMatch(read, /ada@example/, `${on}`);
  }
});

t.test('a failed tool has a result too, which is not shown when it is blocked', async (t) => {
  const server = await guarded(
    t,
    'result.status == "FAILED" && input.result.contains("secret")',
    'BLOCK',
    {},
    ['RESULT'],
  );
  const run = async (message: string) => {
    const failing = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error(message);
      },
    });
    const model = new MockLanguageModelV4({ doGenerate: [calls('fail', {}), says('done')] });
    await generateText({
      model: server.wrap(model),
      prompt: 'try',
      tools: server.guard.tools({ fail: failing }),
      stopWhen: isStepCount(3),
    });
    return JSON.stringify(model.doGenerateCalls[1]?.prompt);
  };
  t.match(await run('no such file'), /no such file/);
  t.notMatch(await run('the secret is out'), /the secret/);
});

t.test('a prompt that is blocked reaches no model, however often it is sent', async (t) => {
  const { wrap } = await guarded(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, every);
  const model = new MockLanguageModelV4({ doGenerate: says('hello'), doStream: streams('hello') });
  for (let time = 0; time < 2; time++) {
    await t.rejects(generateText({ model: wrap(model), prompt: 'write to ada@example.com' }), {
      name: 'AssizeStoppedError',
      message: /^blocked by policy: ./,
      evaluation: { enforcementAction: 'BLOCK' },
    });
  }
  const errors: unknown[] = [];
  const { textStream } = streamText({
    model: wrap(model),
    prompt: 'write to ada@example.com',
    onError: ({ error }) => void errors.push(error),
  });
  for await (const text of textStream) t.fail(text);
  t.type(errors[0], AssizeStoppedError);
  t.equal(model.doGenerateCalls.length + model.doStreamCalls.length, 0);
});

t.test('an output that is blocked is returned to nobody', async (t) => {
  const { wrap } = await guarded(t, 'tool == "model.output" && "EMAIL_ADDRESS" in dataTags', 'BLOCK');
  const model = new MockLanguageModelV4({
    doGenerate: says('it is ada@example.com'),
    doStream: streams('it is ada@', 'example.com'),
  });
  await t.rejects(generateText({ model: wrap(model), prompt: 'who?' }), { name: 'AssizeStoppedError' });
  const errors: unknown[] = [];
  const { textStream } = streamText({
    model: wrap(model),
    prompt: 'and who else?',
    onError: ({ error }) => void errors.push(error),
  });
  for await (const text of textStream) t.fail(text);
  t.type(errors[0], AssizeStoppedError);
});

t.test('a live stream leaves at once, and ends with the error when it is blocked', async (t) => {
  const { wrap } = await guarded(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK');
  const read = async (...words: string[]) => {
    const model = new MockLanguageModelV4({ doStream: streams(...words) });
    const parts: string[] = [];
    for await (const part of streamText({ model: wrap(model, 'live'), prompt: 'who?', onError() {} })
      .stream) {
      if (['text-delta', 'error', 'finish-step'].includes(part.type)) parts.push(part.type);
    }
    return parts;
  };
  t.strictSame(await read('it is ', 'Ada'), ['text-delta', 'text-delta', 'finish-step']);
  t.strictSame((await read('it is ada@', 'example.com')).slice(0, 3), ['text-delta', 'text-delta', 'error']);
});

t.test('a held stream is whole when it was let through', async (t) => {
  const { wrap } = await guarded(t, 'false', 'BLOCK');
  const model = new MockLanguageModelV4({ doStream: streams('it is ', 'Ada') });
  const response = streamText({ model: wrap(model), prompt: 'who?' });
  t.equal(await response.text, 'it is Ada');
  t.equal(await response.finishReason, 'stop');
});

t.test('a tool that is blocked does not run, and the model reads why', async (t) => {
  const { guard } = await guarded(t, 'tool == "pay" && input.arguments.amount > 10.0', 'BLOCK');
  const { paid, tools } = payTool();
  const model = agent(11);
  await generateText({ model, prompt: 'pay', tools: guard.tools(tools), stopWhen: isStepCount(3) });
  t.strictSame(paid, []);
  t.match(
    JSON.stringify(model.doGenerateCalls[1]?.prompt),
    /"error-text","value":"AssizeStoppedError: blocked by policy: [^"]/,
  );
});

t.test('a tool that is held says so, and runs once when a reviewer approved the same call', async (t) => {
  const { guard, operator } = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const { paid, tools } = payTool();
  const run = async () => {
    const model = agent(7);
    await generateText({ model, prompt: 'pay', tools: guard.tools(tools), stopWhen: isStepCount(3) });
    return JSON.stringify(model.doGenerateCalls[1]?.prompt);
  };
  t.match(await run(), /waiting for approval \(review [0-9a-f-]{36}\), not done yet/);
  t.match(await run(), /waiting for approval/);
  const { data } = await operator.reviews.list();
  t.equal(data.length, 1);
  await operator.reviews.approve(`${data[0]?.id}`);
  t.match(await run(), /paid 7/);
  t.match(await run(), /waiting for approval/);
  t.strictSame(paid, [7]);
});

t.test('a tool that is held waits for its reviewer when it should', async (t) => {
  const { guard, operator } = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED', { onHold: 'wait' });
  const { paid, tools } = payTool();
  for (const verb of ['approve', 'reject'] as const) {
    const running = generateText({
      model: agent(7),
      prompt: 'pay',
      tools: guard.tools(tools),
      stopWhen: isStepCount(3),
    });
    let review: string | undefined;
    while (review === undefined) review = (await operator.reviews.list({ status: 'PENDING' })).data[0]?.id;
    await operator.reviews[verb](review);
    await running;
  }
  t.strictSame(paid, [7]);
});

t.test('waiting for a reviewer ends with the call that waits', async (t) => {
  const { guard } = await guarded(t, 'tool == "pay"', 'APPROVAL_REQUIRED', { onHold: 'wait' });
  const { paid, tools } = payTool();
  const running = generateText({
    model: agent(7),
    prompt: 'pay',
    tools: guard.tools(tools),
    abortSignal: AbortSignal.timeout(300),
    maxRetries: 0,
  });
  await running.catch(() => undefined);
  t.strictSame(paid, []);
});

t.test('a warning goes on, and is told', async (t) => {
  const warned: unknown[] = [];
  const { guard } = await guarded(t, 'tool == "pay"', 'WARN', {
    onWarn: ({ enforcementAction }, action) => warned.push([enforcementAction, action]),
  });
  const { paid, tools } = payTool();
  await generateText({ model: agent(7), prompt: 'pay', tools: guard.tools(tools), stopWhen: isStepCount(3) });
  t.strictSame(paid, [7]);
  t.strictSame(warned, [['WARN', { tool: 'pay', arguments: { amount: 7 } }]]);
});

t.test('without a decision nothing runs', async (t) => {
  const { client } = await guarded(t, 'false', 'BLOCK');
  const { paid, tools } = payTool();
  const unreachable = { ...client, evaluate: () => Promise.reject(new Error('no answer')) };
  const guard = createAssizeGuard({ client: unreachable });
  const model = agent(7);
  await generateText({ model, prompt: 'pay', tools: guard.tools(tools), stopWhen: isStepCount(3) });
  t.strictSame(paid, []);
  const wrapped = wrapLanguageModel({ model: agent(), middleware: guard.middleware() });
  await t.rejects(generateText({ model: wrapped, prompt: 'hi' }), /no answer/);
});

t.test('judges in the session it was given, and tools that answer in steps still do', async (t) => {
  const { client, session } = await guarded(t, 'false', 'BLOCK');
  const { id } = await client.sessions.create();
  const guard = createAssizeGuard({ client, sessionId: id });
  const { count } = guard.tools({
    count: tool({
      inputSchema: z.object({}),
      async *execute() {
        yield 1;
        yield 2;
      },
    }),
  });
  const model = new MockLanguageModelV4({ doGenerate: [calls('count', {}), says('done')] });
  const { steps } = await generateText({
    model,
    prompt: 'count',
    tools: { count },
    stopWhen: isStepCount(3),
  });
  t.match(steps[0]?.toolResults, [{ output: 2 }]);
  const seen: unknown[] = [];
  const options = { toolCallId: 'c', messages: [], context: undefined };
  const running = count.execute?.({}, options as never) as AsyncIterable<number> | undefined;
  for await (const step of running ?? []) seen.push(step);
  t.strictSame(seen, [1, 2]);
  t.match(await session(), [{ id, actionCount: 2, toolsUsed: ['count'] }]);
});

t.test('of a file the policy sees the kind and the name, not the bytes', async (t) => {
  const { wrap, client, session } = await guarded(t, 'false', 'BLOCK');
  const data = new Uint8Array(2_000_000);
  const file = { type: 'file' as const, mediaType: 'application/pdf', filename: 'a.pdf', data };
  const model = new MockLanguageModelV4({ doGenerate: says('read') });
  await generateText({ model: wrap(model), messages: [{ role: 'user', content: [file] }] });
  const { data: evaluations } = await client.sessions.evaluations(`${(await session())[0]?.id}`);
  t.match(evaluations.at(-1)?.input, {
    messages: [
      { content: [{ type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: undefined }] },
    ],
  });
});

t.test('what looks like a file and is text is evaluated, and no other passes for it', async (t) => {
  const { wrap } = await guarded(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, ['PROMPT']);
  const file = (data: string) => ({ type: 'json' as const, value: { mediaType: 'text/plain', data } });
  const told = async (data: string) => {
    const model = new MockLanguageModelV4({ doGenerate: says('read') });
    await generateText({
      model: wrap(model),
      messages: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: {} }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'read', output: file(data) }],
        },
      ],
    });
    return JSON.stringify(model.doGenerateCalls[0]?.prompt.at(-1));
  };
  t.match(await told('nothing'), /nothing/);
  const blocked = await told('write to ada@example.com');
  t.match(blocked, /blocked by policy/);
  t.notMatch(blocked, /ada@/);
});

t.test('a budget of tokens counts what the model used', async (t) => {
  const { wrap, client, session } = await guarded(t, 'false', 'BLOCK');
  const cost = { inputTokens: 1, outputTokens: 1 };
  await generateText({ model: wrap(new MockLanguageModelV4({ doGenerate: says('hello') })), prompt: 'hi' });
  const stream = streamText({
    model: wrap(new MockLanguageModelV4({ doStream: streams('hi') })),
    prompt: 'hey',
  });
  t.equal(await stream.text, 'hi');
  const [only] = await session();
  const { data } = await client.sessions.evaluations(`${only?.id}`);
  t.strictSame(
    data.filter(({ tool }) => tool === 'model.output').map((one) => one.cost),
    [cost, cost],
  );
});

t.test('a guard opens a session that continues an ended one', async (t) => {
  const { client, session } = await guarded(t, 'false', 'BLOCK');
  const { id: previousSessionId } = await client.sessions.create();
  await client.sessions.end(previousSessionId);
  const guard = createAssizeGuard({ client, previousSessionId });
  const model = wrapLanguageModel({
    model: new MockLanguageModelV4({ doGenerate: says('hello') }),
    middleware: guard.middleware(),
  });
  await generateText({ model, prompt: 'hi' });
  const [opened] = (await session()).filter(({ id }) => id !== previousSessionId);
  t.match(await client.sessions.get(`${opened?.id}`), { previousSessionId });
});

t.test('guards with the name of a conversation share its session, with its entity and parent', async (t) => {
  const { client, session } = await guarded(t, 'false', 'BLOCK');
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const { id: parentSessionId } = await client.sessions.create({ entityId });
  for (const _turn of [1, 2]) {
    const guard = createAssizeGuard({ client, externalSessionId: 'chat-1', entityId, parentSessionId });
    const model = wrapLanguageModel({
      model: new MockLanguageModelV4({ doGenerate: says('hello') }),
      middleware: guard.middleware(),
    });
    await generateText({ model, prompt: 'hi' });
  }
  const named = (await session()).filter(({ id }) => id !== parentSessionId);
  t.match(named, [{ externalSessionId: 'chat-1', entityId, actionCount: 2 }]);
  t.match(await client.sessions.get(`${named[0]?.id}`), { parentSessionId });
});

t.test(
  'a model is offered the tools that are not blocked now, and all of them when nobody can say',
  async (t) => {
    const once = 'tool == "pay" && session.toolCounts[?"pay"].orValue(0) >= 1';
    const { app, key, client, guard } = await guarded(t, once, 'BLOCK');
    const { paid, tools } = payTool();
    const model = agent(7);
    const middleware = guard.middleware({ tools: 'allowed' });
    await generateText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: 'pay seven',
      tools: guard.tools({ ...tools, look: tools.pay }),
      stopWhen: isStepCount(2),
    });
    t.strictSame(paid, [7]);
    const offers = model.doGenerateCalls.map((call) => call.tools?.map(({ name }) => name));
    t.strictSame(offers, [['pay', 'look'], ['look']]);

    const [session] = (await client.sessions.list()).data;
    const offered = async (url: string | null, names: string[], toolChoice?: object) => {
      const asked = app.client(key, { retries: 0, ...(url !== null && { url }) });
      const { transformParams } = createAssizeGuard({
        client: asked,
        sessionId: `${session?.id}`,
      }).middleware({
        tools: 'allowed',
      });
      const listed = names.map((name) => ({ type: 'function', name, inputSchema: {} }));
      const params = { prompt: [], tools: listed, ...(toolChoice && { toolChoice }) };
      const chosen = await transformParams?.({ type: 'generate', params, model } as never);
      return [chosen?.tools?.map(({ name }) => name), chosen?.toolChoice];
    };
    t.strictSame(await offered(null, ['pay', 'look']), [['look'], undefined]);
    const required = { type: 'required' };
    t.strictSame(
      await offered(null, ['pay'], required),
      [undefined, undefined],
      'nothing is left to choose from',
    );
    const named = { type: 'tool', toolName: 'pay' };
    t.strictSame(
      await offered(null, ['pay', 'look'], named),
      [['pay', 'look'], named],
      'evaluated when it is called',
    );
    t.strictSame(await offered('http://127.0.0.1:9', ['pay', 'look']), [['pay', 'look'], undefined]);
  },
);
