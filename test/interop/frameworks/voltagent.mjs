import { protectTools } from '../../../lib/adapters/voltagent.js';
import { Agent, createTool, MockLanguageModelV3, z } from '../voltagent/packages.mjs';

/** In the form of AI SDK 6. */
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const scriptedModel = (next) =>
  new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const parts = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
      const calls = await next(parts.map(({ output }) => JSON.stringify(output)));
      const content = calls
        ? calls.map(({ id, tool, input }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: tool,
            input: JSON.stringify(input),
          }))
        : [{ type: 'text', text: 'Done.' }];
      const finishReason = { unified: calls ? 'tool-calls' : 'stop', raw: undefined };
      return { content, finishReason, usage, warnings: [] };
    },
  });

export async function voltAgent({ gate, tools, next, conversation, signal }) {
  const made = tools.map(({ name, execute }) =>
    createTool({ name, description: name, parameters: z.object({ amount: z.number() }), execute }),
  );
  const agent = new Agent({
    name: 'agent',
    instructions: 'Pay.',
    model: scriptedModel(next),
    tools: protectTools(gate, made),
    maxSteps: 20,
  });
  const options = { userId: 'u-1', conversationId: conversation, abortSignal: signal };
  return { result: await agent.generateText('Go.', options) };
}
