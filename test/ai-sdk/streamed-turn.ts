// One request of a server that streams, in a process of its own: node streamed-turn.ts URL KEY SESSION MESSAGES. Without messages of a
// former turn the model calls `pay`, and else it says that it is done. Prints the messages so far, the approvals that the SDK asks for,
// and what the model read last.
import { isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { createAssizeGuard } from '../../src/ai-sdk/index.ts';
import { createAssizeClient } from '../../src/client/index.ts';

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
const [url = '', apiKey = '', sessionId = '', former = '[]'] = process.argv.slice(2);
const messages: ModelMessage[] = [{ role: 'user', content: 'pay' }, ...JSON.parse(former)];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const calls = { type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: '{"amount":7}' };
const isFirst = messages.length === 1;
const model = new MockLanguageModelV4({
  doStream: {
    stream: convertArrayToReadableStream([
      { type: 'stream-start', warnings: [] },
      ...(isFirst ? [calls] : []),
      { type: 'finish', finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined }, usage },
    ]) as Stream,
  },
});
const guard = createAssizeGuard({ client: createAssizeClient({ url, apiKey }), sessionId });
const pay = tool({
  inputSchema: z.object({ amount: z.number() }),
  execute: async ({ amount }) => `paid ${amount}`,
});
const { toolApproval } = guard;
const result = streamText({
  model,
  tools: guard.tools({ pay }),
  toolApproval,
  stopWhen: isStepCount(2),
  messages,
});
const approvals: string[] = [];
for await (const part of result.stream)
  if (part.type === 'tool-approval-request' && !part.isAutomatic) approvals.push(part.approvalId);
const said = [...messages.slice(1), ...(await result.response).messages];
const read = JSON.stringify(model.doStreamCalls.at(-1)?.prompt.slice(1));
console.log(JSON.stringify({ messages: said, approvals, read }));
