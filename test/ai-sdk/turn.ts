// One request of a server, in a process of its own: node turn.ts URL KEY SESSION AMOUNT. Prints what the model read.
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { createAssizeGuard } from '../../src/ai-sdk/index.ts';
import { createAssizeClient } from '../../src/client/index.ts';

const [url = '', apiKey = '', sessionId = '', amount = ''] = process.argv.slice(2);
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
const rest = {
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as Generated['usage'],
  warnings: [],
};
const model = new MockLanguageModelV4({
  doGenerate: [
    {
      content: [
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: `{"amount":${Number(amount)}}` },
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      ...rest,
    },
    {
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: undefined },
      ...rest,
    },
  ],
});
const guard = createAssizeGuard({ client: createAssizeClient({ url, apiKey }), sessionId });
const pay = tool({
  inputSchema: z.object({ amount: z.number() }),
  execute: async ({ amount }) => `paid ${amount}`,
});
await generateText({
  model: wrapLanguageModel({ model, middleware: guard.middleware() }),
  tools: guard.tools({ pay }),
  stopWhen: isStepCount(3),
  prompt: 'pay',
});
console.log(JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1)));
