import { Agent, BeforeToolCallEvent, Model, tool } from '@strands-agents/sdk';
import { protectTools } from '../../../lib/adapters/strands.js';

class ScriptedModel extends Model {
  constructor(next) {
    super();
    this.next = next;
  }

  getConfig() {
    return {};
  }

  updateConfig() {}

  async *stream(messages) {
    const blocks = messages
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'toolResultBlock');
    const calls = await this.next(blocks.map(({ content }) => JSON.stringify(content)));
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    for (const { id, tool: name, input } of calls ?? []) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: id } };
      yield {
        type: 'modelContentBlockDeltaEvent',
        delta: { type: 'toolUseInputDelta', input: JSON.stringify(input) },
      };
      yield { type: 'modelContentBlockStopEvent' };
    }
    if (!calls) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'Done.' } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    yield { type: 'modelMessageStopEvent', stopReason: calls ? 'toolUse' : 'endTurn' };
  }
}

export async function strands({ gate, tools, next, mutate, conversation, signal }) {
  const made = tools.map(({ name, parameters, execute }) =>
    tool({ name, description: name, inputSchema: parameters, callback: execute }),
  );
  const agent = new Agent({
    model: new ScriptedModel(next),
    tools: protectTools(gate, made, { session: () => ({ externalSessionId: conversation }) }),
    printer: false,
  });
  if (mutate)
    agent.addHook(BeforeToolCallEvent, (event) => {
      event.toolUse = { ...event.toolUse, input: mutate(event.toolUse.input) };
    });
  return { result: await agent.invoke('Go.', { cancelSignal: signal }) };
}
