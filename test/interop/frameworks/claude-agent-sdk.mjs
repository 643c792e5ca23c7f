import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { createHooks } from '../../../lib/adapters/claude-agent-sdk.js';
import { claudeCode, claudeCodeEnv, claudeCodePlace, scriptedModel, toolUse } from '../claude-code.mjs';

export async function claudeAgentSdk({ t, gate, tools, next, conversation, signal }) {
  const results = [];
  const turn = async () => {
    const calls = await next(results);
    return calls
      ? calls.map(({ tool, input }) => toolUse(`mcp__assize__${tool}`, input))
      : [{ type: 'text', text: 'Done.' }];
  };
  const model = await scriptedModel(t, Array(20).fill(turn), results);
  const place = claudeCodePlace(t);
  const made = tools.map(({ name, parameters, execute }) =>
    tool(name, name, parameters.shape, async (input) => ({
      content: [{ type: 'text', text: await execute(input) }],
    })),
  );
  const abortController = new AbortController();
  signal?.addEventListener('abort', () => abortController.abort());
  const run = query({
    prompt: 'Go.',
    options: {
      abortController,
      cwd: place.project,
      pathToClaudeCodeExecutable: claudeCode,
      env: { ...claudeCodeEnv(place), ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-none' },
      mcpServers: { assize: createSdkMcpServer({ name: 'assize', tools: made }) },
      allowedTools: ['mcp__assize'],
      hooks: createHooks(gate, { session: () => ({ externalSessionId: conversation }) }),
      settingSources: [],
    },
  });
  for await (const _ of run);
  return { results };
}
