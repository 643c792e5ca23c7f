import { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk';
import { hideBlockedTools, protectTools } from '../../../lib/adapters/google-adk.js';

class ScriptedModel extends BaseLlm {
  constructor(next, offered) {
    super({ model: 'scripted' });
    this.next = next;
    this.offered = offered;
  }

  async *generateContentAsync({ contents, config }) {
    const declared = (config?.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    this.offered?.(declared.map(({ name }) => name));
    const parts = contents.flatMap((content) => content.parts ?? []);
    const results = parts.flatMap(({ functionResponse }) =>
      functionResponse ? [JSON.stringify(functionResponse.response)] : [],
    );
    const calls = await this.next(results);
    const said = calls
      ? calls.map(({ id, tool, input }) => ({ functionCall: { id, name: tool, args: input } }))
      : [{ text: 'Done.' }];
    yield { content: { role: 'model', parts: said } };
  }
}

export async function googleAdk({ gate, tools, next, mutate, conversation, signal, offered }) {
  const made = tools.map(
    ({ name, parameters, execute }) => new FunctionTool({ name, description: name, parameters, execute }),
  );
  const agent = new LlmAgent({
    name: 'agent',
    model: new ScriptedModel(next, offered),
    ...(offered && { beforeModelCallback: hideBlockedTools(gate) }),
    tools: protectTools(gate, made),
    ...(mutate && {
      beforeToolCallback({ args }) {
        Object.assign(args, mutate(args));
      },
    }),
  });
  const runner = new InMemoryRunner({ agent, appName: 'assize' });
  const place = { appName: 'assize', userId: 'u', sessionId: conversation };
  await runner.sessionService.createSession(place);
  const newMessage = { role: 'user', parts: [{ text: 'Go.' }] };
  const run = { userId: 'u', sessionId: conversation, newMessage, abortSignal: signal };
  for await (const _ of runner.runAsync(run));
  return {};
}
