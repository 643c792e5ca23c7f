import { Agent, Runner, tool } from '@openai/agents';
import { protectTools } from '../../../lib/adapters/openai-agents.js';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const said = (text) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const call = ({ id, tool: name, input }) => ({
  type: 'function_call',
  callId: id,
  name,
  status: 'completed',
  arguments: JSON.stringify(input),
});
const textOf = ({ output }) =>
  typeof output === 'string' ? output : (output.text ?? JSON.stringify(output));

/** The interface `Model` of the SDK. */
export function scriptedModel(next, offered) {
  return {
    async getResponse({ input, tools }) {
      offered?.(tools.map(({ name }) => name));
      const results = Array.isArray(input) ? input.filter(({ type }) => type === 'function_call_result') : [];
      const calls = await next(results.map(textOf));
      return { usage, output: calls ? calls.map(call) : [said('Done.')] };
    },
  };
}

export async function openAiAgents({ gate, tools, next, mutate, conversation, signal, offered }, options) {
  const made = tools.map(({ name, parameters, execute }) =>
    tool({
      name,
      description: name,
      parameters,
      execute,
      ...(mutate && {
        inputGuardrails: [
          {
            name: 'mutates',
            async run({ toolCall }) {
              toolCall.arguments = JSON.stringify(mutate(JSON.parse(toolCall.arguments)));
              return { behavior: { type: 'allow' } };
            },
          },
        ],
      }),
    }),
  );
  const protectedTools = protectTools(gate, made, {
    session: ({ conversation }) => ({ externalSessionId: conversation }),
    ...(offered && { offer: 'allowed' }),
    ...options,
  });
  const agent = new Agent({ name: 'agent', model: scriptedModel(next, offered), tools: protectedTools });
  const runner = new Runner({ tracingDisabled: true });
  const run = (state) => runner.run(agent, state, { context: { conversation }, maxTurns: 20, signal });
  return { run, result: await run('Go.') };
}
