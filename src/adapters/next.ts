import type { Gate } from '../client/index.ts';
import { type Conversation, openConversation, type RouteOptions, stopOf } from './conversations.ts';

export type { Conversation, RouteOptions } from './conversations.ts';

/** A request of which the body was read, and the conversation that it belongs to. */
export interface AgentRequest {
  request: Request;
  body: unknown;
}

/**
 * A route handler of Next, and of every framework whose handlers turn a `Request` into a `Response`: evaluates what a person asks
 * before it calls `handle`. The body must be JSON. What `assize.run` stops, and `handle` does not catch, has the status of a stopped prompt.
 */
export function protectRoute<Context = unknown>(
  gate: Gate,
  options: RouteOptions<AgentRequest>,
  handle: (asked: AgentRequest & { assize: Conversation }, context: Context) => Response | Promise<Response>,
) {
  return async (request: Request, context: Context): Promise<Response> => {
    let body: unknown;
    try {
      body = await request.json();
    } catch {
      return Response.json({ error: 'the body must be JSON' }, { status: 400 });
    }
    const asked = { request, body };
    const { conversation, refusal } = await openConversation(gate, options, asked);
    if (refusal) return Response.json(refusal.body, { status: refusal.status });
    try {
      return await handle({ ...asked, assize: conversation }, context);
    } catch (error) {
      const stopped = stopOf(error);
      if (stopped === null) throw error;
      return Response.json({ error: stopped.message }, { status: stopped.statusCode });
    }
  };
}
