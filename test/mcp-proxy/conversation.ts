import type { Test } from 'tap';
import { createEvaluator } from '../../src/cli/mcp/wrap.ts';
import type { Side } from '../../src/mcp-proxy/methods.ts';
import { createProxy } from '../../src/mcp-proxy/proxy.ts';
import type { ToolList } from '../../src/mcp-proxy/tool-list.ts';
import { listeningApp } from '../helpers/listen.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read messages the way clients do
type Read = any;

interface Options {
  server?: string;
  waitMs?: number;
  masks?: boolean;
  toolList?: ToolList;
}

/** A proxy of the server `crm` in front of the real service; its two ends are what the test sends and reads. */
export async function openConversation(t: Test, policy: string | null, options: Options = {}) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  if (policy !== null) await app.policy(id, policy);
  return conversationWith({ app, id, key }, options);
}

/** Another proxy, which remembers nothing. */
export function conversationWith(
  { app, id, key }: { app: Awaited<ReturnType<typeof listeningApp>>; id: string; key: string },
  { server = 'crm', waitMs = 0, masks = false, toolList = 'hide' }: Options = {},
) {
  const client = app.client(key, { retries: 0 });
  const log: string[] = [];
  const proxy = createProxy({
    server,
    evaluator: createEvaluator(client, { server, conversation: 'c-1', limitMs: 5_000 }),
    waitMs,
    masks,
    toolList,
    log: (line) => log.push(line),
  });
  /** What a message of one side comes to: what the other side gets, and what is sent back. */
  async function send(from: Side, message: object | string): Promise<{ passed: Read; back: Read[] }> {
    const back: Read[] = [];
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const passed = await proxy.receive(from, text, (line) => back.push(JSON.parse(line)));
    return { passed: passed === null ? null : JSON.parse(passed), back };
  }
  const request = (from: Side, id: unknown, method: string, params: object = {}) =>
    send(from, { jsonrpc: '2.0', id, method, params });
  let lists = 0;
  return {
    app,
    id,
    key,
    proxy,
    log,
    send,
    request,
    call: (id: unknown, name: string, args: object = {}, more: object = {}) =>
      request('client', id, 'tools/call', { name, arguments: args, ...more }),
    /** The tools that the client gets to see of those that the server lists. */
    async list(tools: readonly object[]): Promise<Read[]> {
      const id = `list-${++lists}`;
      await request('client', id, 'tools/list');
      return (await send('server', { jsonrpc: '2.0', id, result: { tools } })).passed.result.tools;
    },
    /** The server's response to it. */
    respond: (id: unknown, result: object) => send('server', { jsonrpc: '2.0', id, result }),
    async evaluations(): Promise<Read[]> {
      const { body } = await app.call(key, 'GET', '/v1/evaluation-sessions');
      const [session, ...others] = body.data;
      if (others.length > 0) throw new Error('there are several sessions');
      if (!session) return [];
      const path = `/v1/evaluation-sessions/${session.id}/evaluations?size=200`;
      return (await app.call(key, 'GET', path)).body.data.reverse();
    },
  };
}
