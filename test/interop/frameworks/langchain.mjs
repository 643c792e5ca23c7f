import { AIMessage } from '@langchain/core/messages';
import { FakeBuiltModel } from '@langchain/core/testing';
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, tool } from 'langchain';
import { wrapModelCall, wrapToolCall } from '../../../lib/adapters/langchain.js';
import { protectTools } from '../../../lib/adapters/langgraph.js';

/** The fake model of LangChain, which here asks for each response when its turn comes. */
class ScriptedModel extends FakeBuiltModel {
  constructor(next) {
    super();
    this.next = next;
  }

  bindTools(tools) {
    this.offered?.(tools.map(({ name }) => name));
    return this;
  }

  async _generate(messages) {
    const results = messages.filter((message) => message.getType() === 'tool').map(({ content }) => content);
    const calls = await this.next(results);
    const tool_calls = (calls ?? []).map(({ id, tool, input }) => ({
      id,
      name: tool,
      args: input,
      type: 'tool_call',
    }));
    const message = new AIMessage({ content: calls ? '' : 'Done.', tool_calls });
    return { generations: [{ text: '', message }] };
  }
}

export async function langChain({ gate, tools, next, mutate, conversation, signal, offered }, options) {
  const middleware = [
    createMiddleware({
      name: 'Assize',
      wrapToolCall: wrapToolCall(gate, options),
      ...(offered && { wrapModelCall: wrapModelCall(gate) }),
    }),
  ];
  if (mutate)
    middleware.unshift(
      createMiddleware({
        name: 'Mutates',
        wrapToolCall: (request, handler) =>
          handler({ ...request, toolCall: { ...request.toolCall, args: mutate(request.toolCall.args) } }),
      }),
    );
  const agent = createAgent({
    model: Object.assign(new ScriptedModel(next), { offered }),
    tools: tools.map(({ name, parameters, execute }) =>
      tool(execute, { name, description: name, schema: parameters }),
    ),
    middleware,
    checkpointer: new MemorySaver(),
  });
  const run = (input) => agent.invoke(input, { configurable: { thread_id: conversation }, signal });
  return { run, result: await run({ messages: [{ role: 'user', content: 'Go.' }] }) };
}

/** An agent of LangGraph alone, with its own ToolNode. */
export async function langGraph({ gate, tools, next, conversation, signal }) {
  const made = tools.map(({ name, parameters, execute }) =>
    tool(execute, { name, description: name, schema: parameters }),
  );
  const model = new ScriptedModel(next);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(protectTools(gate, made)))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
  const input = { messages: [{ role: 'user', content: 'Go.' }] };
  return { result: await graph.invoke(input, { configurable: { thread_id: conversation }, signal }) };
}
