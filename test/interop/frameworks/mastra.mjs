import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV4 } from 'ai/test';
import { hideBlockedTools, protectTools } from '../../../lib/adapters/mastra.js';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** The mock model of the AI SDK. */
export const scriptedModel = (next, offered) =>
  new MockLanguageModelV4({
    async doGenerate({ prompt, tools = [] }) {
      offered?.(tools.map(({ name }) => name));
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
      return { content, finishReason: { unified: calls ? 'tool-calls' : 'stop' }, usage, warnings: [] };
    },
  });

export async function mastra({ gate, tools, next, conversation, signal, offered }) {
  const made = tools.map(({ name, parameters, execute }) => [
    name,
    createTool({ id: name, description: name, inputSchema: parameters, execute }),
  ]);
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'Pay.',
    model: scriptedModel(next, offered),
    ...(offered && { inputProcessors: [hideBlockedTools(gate, { externalSessionId: conversation })] }),
    tools: protectTools(gate, Object.fromEntries(made), {
      session: () => ({ externalSessionId: conversation }),
    }),
  });
  return { result: await agent.generate('Go.', { maxSteps: 20, abortSignal: signal }) };
}
